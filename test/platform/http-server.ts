import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'
import {onTestFinished} from 'vitest'
import {createPlatformClient, type PlatformClient} from '../../src/platform/client.ts'
import {createTransport, type Transport} from '../../src/platform/transport.ts'
import {Secret} from '../../src/security/secret.ts'

/** One request as a server saw it. */
export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

interface TestServer {
  origin: string
  requests: SeenRequest[]
}

/** A server on loopback that answers as the test says; it ends with the test. */
export async function serve(
  answer: (response: ServerResponse, request: SeenRequest, count: number) => void,
): Promise<TestServer> {
  const requests: SeenRequest[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const {method = '', url = '', headers} = request
      const seen = {method, url, headers, body}
      requests.push(seen)
      answer(response, seen, requests.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return {origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests}
}

export const apiKey = new Secret('key_that_must_not_be_told')

export function transportTo(origin: string): Transport {
  const transport = createTransport(`${origin}/api/v1`)
  onTestFinished(() => transport[Symbol.asyncDispose]())
  return transport
}

export function clientTo(
  origin: string,
  options: {timeoutMs?: number; retries?: number; pageSize?: number} = {},
): PlatformClient {
  return createPlatformClient({transport: transportTo(origin), apiKey, ...options})
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {'content-type': 'application/json', ...headers})
  response.end(JSON.stringify(body))
}

/** What a promise was rejected with. */
export async function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It was not rejected')
    },
    (reason: unknown) => reason,
  )
}
