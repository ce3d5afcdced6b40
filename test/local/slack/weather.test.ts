import {SocketModeClient} from '@slack/socket-mode'
import {expect, onTestFinished, test} from 'vitest'
import {createEventLimit} from '../../../local/slack/delivery/event-limit.ts'
import {askControl} from './control-fixture.ts'
import {eventually} from './eventually.ts'
import {connectApp, listenOverHttp, openSlack, quiet} from './slack-fixture.ts'

const jane = {as: 'U0JANE', channel: 'C0WEB'}
const post = {channel: 'C0WEB', text: 'x'}

test('a storm answers so many calls of a method with 429', async () => {
  const {slack, client} = await openSlack()
  slack.faults.storm('chat.postMessage', {times: 2, retryAfterSeconds: 7})
  for (let count = 0; count < 2; count += 1) {
    await expect(client.chat.postMessage(post)).rejects.toMatchObject({retryAfter: 7})
  }
  await client.chat.postMessage(post)
  expect(slack.ledger.calls).toMatchObject([
    {status: 429, retryAfterSeconds: 7, applied: false, answer: {error: 'ratelimited'}},
    {status: 429, applied: false},
    {status: 200, applied: true, appId: 'A0BOSUN', teamId: 'T0LOCAL'},
  ])
})

test('a storm over all methods lasts its time, and can be calmed', async () => {
  const {slack, client} = await openSlack()
  expect((await askControl(slack, 'POST', '/faults/storm', {method: '*', ms: 60_000})).status).toBe(
    200,
  )
  await expect(client.auth.test()).rejects.toMatchObject({retryAfter: 1})
  await expect(client.chat.postMessage(post)).rejects.toMatchObject({retryAfter: 1})
  await askControl(slack, 'DELETE', '/faults')
  await client.chat.postMessage(post)
  slack.faults.storm('*', {ms: 1000})
  await expect(client.auth.test()).rejects.toMatchObject({retryAfter: 1})
  const call = () =>
    client.auth.test().then(
      () => 'answered',
      () => 'limited',
    )
  await eventually(call, (answer) => answer === 'answered')
})

test('a storm without a measure is refused with words', async () => {
  const {slack} = await openSlack()
  expect(await askControl(slack, 'POST', '/faults/storm', {method: '*'})).toMatchObject({
    status: 400,
    body: {ok: false, error: expect.stringContaining('ms, times or both') as unknown},
  })
})

test.each(['socket', 'http'] as const)('events change their order over %s', async (mode) => {
  const {slack} = await openSlack()
  const {heard} = mode === 'socket' ? await connectApp(slack) : await listenOverHttp(slack)
  expect(await askControl(slack, 'PUT', '/faults', {reorder: true})).toMatchObject({
    body: {reorder: true},
  })
  for (const text of ['one', 'two', 'three']) await slack.people.post({...jane, text})
  const texts = await eventually(
    () => heard.map(({event}) => event['text']),
    ({length}) => length === 3,
  )
  expect(texts).toEqual(['three', 'two', 'one'])
  slack.faults.reorder = false
  for (const text of ['four', 'five']) await slack.people.post({...jane, text})
  await eventually(
    () => heard.length,
    (count) => count === 5,
  )
})

test.each(['warning', 'refresh_requested', 'link_disabled'] as const)(
  'a connection is ended with %s, and the official client comes back',
  async (reason) => {
    const {slack} = await openSlack({timeFactor: 0.01})
    const client = new SocketModeClient({
      ...{appToken: slack.appToken, clientPingTimeout: 300, logger: quiet},
      clientOptions: {slackApiUrl: slack.apiUrl},
    })
    const frames: unknown[] = []
    client.on('ws_message', (data) => {
      frames.push(JSON.parse(String(data)))
    })
    onTestFinished(() => client.disconnect())
    await client.start()
    await askControl(slack, 'POST', '/faults/disconnect-sockets', {reason})
    const hellos = await eventually(
      () => frames.filter((frame) => JSON.stringify(frame).includes('"hello"')),
      ({length}) => length === 2,
    )
    expect(hellos).toHaveLength(2)
    expect(frames).toContainEqual(expect.objectContaining({type: 'disconnect', reason}))
  },
)

test('an app that gets too many events hears so, once in a minute', async () => {
  const {slack} = await openSlack({eventsPerHour: 2})
  const bodies: Record<string, unknown>[] = []
  slack.ledger.watch((entry) => {
    if ('payload' in entry && entry.outcome === 'pending') bodies.push(entry.payload)
  })
  const {heard} = await listenOverHttp(slack)
  for (const text of ['one', 'two', 'three', 'four']) await slack.people.post({...jane, text})
  await eventually(
    () => [heard.length, bodies.length],
    ([heardCount = 0, sent = 0]) => heardCount === 2 && sent >= 3,
  )
  const limited = bodies.filter(({type}) => type === 'app_rate_limited')
  expect(limited.length).toBeGreaterThan(0)
  expect(limited[0]).toEqual({
    token: 'local-verification-token',
    type: 'app_rate_limited',
    team_id: 'T0LOCAL',
    api_app_id: 'A0BOSUN',
    minute_rate_limited: expect.any(Number) as unknown,
  })
  await askControl(slack, 'PUT', '/faults', {eventsPerHour: 100})
  await slack.people.post({...jane, text: 'five'})
  await eventually(
    () => heard.map(({event}) => event['text']),
    (texts) => texts.includes('five'),
  )
})

test('the limit counts the last 60 minutes', () => {
  let nowMs = 0
  const limit = createEventLimit({perHour: () => 2, now: () => nowMs})
  expect([limit.take(), limit.take(), limit.take(), limit.take()]).toEqual([
    ...['free', 'free'],
    {limitedS: 0},
    'told',
  ])
  nowMs = 61_000
  expect([limit.take(), limit.take()]).toEqual([{limitedS: 60}, 'told'])
  nowMs = 59 * 60_000
  expect(limit.take()).toEqual({limitedS: 3_540})
  nowMs = 60 * 60_000
  expect([limit.take(), limit.take(), limit.take()]).toEqual(['free', 'free', {limitedS: 3_600}])
})
