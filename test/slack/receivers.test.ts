import {createHmac} from 'node:crypto'
import {expect, onTestFinished, test} from 'vitest'
import {type Arrival, type Intake, UntakenError} from '../../src/inbox/intake.ts'
import {openSockets, socketsFor} from '../../src/slack/receivers/sockets.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import type {Lookup} from '../../src/slack/gate/model-lookup.ts'
import {Secret} from '../../src/security/secret.ts'
import {answerJson, serve} from '../platform/http-server.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {listenForSlack} from '../support/slack-gate.ts'

const SECRET = 'signing-secret'
const delivery = JSON.stringify({
  type: 'event_callback',
  team_id: 'T1',
  event: {type: 'app_mention', channel: 'C1', ts: '5.1', user: 'U1', text: '<@U0BOT> hi'},
})

async function open(intake: Intake, lookup?: Lookup, log?: Parameters<typeof listenForSlack>[4]) {
  const server = await listenForSlack(SECRET, intake, lookup, undefined, log)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const origin = `http://127.0.0.1:${server.port}`
  const post = (headers: Record<string, string>, body = delivery) =>
    fetch(`${origin}/slack/events`, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...headers},
      body,
    })
  return Object.assign(post, {origin})
}

function signed(offsetSeconds = 0, body = delivery, secret = SECRET): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) + offsetSeconds)
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  return {'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}`}
}

test('a delivery that is signed is written down, and then acknowledged', async () => {
  const taken: Arrival[] = []
  const post = await open(async (arrival) => void taken.push(arrival))
  expect((await post(signed())).status).toBe(200)
  expect(taken.map(({key}) => key)).toEqual(['["message","T1","C1","5.1"]'])
})

test('links that others have posted are written down, and our own are not', async () => {
  const taken: Arrival[] = []
  const post = await open(async (arrival) => void taken.push(arrival))
  for (const user of ['U1', 'U0BOT']) {
    const links = [{url: 'https://app.example.com/t/a'}]
    const event = {
      ...{type: 'link_shared', channel: 'C1', user, message_ts: '5.1', links},
      is_bot_user_member: true,
    }
    const body = JSON.stringify({
      ...{type: 'event_callback', team_id: 'T1', event_id: `Ev${user}`, event},
    })
    expect((await post(signed(0, body), body)).status).toBe(200)
  }
  expect(taken.map(({key}) => key)).toEqual(['["links","T1","EvU1"]'])
})

test('that a channel is private is heard with any message there, before what it asks is written down', async () => {
  const told: string[] = []
  const server = await listenForSlack(
    SECRET,
    async ({key}) => void told.push(key),
    undefined,
    ({team, channel}) => told.push(`${team} ${channel} is private`),
  )
  onTestFinished(() => server[Symbol.asyncDispose]())
  const events = [
    {channel: 'C1', channel_type: 'group', ts: '5.1', user: 'U1', text: '<@U0BOT> hi'},
    {channel: 'C2', channel_type: 'group', ts: '5.2', user: 'U1', subtype: 'channel_topic'},
    {channel: 'C3', channel_type: 'channel', ts: '5.3', user: 'U1', text: '<@U0BOT> hi'},
  ]
  for (const event of events) {
    const body = JSON.stringify({
      ...{type: 'event_callback', team_id: 'T1', event: {type: 'message', ...event}},
    })
    const headers = {'content-type': 'application/json', ...signed(0, body)}
    await fetch(`http://127.0.0.1:${server.port}/slack/events`, {method: 'POST', headers, body})
  }
  expect(told).toEqual([
    ...['T1 C1 is private', '["message","T1","C1","5.1"]'],
    ...['T1 C2 is private', '["message","T1","C3","5.3"]'],
  ])
})

test('what a menu offers is the answer itself, leaves no row, and is never late', async () => {
  const taken: Arrival[] = []
  const asked: string[] = []
  const late = Promise.withResolvers<never>()
  const post = await open(
    async (arrival) => void taken.push(arrival),
    async ({actionId, typed, team, user, view}) => {
      asked.push([team, user, actionId, typed, view.metadata].join(' '))
      if (typed === 'late') return late.promise
      if (typed === 'broken') throw new Error('The database is away')
      return [{text: {type: 'plain_text', text: 'Swift'}, value: 'swift'}]
    },
  )
  const search = async (value: string) => {
    const body = JSON.stringify({
      ...{type: 'block_suggestion', team: {id: 'T1'}, user: {id: 'U1'}, action_id: 'model', value},
      view: {id: 'V1', callback_id: 'bosun:start-form', private_metadata: '{}'},
    })
    const {status, ...answer} = await post(signed(0, body), body).then(async (response) => ({
      ...((await response.json()) as {options: {value: string}[]}),
      status: response.status,
    }))
    return [status, ...answer.options.map((one) => one.value)]
  }
  expect(await search('sw')).toEqual([200, 'swift'])
  expect(asked).toEqual(['T1 U1 model sw {}'])
  expect(await search('broken')).toEqual([200, 'broken'])
  const beginMs = performance.now()
  expect(await search('late')).toEqual([200, 'late'])
  expect(performance.now() - beginMs).toBeLessThan(2900)
  expect(taken).toEqual([])
})

test('that nobody waits for an answer any more is told while the row is written', async () => {
  const told = Promise.withResolvers<boolean>()
  const writing = Promise.withResolvers<undefined>()
  const post = await open(async (_arrival, hungUp) => {
    writing.resolve(undefined)
    if (hungUp === undefined) told.resolve(false)
    hungUp?.addEventListener('abort', () => told.resolve(true))
    await told.promise
    throw new Error('Not written')
  })
  const sender = new AbortController()
  const {origin} = post
  const sent = fetch(`${origin}/slack/events`, {
    ...{method: 'POST', body: delivery, signal: sender.signal},
    headers: {'content-type': 'application/json', ...signed()},
  })
  await writing.promise
  sender.abort()
  await expect(sent).rejects.toThrow()
  expect(await told.promise).toBe(true)
})

