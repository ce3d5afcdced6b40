import {expect, test} from 'vitest'
import {eventually} from './eventually.ts'
import {connectApp, deliveriesOf, openSlack, refusalOf} from './slack-fixture.ts'

const post = {channel: 'C0WEB', text: 'x'}

test('an answer can be lost after the call took effect', async () => {
  const {slack, client} = await openSlack()
  slack.faults.failNext('chat.postMessage', {times: 1, applied: true})
  await expect(client.chat.postMessage(post)).rejects.toMatchObject({
    code: 'slack_webapi_request_error',
  })
  expect(slack.messages('C0WEB')).toHaveLength(1)
  expect(slack.ledger.calls).toMatchObject([{status: 0, applied: true, answer: {ok: true}}])
  await client.chat.postMessage(post)
})

test('a call can fail before it takes effect, as often as asked', async () => {
  const {slack, client} = await openSlack()
  slack.faults.failNext('chat.postMessage', {times: 2, status: 500, applied: false})
  slack.faults.failNext('chat.postMessage', {times: 1, error: 'fatal_error', applied: false})
  slack.faults.failNext('chat.postMessage', {
    times: 1,
    status: 429,
    retryAfterSeconds: 7,
    applied: false,
  })
  const call = () => client.chat.postMessage(post)
  await expect(call()).rejects.toMatchObject({statusCode: 500})
  await expect(call()).rejects.toMatchObject({statusCode: 500})
  expect(await refusalOf(call())).toBe('fatal_error')
  await expect(call()).rejects.toMatchObject({retryAfter: 7})
  expect(slack.messages('C0WEB')).toEqual([])
  await call()
})

test('a call may take effect after its caller has left', async () => {
  const {slack} = await openSlack()
  slack.faults.failNext('chat.postMessage', {times: 1, applied: true, delayMs: 1500})
  const call = fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: {authorization: `Bearer ${slack.botToken}`},
    body: new URLSearchParams(post),
    signal: AbortSignal.timeout(500),
  })
  await expect(call).rejects.toThrow()
  expect(slack.messages('C0WEB')).toEqual([])
  await eventually(
    () => slack.messages('C0WEB').length,
    (count) => count === 1,
  )
})

test('a call can fail in Slack’s own words or a proxy’s, and take effect after that', async () => {
  const {slack, client} = await openSlack()
  const late = {times: 1, applied: true, lateMs: 100}
  slack.faults.failNext('chat.postMessage', {...late, error: 'internal_error'})
  expect(await refusalOf(client.chat.postMessage(post))).toBe('internal_error')
  slack.faults.failNext('chat.postMessage', {times: 1, applied: false, status: 502, page: true})
  await expect(client.chat.postMessage(post)).rejects.toMatchObject({
    ...{statusCode: 502, body: expect.stringContaining('Bad Gateway') as string},
  })
  await eventually(
    () => slack.messages('C0WEB').length,
    (count) => count === 1,
  )
})

test('what is held goes on when all is calm', async () => {
  const {slack, client} = await openSlack()
  slack.faults.failNext('chat.postMessage', {times: 1, applied: true, delayMs: 600_000})
  const call = client.chat.postMessage(post)
  await client.auth.test()
  expect(slack.messages('C0WEB')).toEqual([])
  // It may be on its way here.
  const calming = setInterval(() => slack.faults.calm(), 50)
  await call.finally(() => clearInterval(calming))
  expect(slack.messages('C0WEB')).toHaveLength(1)
})

test('latency holds an answer, and listeners hear of the call before it goes out', async () => {
  const {slack, client} = await openSlack({latencyMs: 60})
  let isAnswered = false
  const seen: [string, boolean, number][] = []
  const unsubscribe = slack.ledger.subscribe(({method}) => {
    seen.push([method, isAnswered, slack.messages('C0WEB').length])
  })
  const startMs = performance.now()
  await client.chat.postMessage(post).then(() => (isAnswered = true))
  expect(performance.now() - startMs).toBeGreaterThan(50)
  expect(seen).toEqual([['chat.postMessage', false, 1]])
  unsubscribe()
  slack.faults.latencyMs = 0
  await client.chat.postMessage(post)
  expect(seen).toHaveLength(1)
})

test('payloads can be doubled, and the doubles carry retry numbers', async () => {
  const {slack} = await openSlack()
  const {heard} = await connectApp(slack)
  slack.faults.deliveries = 3
  await slack.people.post({as: 'U0JANE', channel: 'C0WEB', text: 'x'})
  await eventually(
    () => heard.length,
    (count) => count === 3,
  )
  expect(heard.map(({retryNum}) => retryNum).sort()).toEqual([0, 1, 2])
  expect(new Set(deliveriesOf(slack, 'message').map(({key}) => key)).size).toBe(1)
})

test('a revoked token is told to the app', async () => {
  const {slack} = await openSlack()
  await connectApp(slack)
  slack.faults.revokeToken()
  await eventually(
    () => deliveriesOf(slack, 'tokens_revoked').map(({outcome}) => outcome),
    ([outcome]) => outcome === 'acked',
  )
})
