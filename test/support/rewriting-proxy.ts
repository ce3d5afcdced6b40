import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {WebSocket, WebSocketServer} from 'ws'

type Fields = Record<string, unknown>

/** An answer of Slack's on its way to whoever asked. */
export interface Passing {
  method: string
  args: Readonly<Record<string, string>>
  status: number
  body: Fields
  headers: Headers
}

/** What becomes of a call. `before` takes it to Slack changed, or keeps it from there: then what it returns is the answer. */
export interface Rewrite {
  before?: (call: Pick<Passing, 'method' | 'args'>) => Fields | undefined
  after?: (passing: Passing) => void
  /** A frame that Slack sends by a socket, changed in place. */
  frame?: (frame: Fields) => void
}

interface RewritingProxy extends AsyncDisposable {
  /** Ends in a slash. */
  readonly apiUrl: string
}

/** An HTTP proxy on loopback in front of a local Slack, which says something else than that does. */
export async function startRewritingProxy(
  target: string,
  rewrite: Rewrite,
): Promise<RewritingProxy> {
  // Longer than any pause of whoever calls: a call that meets the end of its connection says nothing of Slack.
  const server = createServer({keepAliveTimeout: 65_000}, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      pass(Buffer.concat(chunks)).then(
        ({status, headers, bytes}) =>
          response.writeHead(status, Object.fromEntries(headers)).end(bytes),
        () => response.destroy(),
      )
    })
    const pass = async (sent: Buffer<ArrayBuffer>) => {
      const {url: path = '/', method: verb = 'GET', headers: given} = request
      const {authorization = '', 'content-type': type = ''} = given
      const [, method] = /^\/api\/([\w.]+)/.exec(path) ?? []
      const args = Object.fromEntries(
        new URLSearchParams(method === undefined ? '' : sent.toString()),
      )
      const instead = method === undefined ? undefined : rewrite.before?.({method, args})
      if (instead !== undefined) {
        const own = new Headers({'content-type': 'application/json'})
        return {status: 200, headers: own, bytes: Buffer.from(JSON.stringify(instead))}
      }
      const answer = await fetch(`${target}${path}`, {
        method: verb,
        headers: {
          ...(authorization !== '' && {authorization}),
          ...(type !== '' && {'content-type': type}),
        },
        ...(verb !== 'GET' && {body: sent}),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const headers = new Headers(answer.headers)
      for (const name of ['content-length', 'connection', 'keep-alive', 'transfer-encoding']) {
        headers.delete(name)
      }
      if (method === undefined) return {status: answer.status, headers, bytes}
      // Whatever Slack leads to is led to through here.
      const text = bytes
        .toString()
        .replaceAll(target, origin)
        .replaceAll(toSocket(target), toSocket(origin))
      const passing = {
        method,
        args,
        status: answer.status,
        headers,
        body: JSON.parse(text) as Fields,
      }
      rewrite.after?.(passing)
      return {status: passing.status, headers, bytes: Buffer.from(JSON.stringify(passing.body))}
    }
  })
  const sockets = new WebSocketServer({noServer: true})
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      const slack = new WebSocket(`${toSocket(target)}${request.url ?? '/'}`)
      client.on('message', (data: Buffer) => slack.send(data.toString()))
      slack.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as Fields
        rewrite.frame?.(frame)
        client.send(JSON.stringify(frame))
      })
      client.on('close', () => slack.terminate())
      slack.on('close', () => client.terminate())
      slack.on('error', () => client.terminate())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    apiUrl: `${origin}/api/`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      for (const socket of sockets.clients) socket.terminate()
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function toSocket(origin: string): string {
  return origin.replace(/^http/, 'ws')
}
