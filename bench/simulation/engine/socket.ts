import {Duplex} from 'node:stream'
import type {Program} from './program.ts'

/** What goes over a connection: bytes, their end, or word that it is broken. */
export type Segment = Uint8Array | 'end' | 'reset'

/** Whatever carries segments between the two ends of a connection. */
export interface Carrier {
  send(from: Socket, segment: Segment): void
  closed(socket: Socket): void
  /** Its program is dead: its system says so to the other end. */
  died(socket: Socket): void
}

interface SocketOptions {
  /** Of the server. */
  port: number
  isClient: boolean
  program: Program | undefined
}

/** An error as the system makes it. */
export function failure(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), {code, syscall})
}

/** One end of a connection, with as much of `net.Socket` as HTTP and WebSockets ask for. */
export class Socket extends Duplex {
  readonly port: number
  readonly isClient: boolean
  readonly program: Program | undefined
  readonly remoteAddress = '127.0.0.1'
  readonly remoteFamily = 'IPv4'
  readonly localAddress = '127.0.0.1'
  number = 0
  peer: Socket | undefined
  /** Nothing comes or goes any more, and nobody knows. */
  isSilent = false
  /** Nothing that is sent later arrives sooner. */
  lastArrivalMs = 0
  connecting: boolean
  bytesWritten = 0
  bytesRead = 0
  readonly #carrier: Carrier

  constructor(carrier: Carrier, {port, isClient, program}: SocketOptions) {
    super({allowHalfOpen: !isClient})
    this.#carrier = carrier
    this.port = port
    this.isClient = isClient
    this.program = program
    this.connecting = isClient
    program?.onDeath(() => {
      if (!this.destroyed) this.#carrier.died(this)
    })
  }

  beConnected(): void {
    if (this.destroyed) return
    this.connecting = false
    this.emit('connect')
    this.emit('ready')
  }

  arrive(segment: Segment): void {
    if (this.destroyed || this.program?.isDead === true) return
    if (segment === 'reset') this.destroy(failure('ECONNRESET', 'read'))
    else if (segment === 'end') this.push(null)
    else {
      this.bytesRead += segment.length
      this.push(segment)
    }
  }

  override _read(): void {
    // What arrives is pushed.
  }

  override _write(
    chunk: Uint8Array,
    _encoding: BufferEncoding,
    done: (error?: Error) => void,
  ): void {
    if (this.connecting) {
      this.once('connect', () => this._write(chunk, 'binary', done))
      return
    }
    if (this.program?.isDead === true) return
    this.bytesWritten += chunk.length
    this.#carrier.send(this, chunk)
    done()
  }

  override _writev(
    chunks: {chunk: Uint8Array; encoding: BufferEncoding}[],
    done: (error?: Error) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({chunk}) => chunk)), 'binary', done)
  }

  override _final(done: (error?: Error) => void): void {
    this.#carrier.send(this, 'end')
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#carrier.closed(this)
    // Who has read and written all says goodbye; who has not breaks off.
    const isWhole = this.writableFinished && this.readableEnded
    if (!isWhole && this.peer !== undefined) this.#carrier.send(this, 'reset')
    done(error)
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  resetAndDestroy(): this {
    return this.destroy()
  }

  address(): {address: string; family: string; port: number} {
    return {address: this.localAddress, family: 'IPv4', port: this.port}
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  setTimeout(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}
