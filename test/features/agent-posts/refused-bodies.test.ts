import {once} from 'node:events'
import {type Socket, connect} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {addAgentPosts} from '../../../src/features/agent-posts/endpoint.ts'
import {createRoutes, listen} from '../../../src/http/server.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** More than waits between the two. */
const BODY_BYTES = 12_000_000
const HEAD = 'POST /agent/posts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a-token\r\n'
const JSON_HEAD = `${HEAD}content-type: application/json\r\n`
const FORM_HEAD = `${HEAD}content-type: multipart/form-data; boundary=b\r\n`
const FIELD = '--b\r\ncontent-disposition: form-data; name="post"\r\n\r\n'
const FILE = '\r\n--b\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n'
const DECLARED = JSON.stringify({thread: 'thread_1', files: [{name: 'a', size: 5_000_000}]})

/** Nobody's token is right. */
async function open(): Promise<(head: string, begin: string) => Promise<string>> {
  const denied = async () => ({outcome: 'denied' as const, isExpired: true})
  const routes = createRoutes([], SILENT_LOG)
  addAgentPosts(routes, {accept: denied, acceptForm: denied, maxBytes: 10_000_000})
  const server = await listen({
    ...{host: '127.0.0.1', port: 0, slack: undefined},
    routes: (request, bindings) => routes.fetch(request, bindings),
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return async (head, begin) => {
    const body = begin.padEnd(BODY_BYTES, 'x')
    let line = ''
    // It is read on for half a second, which may be too short where the machine has other work: not each time, then.
    for (let tries = 0; tries < 10 && !line.startsWith('HTTP/'); tries += 1) {
      const socket = connect(server.port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      line = await writeFirst(socket, `${head}content-length: ${body.length}\r\n\r\n${body}`)
    }
    return line
  }
}

/** Writes all of it before it looks at anything, as `http.client` of Python does; the first line of the answer. */
async function writeFirst(socket: Socket, all: string): Promise<string> {
  socket.pause().on('error', () => undefined) // the write says so
  const written = Promise.withResolvers<unknown>()
  socket.write(all, written.resolve)
  const problem = await written.promise
  if (problem instanceof Error) return problem.message
  const cut = once(socket, 'close').then(() => ['cut off'])
  const [chunk] = (await Promise.race([once(socket.resume(), 'data'), cut])) as [Buffer | string]
  return chunk.toString().split('\r\n', 1)[0] ?? ''
}

test('who writes all of a large body before they read is told why it is refused', async () => {
  const send = await open()
  expect([
    await send(JSON_HEAD, '{"thread":"'),
    await send(FORM_HEAD, FIELD + DECLARED + FILE),
    await send(FORM_HEAD, `${FIELD}{}${FILE}`),
    await send(FORM_HEAD.replace('; boundary=b', ''), FIELD + DECLARED + FILE),
  ]).toEqual([
    'HTTP/1.1 413 Payload Too Large',
    'HTTP/1.1 401 Unauthorized',
    'HTTP/1.1 400 Bad Request',
    'HTTP/1.1 400 Bad Request',
  ])
})
