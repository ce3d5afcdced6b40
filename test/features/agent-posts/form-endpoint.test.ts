import {buffer} from 'node:stream/consumers'
import {expect, test} from 'vitest'
import {createFormEndpoint} from '../../../src/features/agent-posts/form-endpoint.ts'
import type {FormPosts} from '../../../src/features/agent-posts/form-posts.ts'

const HEAD = {token: 'a token of some session', key: undefined}
const POST = JSON.stringify({thread: 'thread_1', files: [{name: 'a.png', size: 4}]})
const FIELD = `--b\r\ncontent-disposition: form-data; name="post"\r\n\r\n${POST}\r\n`
const FILE = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nso'
const END = '\r\n--b--\r\n'

/** Reads all, as if Slack took it. */
const accept: FormPosts = async ({bodies}) => {
  for (let next = await bodies.next(); next.done !== true; next = await bodies.next()) {
    await buffer(next.value)
  }
  return {outcome: 'posted', id: '1'}
}

function createEndpoint() {
  const answer = (said: object) => Response.json(said)
  const answerForm = createFormEndpoint({accept, maxBytes: 100, answer, idleMs: 60})
  /** What is sent of a form; `silent`: and then nothing, though it goes on. */
  return (sent: string, silent?: 'silent') => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(sent))
        if (silent === undefined) controller.close()
      },
    })
    const headers = {'content-type': 'multipart/form-data; boundary=b'}
    const init = {method: 'POST', headers, body, duplex: 'half'}
    return answerForm(new Request('http://bosun', init), HEAD)
  }
}

test('a form that falls silent behind its first field, or within a file, is not waited for', async () => {
  const send = createEndpoint()
  for (const sent of [`${FIELD}--b\r\n`, FIELD + FILE]) {
    const answer = await send(sent, 'silent')
    expect([answer.status, await answer.json()]).toMatchObject([408, {error: 'too_slow'}])
  }
  expect((await send(FIELD + FILE + END)).status).toBe(200)
})

test('of forms that do not say whose they are, the oldest makes room', async () => {
  const send = createEndpoint()
  const silent = Array.from({length: 64}, () => send('', 'silent'))
  expect((await send(FIELD + FILE + END)).status).toBe(200)
  const [oldest] = await Promise.all(silent.slice(0, 1))
  expect(oldest?.status).toBe(503)
  const others = Promise.race(silent.slice(1).map((answer) => answer.then(() => 'answered')))
  expect(await Promise.race([others, Promise.resolve('waiting')])).toBe('waiting')
})
