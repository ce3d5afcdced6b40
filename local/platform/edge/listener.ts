import {
  STATUS_CODES,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type {Duplex} from 'node:stream'
import {RequestError, getRequestListener} from '@hono/node-server'
import {Refusal, headersTooLarge, internalError, invalidRequest, requestTimedOut} from './errors.ts'

/** An open port of the loopback interface. */
interface Listener extends AsyncDisposable {
  readonly port: number
}

/** Long enough that no idle connection ends at the moment in which its client uses it again. */
const KEEP_ALIVE_MS = 65_000

/** What cannot be parsed as HTTP never reaches `fetch`; it is answered here, in the same form. */
export async function openListener(
  fetch: (request: Request, env: object) => Response | Promise<Response>,
  port: number,
): Promise<Listener> {
  const answer = getRequestListener(fetch, {errorHandler: (error) => refuse(error).toResponse()})
  const newest = new WeakMap<Duplex, ServerResponse>()
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    newest.set(request.socket, response)
    void answer(request, response)
  }
  // A request without a host is answered by us too, and not by Node with nothing.
  const server = createServer({requireHostHeader: false}, serve)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('checkExpectation', serve)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isTalking = isUnderway(newest.get(socket))
    if (error.code === 'ECONNRESET' || !socket.writable || isTalking) socket.destroy()
    else refuseRaw(error, socket)
  })
  return {port: await listen(server, port), [Symbol.asyncDispose]: () => close(server)}
}

function refuse(error: unknown): Refusal {
  return error instanceof RequestError ? invalidRequest(`${error.message}.`) : internalError()
}

/** Words between those of another answer would be read as a part of it. */
function isUnderway(response: ServerResponse | undefined): boolean {
  return response?.headersSent === true && !response.writableFinished
}

function refuseRaw(error: NodeJS.ErrnoException, socket: Duplex): void {
  const {status, body} = toRefusal(error.code)
  const json = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(json)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`)
}

function toRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimedOut()
  return invalidRequest('This is not HTTP.')
}

async function listen(server: Server, port: number): Promise<number> {
  const {promise, resolve, reject} = Promise.withResolvers<undefined>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', () => resolve(undefined))
  await promise
  server.off('error', reject)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

const CLOSE_GRACE_MS = 50

/** Lets answers that are on their way go out, then cuts what is left. */
async function close(server: Server): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<undefined>()
  server.close(() => resolve(undefined))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await promise
  clearTimeout(cut)
}
