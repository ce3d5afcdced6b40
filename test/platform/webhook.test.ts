import type {ServerResponse} from 'node:http'
import {inspect} from 'node:util'
import {describe, expect, test} from 'vitest'
import {PlatformError} from '../../src/platform/errors.ts'
import {deliverWebhook} from '../../src/platform/endpoints/webhook.ts'
import {Secret} from '../../src/security/secret.ts'
import {until} from '../support/until.ts'
import {answerJson, reasonOf, serve} from './http-server.ts'

const {signal} = new AbortController()
const SECRET = 'whs_a-secret-capability'

const deliver = (origin: string, more: {timeoutMs?: number; retries?: number} = {}) => {
  const url = new Secret(`${origin}/webhooks/automations/${SECRET}?v=1`)
  return deliverWebhook({url, body: {event: 'push'}, idempotencyKey: 'k1', ...more}, signal)
}

test('a delivery goes to its address with its key and no bearer', async () => {
  const {origin, requests} = await serve((response) =>
    answerJson(response, 202, {outcome: 'accepted', runId: 'x'}),
  )
  expect(await deliver(origin)).toEqual({outcome: 'accepted'})
  expect(requests).toHaveLength(1)
  expect(requests[0]).toMatchObject({
    method: 'POST',
    url: `/webhooks/automations/${SECRET}?v=1`,
    body: '{"event":"push"}',
    headers: {'content-type': 'application/json', 'idempotency-key': 'k1'},
  })
  expect(requests[0]?.headers.authorization).toBeUndefined()
})

test.each<[string, string]>([
  ['{"outcome": "accepted"}', 'accepted'],
  ['{"anything": "duplicate", "id": "accepted-1"}', 'duplicate'],
  ['"no-match"', 'no-match'],
  ['no-match\n', 'no-match'],
  ['{"status": "no_match"}', 'no-match'],
  ['{"result": {"state": "Accepted"}}', 'accepted'],
])('%s is understood, and not asked again', async (body, outcome) => {
  const {origin, requests} = await serve((response) => void response.writeHead(202).end(body))
  expect(await deliver(origin)).toEqual({outcome})
  expect(requests).toHaveLength(1)
})

describe('a delivery goes out again under the same key', () => {
  test.each<[string, (response: ServerResponse) => void, timeoutMs?: number]>([
    ['after a 500', (response) => answerJson(response, 500, {})],
    ['after a 503 with HTML', (response) => response.writeHead(503).end('<html>')],
    ['after a short 429', (response) => answerJson(response, 429, {retryAfterSeconds: 0.01})],
    ['after a lost connection', (response) => response.destroy()],
    // The second answer has to come in the same time.
    ['after a time-out', () => undefined, 1500],
    ['after an answer without an outcome', (response) => answerJson(response, 202, {})],
  ])('%s', async (_name, fail, timeoutMs = 15_000) => {
    const {origin, requests} = await serve((response, _request, count) =>
      count === 1 ? fail(response) : answerJson(response, 202, {outcome: 'duplicate'}),
    )
    expect(await deliver(origin, {timeoutMs})).toEqual({outcome: 'duplicate'})
    expect(requests.map(({headers}) => headers['idempotency-key'])).toEqual(['k1', 'k1'])
  })

  test('a few times, and then the error is told', async () => {
    const {origin, requests} = await serve((response) => response.destroy())
    const error = await reasonOf(deliver(origin, {retries: 2}))
    expect(error).toMatchObject({name: 'PlatformUnreachable', mayHaveArrived: true})
    expect(requests).toHaveLength(3)
  })
})

describe('a delivery goes out once', () => {
  test.each<[number, string]>([
    [404, 'PlatformNotFound'],
    [400, 'PlatformRefused'],
    [401, 'PlatformUnauthorized'],
    [413, 'PlatformRefused'],
  ])('when it is answered with %i', async (status, name) => {
    const {origin, requests} = await serve((response) => answerJson(response, status, {}))
    expect(await reasonOf(deliver(origin))).toMatchObject({name, status})
    expect(requests).toHaveLength(1)
  })

  test('when the limit is a long one', async () => {
    const {origin, requests} = await serve((response) =>
      answerJson(response, 429, {}, {'retry-after': '3600'}),
    )
    expect(await reasonOf(deliver(origin))).toMatchObject({retryAfterMs: 3_600_000})
    expect(requests).toHaveLength(1)
  })
})

test('a redirect is not followed', async () => {
  const elsewhere = await serve((response) => answerJson(response, 202, {outcome: 'accepted'}))
  const {origin} = await serve((response) => {
    response.writeHead(307, {location: elsewhere.origin}).end()
  })
  const error = await reasonOf(deliver(origin, {retries: 0}))
  expect(error).toMatchObject({name: 'PlatformUnreachable', status: 307})
  expect(elsewhere.requests).toEqual([])
})

test('the signal ends the wait for the next attempt', async () => {
  const {origin, requests} = await serve((response) =>
    answerJson(response, 429, {retryAfterSeconds: 10}),
  )
  const stop = new AbortController()
  const url = new Secret(origin)
  const delivery = deliverWebhook({url, body: {}, idempotencyKey: 'k'}, stop.signal)
  const reason = reasonOf(delivery)
  await until('the first answer is here', () => requests.length === 1)
  stop.abort()
  expect(await reason).toMatchObject({name: 'AbortError'})
})

describe('no error shows the address', () => {
  const echo = {_tag: `svc/${SECRET}`, message: `Nothing at ${SECRET}`, reason: SECRET}
  test.each<[string, (response: ServerResponse) => void]>([
    ['of a 404', (response) => answerJson(response, 404, echo)],
    ['of a 400', (response) => answerJson(response, 400, echo)],
    ['of a 500', (response) => answerJson(response, 500, echo)],
    ['of a 202', (response) => answerJson(response, 202, echo)],
    ['of a page', (response) => response.writeHead(202, {'content-type': SECRET}).end(SECRET)],
    ['of a lost connection', (response) => response.destroy()],
    ['of garbage', (response) => response.socket?.end(`${SECRET}\r\n\r\n`)],
    ['of a time-out', () => undefined],
  ])('%s', async (_name, answer) => {
    const {origin} = await serve(answer)
    const error = await reasonOf(deliver(origin, {retries: 0, timeoutMs: 300}))
    expect(error).toBeInstanceOf(PlatformError)
    expect(inspect(error, {depth: 9, showHidden: true}) + JSON.stringify(error)).not.toContain(
      SECRET,
    )
  })

  test.each([SECRET, `http:/${SECRET}:x`, `ftp://host/${SECRET}`, `https://[${SECRET}]/`])(
    'when %s is no address',
    async (address) => {
      const url = new Secret(address)
      const error = await reasonOf(deliverWebhook({url, body: {}, idempotencyKey: 'k'}, signal))
      expect(error).toBeInstanceOf(PlatformError)
      expect(inspect(error, {depth: 9}) + String(error)).not.toContain(SECRET)
    },
  )
})
