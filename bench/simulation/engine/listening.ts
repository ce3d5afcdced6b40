import type {Server as HttpServer} from 'node:http'
import {createRequire, syncBuiltinESMExports} from 'node:module'
import type {AddressInfo} from 'node:net'
import type {Network} from './network.ts'
import {currentProgram} from './program.ts'
import type {Socket} from './socket.ts'

const load = createRequire(import.meta.url)

interface Door {
  port: number
  sockets: Set<Socket>
  isClosing: boolean
}

/** What Node's HTTP server notes on its sockets: who reads requests there, and the answer that is under way. */
type HttpSocket = Socket & {parser?: object | null; _httpMessage?: object | null}

/** Lets Node's servers listen in the simulated network, and its clients connect there. Once for a process. */
export function installNetwork(network: () => Network): void {
  const net = load('node:net') as typeof import('node:net')
  const doors = new WeakMap<HttpServer, Door>()

  const closeIfEmpty = (server: HttpServer, door: Door): void => {
    if (door.isClosing && door.sockets.size === 0) {
      doors.delete(server)
      process.nextTick(() => server.emit('close'))
    }
  }

  const accept = (server: HttpServer, door: Door, socket: Socket): void => {
    door.sockets.add(socket)
    socket.once('close', () => {
      door.sockets.delete(socket)
      closeIfEmpty(server, door)
    })
    server.emit('connection', socket)
  }

  const listen = function (this: HttpServer, port: number, _host?: unknown, done?: () => void) {
    const program = currentProgram()
    try {
      const door: Door = {port: 0, sockets: new Set(), isClosing: false}
      const taken = network().listen(port, {
        program,
        accept: (socket) => accept(this, door, socket),
      })
      door.port = taken
      doors.set(this, door)
      if (done !== undefined) this.once('listening', done)
      // The date that Node would add is the machine's.
      this.prependListener('request', (_request, response) => {
        response.sendDate = false
        response.setHeader('date', new Date().toUTCString())
      })
      process.nextTick(() => this.emit('listening'))
    } catch (error) {
      process.nextTick(() => this.emit('error', error))
    }
    return this
  }

  const close = function (this: HttpServer, done?: (error?: Error) => void) {
    const door = doors.get(this)
    if (door === undefined) {
      if (done !== undefined) process.nextTick(done)
      return this
    }
    if (done !== undefined) this.once('close', done)
    network().unlisten(door.port)
    door.isClosing = true
    closeIfEmpty(this, door)
    return this
  }

  const address = function (this: HttpServer): AddressInfo | null {
    const door = doors.get(this)
    return door === undefined ? null : {address: '127.0.0.1', family: 'IPv4', port: door.port}
  }
  Object.assign(net.Server.prototype, {listen, close, address})

  // Node closes them in an order of its own, by the machine's time and memory.
  const closeOf = (isMeant: (socket: HttpSocket) => boolean) =>
    function (this: HttpServer): void {
      for (const socket of [...(doors.get(this)?.sockets ?? [])] as HttpSocket[]) {
        if (socket.parser != null && isMeant(socket)) socket.destroy()
      }
    }
  const http = load('node:http') as typeof import('node:http')
  Object.assign(http.Server.prototype, {
    closeAllConnections: closeOf(() => true),
    closeIdleConnections: closeOf(({_httpMessage: answer}) => answer == null),
  })

  const connect = ({port}: {port: number | string}): Socket => network().connect(Number(port))
  Object.assign(net, {connect, createConnection: connect})
  syncBuiltinESMExports()
}
