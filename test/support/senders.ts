import {Agent, request} from 'node:http'

/** Sends deliveries to hooks, many at once, on connections that are kept. */
interface Sender extends Disposable {
  /** The status; `undefined`: no answer came. */
  send(
    port: number,
    path: string,
    given: {headers: Record<string, string>; body: string | Uint8Array},
  ): Promise<number | undefined>
}

export function createSender(maxSockets = 16): Sender {
  const agent = new Agent({keepAlive: true, maxSockets})
  return {
    send: (port, path, {headers, body}) =>
      new Promise((resolve) => {
        const asked = request(
          {host: '127.0.0.1', port, path, method: 'POST', headers, agent, timeout: 30_000},
          (response) => {
            response.on('error', () => undefined) // its status is here
            response.resume().on('close', () => resolve(response.statusCode))
          },
        )
        asked.on('timeout', () => asked.destroy())
        asked.on('error', () => resolve(undefined))
        asked.end(body)
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
