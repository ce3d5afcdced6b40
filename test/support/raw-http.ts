import {request, type IncomingHttpHeaders} from 'node:http'
import {connect} from 'node:net'
import {z} from 'zod'

/** What came of one request, byte for byte. */
interface Received {
  status: number
  headers: IncomingHttpHeaders
  chunks: Buffer[]
  text: string
  /** Whether the answer came to its end, and was not cut. */
  isWhole: boolean
}

interface Asking {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Stops reading after so many bytes. */
  enoughBytes?: number
}

/** Asks on a connection of its own and reads until the server ends it; fails when no answer begins. */
export function receive(url: string, asking: Asking = {}): Promise<Received> {
  const {method = 'GET', headers = {}, body, enoughBytes = Infinity} = asking
  const {promise, resolve, reject} = Promise.withResolvers<Received>()
  let hasBegun = false
  const asked = request(url, {method, headers, agent: false}, (response) => {
    hasBegun = true
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= enoughBytes) asked.destroy()
    })
    response.on('error', () => undefined) // a cut is a result here
    response.on('close', () => {
      const {statusCode: status = 0, complete: isWhole} = response
      const text = Buffer.concat(chunks).toString()
      resolve({status, headers: response.headers, chunks, text, isWhole})
    })
  })
  asked.on('error', (error) => {
    if (!hasBegun) reject(error)
  })
  asked.end(body)
  return promise
}

const refusalSchema = z.looseObject({_tag: z.string()})

/** What a server answers to bytes that a client would never send; `undefined` when it only hangs up. */
interface RawAnswer {
  status: number
  body: z.infer<typeof refusalSchema>
}

/** Sends bytes and reads one JSON answer, or until the server hangs up. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  const {promise, resolve, reject} = Promise.withResolvers<RawAnswer | undefined>()
  const socket = connect(port, '127.0.0.1')
  let text = ''
  const settle = (): void => {
    try {
      resolve(parseAnswer(text))
    } catch (error) {
      reject(new Error(`This is no answer: ${text}`, {cause: error}))
    }
    socket.destroy()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString()
    if (isComplete(text)) settle()
  })
  socket.on('close', settle)
  socket.on('error', () => undefined) // a reset also closes
  socket.setTimeout(15_000, () => {
    reject(new Error(`Nothing more came after: ${text}`))
    socket.destroy()
  })
  socket.write(bytes)
  return promise
}

function isComplete(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n', 2)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length)
}

function parseAnswer(text: string): RawAnswer | undefined {
  if (text === '') return undefined
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const status = z.coerce.number().parse(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
  return {status, body: refusalSchema.parse(JSON.parse(body))}
}
