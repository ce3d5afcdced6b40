import {expect, test} from 'vitest'
import {TryLater} from '../../../src/inbox/try-later.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {createLeaks} from '../../../src/security/leaks.ts'
import {Secret} from '../../../src/security/secret.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {createMessageReader} from '../../../src/slack/prompts/picked-message.ts'
import {createQuotedReader} from '../../../src/slack/prompts/quoting.ts'
import {answerJson, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** What is read where Slack answers so. */
async function reading(answer: object, status = 200) {
  const {origin, requests} = await serve((response) => answerJson(response, status, answer))
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const read = createMessageReader({
    ...{client, team: 'T1', botUserId: 'UBOT', botId: 'BBOT', leaks: createLeaks()},
    names: {user: async (id) => `@${id}`, channel: async () => 'web', place: async () => 'web'},
    pacer: createPacer({budgets: slackBudgets(1), clock: createManualClock()}),
    readQuoted: createQuotedReader(),
  })
  const found = read({channel: 'C1', ts: '5.000000'}, new AbortController().signal)
  return {found, requests}
}

const said = (message: object) => ({
  ok: true,
  messages: [{type: 'message', ts: '5.000000', user: 'U1', text: 'it <@U2> fails', ...message}],
})

test('a message is read as it stands, in words that need no Slack', async () => {
  const {found, requests} = await reading(
    said({files: [{id: 'F1', name: 'log.txt', mimetype: 'text/plain', size: 3}]}),
  )
  expect(await found).toMatchObject({
    ...{threadTs: undefined, isOurs: false},
    quoted: {author: '@U1', text: 'it @@U2 fails', files: ['log.txt']},
    files: [{id: 'F1'}],
  })
  expect(new URLSearchParams(requests[0]?.body).get('latest')).toBe('5.000000')
})

test('a reply is known by its parent, which Slack may tell first', async () => {
  const {messages} = said({thread_ts: '4.000000'})
  const parent = {type: 'message', ts: '4.000000', user: 'U1', text: 'the parent'}
  const {found} = await reading({ok: true, messages: [parent, ...messages]})
  expect(await found).toMatchObject({threadTs: '4.000000', quoted: {text: 'it @@U2 fails'}})
})

test('a parent stands in no other Slack thread', async () => {
  const {found} = await reading(said({thread_ts: '5.000000'}))
  expect(await found).toMatchObject({threadTs: undefined})
})

test('what an app says in its blocks is read, also where it is no markup', async () => {
  const blocks = [
    {type: 'header', text: {type: 'plain_text', text: 'Build failed'}},
    {
      type: 'rich_text',
      elements: [{type: 'rich_text_section', elements: [{type: 'text', text: '<T> & co'}]}],
    },
    {type: 'section', text: {type: 'mrkdwn', text: 'a &lt; b, says <https://ci.example/1|CI>'}},
  ]
  const {found} = await reading(said({bot_id: 'B2', user: 'U9', text: 'Build failed', blocks}))
  expect((await found)?.quoted.text).toBe(
    'Build failed\n<T> & co\na < b, says CI (https://ci.example/1)',
  )
})

test('an app’s message is one, and ours are known, whatever face they have', async () => {
  const app = {bot_id: 'B2', user: 'U9', subtype: 'bot_message', username: 'Alerts'}
  expect(await (await reading(said(app))).found).toMatchObject({
    ...{isOurs: false, quoted: {author: 'Alerts (app)'}},
  })
  for (const own of [{user: 'UBOT'}, {user: undefined, bot_id: 'BBOT', username: 'Ada'}]) {
    expect(await (await reading(said(own))).found).toMatchObject({isOurs: true})
  }
})

test.each([
  ['gone', {ok: false, error: 'thread_not_found'}],
  ['not shown to us', {ok: false, error: 'not_in_channel'}],
  ['another one', said({ts: '6.000000'})],
  ['a tombstone', said({subtype: 'tombstone'})],
  ['that somebody joined', said({subtype: 'channel_join'})],
])('there is none where it is %s', async (_name, answer) => {
  expect(await (await reading(answer)).found).toBeUndefined()
})

test('what Slack does not tell now is asked again later', async () => {
  await expect((await reading({ok: false, error: 'internal_error'})).found).rejects.toThrow(
    TryLater,
  )
  await expect((await reading({ok: false, error: 'ratelimited'})).found).rejects.toThrow(TryLater)
})

test('a key in it is left out', async () => {
  const key = 'xoxb-123456789012-abcdefghijkl'
  const read = await (await reading(said({text: `fails with ${key}`}))).found
  expect(read?.quoted.text).toBe('fails with [a key was removed here]')
})
