import {expect, test} from 'vitest'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {createOutlet} from '../../../src/slack/api/outlet.ts'
import {answerJson, reasonOf, serve} from '../../platform/http-server.ts'

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => 'error' as never,
  setName: () => undefined,
}

test('a call in flight is answered when the bot stops, and cut off when it is not', async () => {
  const asked = Promise.withResolvers<() => void>()
  const {origin, requests} = await serve((response, {url}) => {
    if (url.includes('auth.test')) {
      asked.resolve(() => answerJson(response, 200, {ok: true, user_id: 'U1'}))
    }
  })
  const stop = new AbortController()
  await using outlet = createOutlet(stop.signal, {isShared: false, graceMs: 1000})
  const client = createSlackClient(async () => new Secret('xoxb'), {
    slackApiUrl: `${origin}/api/`,
    logger: quiet,
    fetch: outlet.fetch,
  })
  const answered = client.auth.test()
  const hanging = reasonOf(client.chat.update({channel: 'C1', ts: '1.0', text: 'x'}))
  const answer = await asked.promise
  await expect.poll(() => requests.length).toBe(2)
  stop.abort()
  answer()
  expect((await answered).user_id).toBe('U1')
  expect(await hanging).toBeInstanceOf(Error)
})