test('without a row there is no acknowledgement, and the log says why, in no words of whoever failed', async () => {
  const why: Error[] = [
    new UntakenError('The inbox row could not be written in 2500 ms', {
      cause: Object.assign(new Error('busy with <secret>'), {code: 'SQLITE_BUSY'}),
    }),
    new TypeError('no <secret> here'),
  ]
  const logged: string[] = []
  const post = await open(() => Promise.reject(why.shift() ?? new Error('once more')), undefined, {
    ...SILENT_LOG,
    error: (line) => void logged.push(line),
  })
  for (const _ of [1, 2]) expect((await post(signed())).status).toBe(500)
  expect(logged).toEqual([
    'A delivery could not be taken: The inbox row could not be written in 2500 ms, Error SQLITE_BUSY',
    'A delivery could not be taken: TypeError',
  ])
})

// Signed when the test runs: a time that is just too far ahead comes nearer while others run.
test.each<[string, () => Record<string, string>]>([
  ['no signature', () => ({})],
  ['another secret', () => signed(0, delivery, 'other')],
  ['another body', () => signed(0, '{}')],
  ['an old time', () => signed(-301)],
  ['a time to come', () => signed(305)],
  ['a day to come', () => signed(86_400)],
  ['no time', () => ({'x-slack-signature': signed()['x-slack-signature'] ?? ''})],
  ['a time that is none', () => ({...signed(), 'x-slack-request-timestamp': 'now'})],
  ['another version', () => ({...signed(), 'x-slack-signature': 'v1=abc'})],
])('a delivery with %s is refused, and leaves no row', async (_name, sign) => {
  const taken: Arrival[] = []
  const post = await open(async (arrival) => void taken.push(arrival))
  expect((await post(sign())).status).toBe(401)
  expect(taken).toEqual([])
})

test('a secret that no delivery is signed with is told of once, until one is', async () => {
  const told: string[] = []
  const log = {...SILENT_LOG, warn: (line: string) => void told.push(line)}
  const post = await open(async () => undefined, undefined, log)
  // Strangers who could not have known any secret are nobody's news.
  expect((await post({})).status).toBe(401)
  expect((await post(signed(-301))).status).toBe(401)
  expect(told).toEqual([])
  for (const _ of [1, 2]) expect((await post(signed(0, delivery, 'other'))).status).toBe(401)
  expect(told).toEqual([expect.stringMatching(/SLACK_SIGNING_SECRET.+Basic Information/)])
})

test('whoever guesses beside deliveries that are signed is not told of', async () => {
  const told: string[] = []
  const log = {...SILENT_LOG, warn: (line: string) => void told.push(line)}
  const post = await open(async () => undefined, undefined, log)
  expect((await post(signed())).status).toBe(200)
  expect((await post(signed(0, delivery, 'other'))).status).toBe(401)
  expect(told).toEqual([])
})

test('what asks nothing of us is acknowledged without a row', async () => {
  const taken: Arrival[] = []
  const post = await open(async (arrival) => void taken.push(arrival))
  const body = delivery.replace('<@U0BOT> ', '')
  expect((await post(signed(0, body), body)).status).toBe(200)
  expect(taken).toEqual([])
})

test.each(['null', '0', '"x"', 'true', '[]', '{}', 'payload=null', 'payload=0'])(
  'signed, but no payload: %s is answered, and leaves no row',
  async (body) => {
    const taken: Arrival[] = []
    const post = await open(async (arrival) => void taken.push(arrival))
    const type = body.startsWith('payload=')
      ? 'application/x-www-form-urlencoded'
      : 'application/json'
    const answer = await post({...signed(0, body), 'content-type': type}, body)
    expect([200, 400]).toContain(answer.status)
    expect(taken).toEqual([])
  },
)

test.each([
  ['GET', '/slack/events'],
  ['POST', '/slack/other'],
  ['PUT', '/slack/'],
  ['GET', '/slack/%'],
])('%s %s is refused, and the bot goes on', async (method, path) => {
  const post = await open(async () => undefined)
  const {origin} = post
  expect((await fetch(origin + path, {method})).status).toBeGreaterThanOrEqual(400)
  expect((await post(signed())).status).toBe(200)
})

test('however many instances there are, they have no more connections than Slack lets an app have', () => {
  const instances = Array.from({length: 10}, (_, index) => index + 1)
  expect(instances.map(socketsFor)).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 1, 1])
})

/** Where Slack answers whoever asks for a connection with an error. */
async function refusing(error: string): Promise<Parameters<typeof openSockets>[0]> {
  const {origin} = await serve((response) => answerJson(response, 200, {ok: false, error}))
  return {
    ...{appToken: new Secret('xapp-1'), apiUrl: `${origin}/api/`, instances: () => 1},
    ...{gate: {} as never, logger: createSlackLogger(SILENT_LOG)},
  }
}

test('a start that was called off before waits for no connection', async () => {
  const options = await refusing('internal_error')
  await expect(openSockets(options, AbortSignal.abort())).rejects.toThrow('aborted')
})

test.each([
  [
    'too_many_websockets',
    /no more connections of the app stand \(too_many_websockets\).+Stop what/,
  ],
  ['invalid_auth', /refuses SLACK_APP_TOKEN \(invalid_auth\)\. Copy one/],
])('a start that Slack refuses by %s says what to do', async (error, words) => {
  const {signal} = new AbortController()
  await expect(openSockets(await refusing(error), signal)).rejects.toThrow(words)
})
