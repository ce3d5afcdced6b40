import type {ServerResponse} from 'node:http'
import {describe, expect, test} from 'vitest'
import {createPlatformClient} from '../../src/platform/client.ts'
import {PlatformError, PlatformUnreachable} from '../../src/platform/errors.ts'
import {until} from '../support/until.ts'
import {everyMethod} from './every-method.ts'
import {answerJson, apiKey, clientTo, reasonOf, serve, transportTo} from './http-server.ts'

const {signal} = new AbortController()
const thread = {id: 't', status: 'idle'}

describe('what may be repeated', () => {
  test('a read is asked again until it is answered', async () => {
    const {origin, requests} = await serve((response, _request, count) =>
      count < 3 ? response.destroy() : answerJson(response, 200, thread),
    )
    expect(await clientTo(origin).getThread('t', signal)).toMatchObject(thread)
    expect(requests).toHaveLength(3)
  })

  test('a creation is asked again with the same requestId', async () => {
    const {origin, requests} = await serve((response, _request, count) =>
      count === 1 ? answerJson(response, 503, {}) : answerJson(response, 200, thread),
    )
    const ask = {requestId: 'r1', projectId: 'p', message: 'hello'}
    await clientTo(origin).createThread(ask, signal)
    expect(requests.map(({body}) => JSON.parse(body) as unknown)).toEqual([ask, ask])
  })

  test('what is not ours to send for now is not sent, and says so', async () => {
    const {origin, requests} = await serve((response) => answerJson(response, 200, {}))
    const transport = transportTo(origin)
    const json: typeof transport.json = (request) =>
      transport.json({...request, mayCall: () => false})
    const client = createPlatformClient({transport: {...transport, json}, apiKey})
    const error = await reasonOf(
      client.sendMessage('t', {text: 'hello', delivery: 'queue'}, signal),
    )
    expect(error).toMatchObject({name: 'PlatformUnreachable', mayHaveArrived: false})
    expect(requests).toEqual([])
  })

  test('a short limit is waited for', async () => {
    const {origin, requests} = await serve((response, _request, count) =>
      count === 1
        ? answerJson(response, 429, {}, {'retry-after': '1'})
        : answerJson(response, 200, {items: []}),
    )
    await clientTo(origin).listProjects(signal)
    expect(requests).toHaveLength(2)
  })

  test('a long limit is told instead', async () => {
    const {origin, requests} = await serve((response) =>
      answerJson(response, 429, {retryAfterSeconds: 11}),
    )
    expect(await reasonOf(clientTo(origin).listProjects(signal))).toMatchObject({
      name: 'PlatformRateLimited',
      retryAfterMs: 11_000,
    })
    expect(requests).toHaveLength(1)
  })

  test('after the last attempt the error is told', async () => {
    const {origin, requests} = await serve((response) => response.destroy())
    const error = await reasonOf(clientTo(origin, {retries: 1}).getThread('t', signal))
    expect(error).toBeInstanceOf(PlatformUnreachable)
    expect(requests).toHaveLength(2)
  })

  test.each([400, 401, 403, 404, 422])('a %i is an answer, and not repeated', async (status) => {
    const {origin, requests} = await serve((response) => answerJson(response, status, {}))
    await reasonOf(clientTo(origin).getThread('t', signal))
    expect(requests).toHaveLength(1)
  })
})

test.each([
  ['a 503', 503, true],
  ['a 429', 429, false],
])('a refusal after %s says whether it may have been done before', async (_name, status, may) => {
  const {origin} = await serve((response, _request, count) =>
    answerJson(response, count === 1 ? status : 422, {}, {'retry-after': '0'}),
  )
  const ask = {requestId: 'r1', projectId: 'p', message: 'hello'}
  const error = await reasonOf(clientTo(origin).createThread(ask, signal))
  expect(error).toMatchObject({status: 422, isDoubtful: may})
})

describe('what goes out again, and what never does', () => {
  const failures: Record<string, (response: ServerResponse) => void> = {
    'a 503': (response) => answerJson(response, 503, {}),
    'a connection cut': (response) => response.destroy(),
    'a 429': (response) => answerJson(response, 429, {}, {'retry-after': '0.001'}),
    'half an answer': (response) => {
      response.writeHead(200, {'content-type': 'application/json'}).end('{"id": "t", "sta')
    },
  }
  const cases = Object.entries(everyMethod).flatMap(([name, {repeats, ...rest}]) =>
    Object.entries(failures).map(([failure, fail]) => ({name, repeats, failure, fail, ...rest})),
  )

  test.each(cases.filter(({repeats}) => repeats))(
    '$name goes out again, the same, after $failure',
    async ({call, answer, given, fail}) => {
      const {origin, requests} = await serve((response, _request, count) =>
        count === 1 ? fail(response) : answerJson(response, 200, answer),
      )
      expect(await call(clientTo(origin), signal)).toEqual(given)
      const [first, second, ...others] = requests.map(({method, url, body}) => [method, url, body])
      expect(second).toEqual(first)
      expect(others).toEqual([])
    },
  )

  test.each(cases.filter(({repeats}) => !repeats))(
    '$name goes out once, whatever comes of it: $failure',
    async ({call, fail}) => {
      const {origin, requests} = await serve(fail)
      expect(await reasonOf(call(clientTo(origin), signal))).toBeInstanceOf(PlatformError)
      expect(requests).toHaveLength(1)
    },
  )

  test('a message whose answer cannot be read may have arrived', async () => {
    const {origin, requests} = await serve((response) => answerJson(response, 200, {ok: true}))
    const sending = clientTo(origin).sendMessage('t', {text: 'x', delivery: 'queue'}, signal)
    expect(await reasonOf(sending)).toMatchObject({mayHaveArrived: true})
    expect(requests).toHaveLength(1)
  })
})

describe('an end to waiting', () => {
  test('an answer that does not come in time is no answer', async () => {
    const {origin} = await serve(() => undefined)
    const error = await reasonOf(
      clientTo(origin, {timeoutMs: 50, retries: 0}).getThread('t', signal),
    )
    expect(error).toMatchObject({name: 'PlatformUnreachable', mayHaveArrived: true})
    expect(String(error)).toContain('no answer in 50 ms')
  })

  test('the deadline holds for the body too', async () => {
    const {origin} = await serve((response) => {
      response.writeHead(200, {'content-type': 'application/json'})
      response.write('{"id": ')
    })
    const error = await reasonOf(
      clientTo(origin, {timeoutMs: 80, retries: 0}).getThread('t', signal),
    )
    expect(String(error)).toContain('no answer in 80 ms')
  })

  test('the signal ends a call in flight with its own reason', async () => {
    const {origin, requests} = await serve(() => undefined)
    const stop = new AbortController()
    const reason = reasonOf(clientTo(origin).getThread('t', stop.signal))
    await until('the call is in flight', () => requests.length === 1)
    stop.abort(new Error('enough'))
    expect(String(await reason)).toBe('Error: enough')
  })

  test('the signal ends the wait for the next attempt', async () => {
    const {origin, requests} = await serve((response) =>
      answerJson(response, 429, {retryAfterSeconds: 10}),
    )
    const stop = new AbortController()
    const reason = reasonOf(clientTo(origin).getThread('t', stop.signal))
    await until('the first answer is here', () => requests.length === 1)
    stop.abort()
    expect(await reason).toMatchObject({name: 'AbortError'})
    expect(requests).toHaveLength(1)
  })
})
