import {once} from 'node:events'
import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  createServer,
  request,
} from 'node:http'
import {type AddressInfo} from 'node:net'

/** A request as it was read whole, and its answer. */
export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export async function readAsked(incoming: IncomingMessage): Promise<Asked> {
  const {method = 'GET', url: path = '/', headers} = incoming
  return {method, path, headers, body: await readWhole(incoming)}
}

/** Rejects when there is no answer. */
export async function forward(
  {method, path, headers, body}: Asked,
  {port, agent}: {port: number; agent?: Agent | undefined},
): Promise<Answered> {
  const outgoing = request({
    ...{host: '127.0.0.1', port, method, path, agent},
    headers: {...headers, 'content-length': String(body.length)},
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  // Behind the answer's beginning, reading the answer tells the same; unheard it would end the process.
  outgoing.on('error', () => undefined)
  outgoing.end(body)
  const [answer] = await answered
  const {statusCode: status = 0, headers: told} = answer
  return {status, headers: told, body: await readWhole(answer)}
}

export interface Door extends AsyncDisposable {
  port: number
}

export async function openDoor(listener: RequestListener, port = 0): Promise<Door> {
  const server = createServer({keepAliveTimeout: 65_000}, listener)
  server.listen({port, host: '127.0.0.1', backlog: 1024})
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Without what belongs to one connection. */
export function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const isOurs = (name: string): boolean => name === 'connection' || name === 'transfer-encoding'
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOurs(name)))
}

async function readWhole(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
