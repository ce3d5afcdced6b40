import {connect} from 'node:net'
import {expect, onTestFinished, test, vi} from 'vitest'
import {addFiles} from '../../../src/features/files/endpoint.ts'
import {createRoutes, listen} from '../../../src/http/server.ts'

const broken = new Error('other side closed (files.slack.com)')

/** Serves a file that breaks off as soon as somebody says so. */
async function serve() {
  const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'info')]
  onTestFinished(() => printed.forEach((spy) => spy.mockRestore()))
  const lines: object[] = []
  const log = {
    error: (details: object) => void lines.push(details),
    warn: (details: object) => void lines.push(details),
  }
  const breaks = Promise.withResolvers<unknown>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      // More than a connection takes from whoever does not read.
      for (let piece = 0; piece < 20; piece += 1) controller.enqueue(new Uint8Array(1_000_000))
      void breaks.promise.then(() => controller.error(broken))
    },
  })
  const routes = createRoutes([], log)
  const said = {outcome: 'open', name: 'a.bin', length: 30_000_000, body} as const
  addFiles(routes, async () => Promise.resolve(said), log)
  const server = await listen({
    ...{host: '127.0.0.1', port: 0, slack: undefined},
    routes: (request, bindings) => routes.fetch(request, bindings),
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const head = Promise.withResolvers<unknown>()
  socket.once('data', () => {
    socket.pause()
    head.resolve(true)
  })
  socket.write('GET /files/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token\r\n\r\n')
  await head.promise
  return {
    ...{socket, lines, breakOff: () => breaks.resolve(true)},
    printed: () => printed.flatMap((spy) => spy.mock.calls),
  }
}

test.for([true, false])(
  'a file that breaks off ends the connection, whether it is read (%s) or not, and is one line of the log without what the error holds',
  async (isRead) => {
    const {socket, lines, breakOff, printed} = await serve()
    const ended = new Promise((resolve) => socket.once('close', resolve))
    if (isRead) socket.resume()
    breakOff()
    await vi.waitFor(() => expect(lines).toEqual([{err: broken}]))
    socket.on('error', () => undefined).resume()
    await ended
    expect(socket.bytesRead).toBeLessThan(30_000_000)
    expect(printed()).toEqual([])
  },
)
