import {describe, expect, test} from 'vitest'
import {PlatformNotFound} from '../../src/platform/errors.ts'
import {everyMethod} from './every-method.ts'
import {answerJson, clientTo, reasonOf, serve} from './http-server.ts'

const {signal} = new AbortController()

describe('each method asks as section 4 says, and gives what was answered', () => {
  test.each(Object.entries(everyMethod))('%s', async (_name, {call, ...expected}) => {
    const {origin, requests} = await serve((response) => answerJson(response, 200, expected.answer))
    expect(await call(clientTo(origin), signal)).toEqual(expected.given)
    const [request] = requests
    expect(`${request?.method} ${request?.url}`).toBe(expected.request.replace(' ', ' /api/v1'))
    expect(request?.body).toBe(expected.body === undefined ? '' : JSON.stringify(expected.body))
    expect(request?.headers).toMatchObject({
      accept: 'application/json',
      // Nothing here reads another one.
      'accept-encoding': 'identity',
      authorization: 'Bearer key_that_must_not_be_told',
    })
    const type = expected.body === undefined ? undefined : 'application/json'
    expect(request?.headers['content-type']).toBe(type)
    expect(requests).toHaveLength(1)
  })

  test('no method is forgotten here', async () => {
    const {origin} = await serve((response) => response.end())
    expect(Object.keys(everyMethod).sort()).toEqual(Object.keys(clientTo(origin)).sort())
  })
})

test('what is not set does not go out', async () => {
  const {origin, requests} = await serve((response) => answerJson(response, 200, {items: []}))
  const client = clientTo(origin)
  await Array.fromAsync(client.listThreads({}, signal))
  await Array.fromAsync(client.listAutomations({}, signal))
  await client.getUsage({}, signal)
  const paths = ['/api/v1/threads', '/api/v1/automations', '/api/v1/usage']
  expect(requests.map(({url}) => url)).toEqual(paths)
})

test('a message that is too late to send now may have no new id, in either way', async () => {
  const {origin} = await serve((response) =>
    answerJson(response, 200, {outcome: 'tooLate', id: null}),
  )
  const late = {outcome: 'tooLate', id: undefined}
  expect(await clientTo(origin).sendNow('t/1', 'e/1', signal)).toEqual(late)
})

test.each(['', '.', '..'])('the id "%s" names nothing, and nothing is asked', async (id) => {
  const {origin, requests} = await serve((response) => answerJson(response, 200, {}))
  expect(await reasonOf(clientTo(origin).deleteReviewFilter(id, signal))).toBeInstanceOf(
    PlatformNotFound,
  )
  expect(requests).toEqual([])
})

test('an id that is no valid text is asked for all the same', async () => {
  const {origin, requests} = await serve((response) => answerJson(response, 404, {}))
  await reasonOf(clientTo(origin).getThread('\ud800', signal))
  expect(requests.map(({url}) => url)).toEqual(['/api/v1/threads/%EF%BF%BD'])
})
