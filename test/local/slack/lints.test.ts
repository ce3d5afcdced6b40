import type {KnownBlock} from '@slack/types'
import type {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {readLints} from '../../../local/slack/lints/lints.ts'
import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import type {LocalSlack} from '../../../local/slack/server.ts'
import {askControl} from './control-fixture.ts'
import {eventually} from './eventually.ts'
import {clientOf, connectApp, listenOverHttp, openSlack, refusalOf} from './slack-fixture.ts'

const WEB = 'C0WEB'
const quiet = {unfurl_links: false, unfurl_media: false}
const goButton: KnownBlock = {
  type: 'actions',
  elements: [{type: 'button', action_id: 'go', text: {type: 'plain_text', text: 'Go'}}],
}
/** For records that a test makes older than they are. */
const rules = {nowMs: Infinity, timeFactor: 1, declaredScopes: () => undefined}
const section = (text: string): KnownBlock => ({type: 'section', text: {type: 'mrkdwn', text}})

/** A message in #web as a careful app writes it. */
async function post(client: WebClient, text: string, blocks?: KnownBlock[]): Promise<string> {
  const {ts = ''} = await client.chat.postMessage({
    ...{channel: WEB, text, ...quiet},
    ...(blocks !== undefined && {blocks}),
  })
  return ts
}

function kinds(slack: LocalSlack): string[] {
  return slack.lints().map(({kind}) => kind)
}

async function startStream(client: WebClient, threadTs: string): Promise<string> {
  const {ts = ''} = await client.chat.startStream({
    ...{channel: WEB, thread_ts: threadTs, markdown_text: 'Hello'},
    ...{recipient_user_id: 'U0JANE', recipient_team_id: 'T0LOCAL'},
  })
  return ts
}

test('a careful app has no lints', async () => {
  const {slack, client} = await openSlack()
  await connectApp(slack)
  await slack.people.post({as: 'U0JANE', channel: WEB, text: '@Bosun fix it'})
  const text = 'a &lt;b&gt; &amp; c <https://x.test|x> <@U0JANE> since <!date^1^{time}|then>'
  const ts = await post(client, text, [section(`> ${text}`)])
  await client.chat.update({channel: WEB, ts, text: 'next', blocks: [section('next')]})
  const markdown: KnownBlock[] = [{type: 'markdown', text: 'a < b, `[x](javascript:1)`, R&D'}]
  await client.chat.update({channel: WEB, ts, text: 'last', blocks: markdown})
  const stream = await startStream(client, ts)
  await client.chat.stopStream({channel: WEB, ts: stream})
  await eventually(
    () => slack.ledger.deliveries,
    (all) => all.every(({outcome}) => outcome === 'acked'),
  )
  expect(slack.lints()).toEqual([])
})

test.each<{name: string; blocks?: KnownBlock[]; text?: string; kind: string; words: string}>([
  {name: 'an over-long text', text: 'x'.repeat(4001), kind: 'long-text', words: '4001 characters'},
  {
    name: 'blocks without a text',
    text: '',
    blocks: [section('hi')],
    kind: 'no-fallback-text',
    words: 'without a text',
  },
  {
    name: 'a text that nearly fills its block',
    blocks: [section('x'.repeat(2701))],
    kind: 'near-limit',
    words: 'mrkdwn.text with 2701 of 3000',
  },
  {
    name: 'nearly as many blocks as there may be',
    blocks: Array.from({length: 46}, (): KnownBlock => ({type: 'divider'})),
    kind: 'near-limit',
    words: '46 of 50',
  },
  {
    name: 'a button with nearly too long a label',
    blocks: [
      {
        type: 'actions',
        elements: [
          {type: 'button', action_id: 'a', text: {type: 'plain_text', text: 'x'.repeat(70)}},
        ],
      },
    ],
    kind: 'near-limit',
    words: 'button.text with 70 of 75',
  },
  {
    name: 'Markdown that nearly fills its message',
    blocks: [{type: 'markdown', text: 'x'.repeat(10_900)}],
    kind: 'near-limit',
    words: 'its Markdown with 10900 of 12000',
  },
  {
    name: 'more text in blocks than a message holds',
    blocks: Array.from({length: 5}, () => section('x'.repeat(2620))),
    kind: 'long-blocks',
    words: '13100 characters',
  },
  {name: 'a ping of everybody', text: 'hi <!channel>', kind: 'ping', words: '<!channel>'},
  {
    name: 'a ping out of a markdown block',
    blocks: [{type: 'markdown', text: 'hi <!here|here>'}],
    kind: 'ping',
    words: '<!here|here>',
  },
  {
    name: 'a ping out of a rich text',
    blocks: [
      {
        type: 'rich_text',
        elements: [{type: 'rich_text_section', elements: [{type: 'broadcast', range: 'everyone'}]}],
      },
    ],
    kind: 'ping',
    words: '@everyone',
  },
  {name: 'an unescaped sign', text: 'if a < b', kind: 'control-character', words: '"<" unescaped'},
  {name: 'an unescaped &', text: 'R&D', kind: 'control-character', words: '"&" unescaped'},
  {
    name: 'a sign that turns the writing around',
    text: 'file\u202Egpj.exe',
    kind: 'control-character',
    words: 'U+202E',
  },
  {
    name: 'a link that runs a script',
    blocks: [{type: 'markdown', text: '[bank](javascript:alert)'}],
    kind: 'unsafe-link',
    words: 'javascript:',
  },
])('$name is named', async ({text = 'hello', blocks, kind, words}) => {
  const {slack, client} = await openSlack()
  await post(client, text, blocks)
  expect(slack.lints()).toMatchObject([{kind, level: 'lint', method: 'chat.postMessage'}])
  const [lint] = slack.lints()
  expect(lint?.sentence).toMatch(/^chat\.postMessage at \d\d:\d\d:\d\d\.\d{3} .*\.$/)
  expect(lint?.sentence).toContain(words)
})

test('what Slack refuses is named with its error; what Slack itself broke is not', async () => {
  const {slack, client} = await openSlack()
  expect(await refusalOf(post(client, ''))).toBe('no_text')
  slack.faults.failNext('chat.postMessage', {times: 1, error: 'internal_error', applied: false})
  await refusalOf(post(client, 'x'))
  expect(slack.lints()).toMatchObject([{kind: 'refused'}])
  expect(slack.lints()[0]?.sentence).toContain('no_text')
})

test('a limit is a warning, and not waiting for its end a lint', async () => {
  const {slack, client} = await openSlack({latencyMs: 0})
  const failure = {times: 1, status: 429, applied: false, retryAfterSeconds: 5}
  slack.faults.failNext('chat.postMessage', failure)
  await expect(post(client, 'one')).rejects.toThrow('rate-limit')
  expect(slack.lints()).toMatchObject([{kind: 'rate-limited', level: 'warning'}])
  await eventually(Date.now, (nowMs) => nowMs > (slack.lints()[0]?.atMs ?? Infinity) + 1)
  await post(client, 'one')
  expect(slack.lints()).toMatchObject([{kind: 'rate-limited'}, {kind: 'impatient', level: 'lint'}])
})

test('what an app does not declare it may not need', async () => {
  const {slack} = await openSlack({scopes: ['chat:write']})
  const {botToken} = slack.apps.install({
    ...{appId: 'A0BOSUN', teamId: 'T0LOCAL'},
    scopes: ['chat:write', 'users:read'],
  })
  await clientOf(slack, botToken).users.info({user: 'U0JANE'})
  expect(slack.lints()).toMatchObject([{kind: 'undeclared-scope', method: 'users.info'}])
  expect(slack.lints()[0]?.sentence).toContain('users:read')
})

test('old arguments and missing unfurl flags are named', async () => {
  const {slack, client} = await openSlack()
  const old = {as_user: true as const, link_names: true, parse: 'full' as const}
  // Slack may refuse them, which is named too.
  await client.chat.postMessage({channel: WEB, text: 'hi', ...old}).catch(() => undefined)
  const named = kinds(slack).filter((kind) => kind !== 'refused')
  expect(named.toSorted()).toEqual([
    ...['legacy-argument', 'legacy-argument', 'legacy-argument'],
    'unfurl-flags',
  ])
})

test('edits by text alone, and edits that change nothing, are named', async () => {
  const {slack, client} = await openSlack()
  const ts = await post(client, 'hi')
  await client.chat.update({channel: WEB, ts, text: 'hi'})
  expect(kinds(slack)).toEqual(['edited-label', 'unchanged'])
})

test('posts that stand there already, and too many of them, are named', async () => {
  const {slack, client} = await openSlack({rateScale: 10})
  for (let index = 0; index < 6; index += 1) await post(client, `message ${index}`)
  expect(kinds(slack)).toEqual(['fast-posts'])
  await post(client, 'message 0')
  expect(kinds(slack)).toEqual(['fast-posts', 'fast-posts', 'duplicate-post'])
})

test('two calls for one message at the same time are named', async () => {
  const {slack, client} = await openSlack()
  const ts = await post(client, 'hi')
  const edit = (text: string) =>
    client.chat.update({channel: WEB, ts, text, blocks: [section(text)]})
  await edit('one')
  await edit('two')
  expect(kinds(slack)).toEqual([])
  slack.faults.latencyMs = 1000
  await Promise.all([edit('three'), edit('four')])
  expect(kinds(slack)).toEqual(['overlapping'])
})

test('a stream that is answered to nobody, or left open for five minutes, is named', async () => {
  const {slack, client} = await openSlack({timeFactor: 0.001})
  await client.chat.startStream({
    ...{channel: 'D0JANE', markdown_text: 'Hello'},
    thread_ts: (await slack.people.post({as: 'U0JANE', channel: 'D0JANE', text: 'hi'})).ts,
  })
  expect(kinds(slack)).toContain('no-recipient')
  await eventually(
    () => kinds(slack),
    (all) => all.includes('expired-stream'),
  )
})

test.each<{name: string; options: LocalSlackOptions}>([
  {name: 'nobody is connected', options: {timeFactor: 0.001}},
  {name: 'the app is not there', options: {timeFactor: 0.001, ...overHttp()}},
])('a delivery that is never acknowledged is named when $name', async ({options}) => {
  const {slack} = await openSlack(options)
  await slack.people.post({as: 'U0JANE', channel: WEB, text: 'hi'})
  await eventually(
    () => kinds(slack),
    (all) => all.includes('missing-ack'),
  )
  expect(slack.lints()[0]?.method).toBe('events_api (message)')
})

test('an acknowledgement that never comes is a lint', async () => {
  const {slack} = await openSlack({timeFactor: 0.05, ...overHttp()})
  const {app} = await listenOverHttp(slack)
  const pressed = Promise.withResolvers<undefined>()
  app.action('go', async ({ack}) => {
    await pressed.promise
    await ack()
  })
  const ts = await post(clientOf(slack), 'Choose', [goButton])
  await slack.people.press({as: 'U0JANE', channel: WEB, ts, actionId: 'go'})
  pressed.resolve(undefined)
  const method = 'interactive (block_actions)'
  expect(slack.lints().at(-1)).toMatchObject({kind: 'late-ack', level: 'lint', method})
})

test('a late acknowledgement is a lint, a slow one a warning', async () => {
  const {slack, client} = await openSlack()
  const {app} = await connectApp(slack)
  app.action('go', async ({ack}) => ack())
  const ts = await post(client, 'Choose', [goButton])
  await slack.people.press({as: 'U0JANE', channel: WEB, ts, actionId: 'go'})
  const presses = slack.ledger.deliveries.filter(({kind}) => kind === 'interactive')
  const judged = (ackMs: number) =>
    readLints({calls: [], deliveries: presses.map((press) => ({...press, ackMs}))}, rules)
  expect(judged(2_000)).toEqual([])
  expect(judged(2_001)).toMatchObject([{kind: 'slow-ack', level: 'warning'}])
  expect(judged(3_001)).toMatchObject([{kind: 'late-ack', level: 'lint'}])
})

test('an old trigger, and an answer that Slack does not know, are named', async () => {
  const {slack, client} = await openSlack()
  const {app} = await connectApp(slack)
  app.command('/bosun', async ({ack, body}) => {
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {type: 'modal', title: {type: 'plain_text', text: 'Late'}, blocks: []},
    })
    await ack({response_type: 'loud' as 'ephemeral', text: 'hi'})
  })
  await slack.people.command({as: 'U0JANE', channel: WEB, command: '/bosun', text: ''})
  expect(kinds(slack)).toEqual(['unknown-ack'])
  const {calls, deliveries} = slack.ledger
  const later = calls.map((call) => ({...call, arrivedAtMs: call.arrivedAtMs + 2_600}))
  const found = readLints({calls: later, deliveries}, rules).map(({kind}) => kind)
  expect(found).toEqual(['unknown-ack', 'late-trigger'])
})

test('other processes read the same', async () => {
  const {slack, client} = await openSlack()
  await post(client, 'R&D')
  expect((await askControl(slack, 'GET', '/lints')).body).toEqual({lints: slack.lints()})
})

function overHttp(): LocalSlackOptions {
  return {delivery: {mode: 'http', eventsUrl: 'http://127.0.0.1:9/'}}
}
