import {createServer, type AddressInfo} from 'node:net'
import {inspect} from 'node:util'
import {describe, expect, test} from 'vitest'
import {
  PlatformForbidden,
  PlatformNotFound,
  PlatformRateLimited,
  PlatformRefused,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../src/platform/errors.ts'
import {toPlatformError} from '../../src/platform/error-answer.ts'
import {answerJson, apiKey, clientTo, reasonOf, serve, transportTo} from './http-server.ts'

const {signal} = new AbortController()
const once = {retries: 0}

describe('each status is a class of its own', () => {
  test.each([
    [400, PlatformRefused],
    [401, PlatformUnauthorized],
    [402, PlatformRefused],
    [403, PlatformForbidden],
    [404, PlatformNotFound],
    [405, PlatformRefused],
    [408, PlatformUnreachable],
    [409, PlatformRefused],
    [413, PlatformRefused],
    [422, PlatformRefused],
    [429, PlatformRateLimited],
    [500, PlatformUnreachable],
    [502, PlatformUnreachable],
    [503, PlatformUnreachable],
  ])('%i', async (status, kind) => {
    const {origin} = await serve((response) =>
      answerJson(response, status, {_tag: 'svc/Some.Tag', reason: 'because', more: [1]}),
    )
    const error = await reasonOf(clientTo(origin, once).getThread('t', signal))
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({
      _tag: 'svc/Some.Tag',
      status,
      fields: {reason: 'because', more: [1]},
      message: `GET /threads/t was answered with ${status}: because`,
    })
  })
})

describe('an answer that is not the platform’s', () => {
  test.each([
    ['HTML with 200', 200, 'text/html', '<html>It works!</html>'],
    ['HTML with 502', 502, 'text/html', '<html>Bad gateway</html>'],
    ['nothing with 200', 200, 'application/json', ''],
    ['nothing with 500', 500, 'application/json', ''],
    ['HTML with 404', 404, 'text/html', '<html>nothing here</html>'],
    ['the words of a proxy with 404', 404, 'text/plain', '404 page not found'],
    ['HTML with 401', 401, 'text/html; charset=utf-8', '<!doctype html>Sign in'],
    ['HTML with 403', 403, '', '\n<html>Not from here</html>'],
    ['half of its JSON', 200, 'application/json', '{"id": "t", "stat'],
    ['another shape', 200, 'application/json', '{"id": 7}'],
    ['a list', 200, 'application/json', '[]'],
  ])('%s is no answer at all', async (_name, status, type, body) => {
    const {origin} = await serve((response) => {
      response.writeHead(status, {'content-type': type}).end(body)
    })
    const error = await reasonOf(clientTo(origin, once).getThread('t', signal))
    expect(error).toBeInstanceOf(PlatformUnreachable)
    expect(error).toMatchObject({mayHaveArrived: true})
  })

  test('a 404 without a word is the platform’s, without a tag', async () => {
    const {origin} = await serve((response) => response.writeHead(404).end())
    const error = await reasonOf(clientTo(origin, once).getThread('t', signal))
    expect(error).toBeInstanceOf(PlatformNotFound)
    expect(error).toMatchObject({_tag: undefined, fields: {}})
  })

  test.each<[boolean, string, object]>([
    [true, 'a tag', {_tag: 'svc/ThreadNotFound', threadId: 't'}],
    [true, 'a tag that nobody knows', {_tag: 'svc/Sought'}],
    [true, 'the retired form', {error: {code: 'not_found', message: 'no thread'}}],
    [false, 'the words of Kong', {message: 'no Route matched with those values'}],
    [false, 'the words of Spring', {status: 404, error: 'Not Found', path: '/threads/t'}],
    [false, 'nothing', {}],
  ])('that it is certain is %s of a 404 with %s', async (isCertain, _name, body) => {
    const {origin} = await serve((response) => answerJson(response, 404, body))
    const error = await reasonOf(clientTo(origin, once).getThread('t', signal))
    expect(error).toMatchObject({isCertain})
    expect(error).toBeInstanceOf(PlatformNotFound)
  })

  test('a body that breaks off is no answer', async () => {
    const {origin} = await serve((response) => {
      response.writeHead(200, {'content-type': 'application/json', 'content-length': '100'})
      response.write('{"id":')
      setImmediate(() => response.destroy())
    })
    const error = await reasonOf(clientTo(origin, once).getThread('t', signal))
    expect(error).toMatchObject({name: 'PlatformUnreachable', mayHaveArrived: true})
  })

  test('204 is an answer where none has to say anything', async () => {
    const {origin} = await serve((response) => void response.writeHead(204).end())
    await expect(clientTo(origin, once).interrupt('t', signal)).resolves.toBeUndefined()
  })
})

test.each([301, 302, 303, 307, 308])(
  'a %i to another origin is not followed, and the key stays here',
  async (status) => {
    const elsewhere = await serve((response) => answerJson(response, 200, {items: []}))
    const here = await serve((response) => {
      response.writeHead(status, {location: `${elsewhere.origin}/api/v1/projects`}).end()
    })
    const error = await reasonOf(clientTo(here.origin, once).listProjects(signal))
    expect(error).toMatchObject({name: 'PlatformUnreachable', status})
    const events = transportTo(here.origin).events({
      method: 'GET',
      path: '/threads/t/stream',
      apiKey,
      signal,
      timeoutMs: 10_000,
    })
    expect(await reasonOf(events)).toMatchObject({name: 'PlatformUnreachable', status})
    expect(elsewhere.requests).toEqual([])
  },
)

describe('a 429 waits', () => {
  test.each<[string, Record<string, string>, unknown, number]>([
    ['as long as its header says', {'retry-after': '7'}, {}, 7000],
    ['as long as its body says', {}, {retryAfterSeconds: 3}, 3000],
    ['for the longer of the two', {'retry-after': '2'}, {retryAfterSeconds: 5}, 5000],
    ['a second when nothing is said', {}, {}, 1000],
    ['a second when what is said is no number', {'retry-after': 'soon'}, {}, 1000],
    ['an hour at most', {'retry-after': '999999'}, {}, 3_600_000],
    ['a second when it says zero', {'retry-after': '0'}, {retryAfterSeconds: -4}, 1000],
  ])('%s', async (_name, headers, body, retryAfterMs) => {
    const {origin} = await serve((response) => answerJson(response, 429, body, headers))
    const error = await reasonOf(clientTo(origin, once).getThread('t', signal))
    expect(error).toMatchObject({name: 'PlatformRateLimited', retryAfterMs})
  })

  test('until the date that a proxy names in place of seconds', () => {
    const waits = [600, -600].map((seconds) => {
      const retryAfter = new Date(Date.now() + 1000 * seconds).toUTCString()
      const error = toPlatformError({what: 'GET /threads', status: 429, retryAfter, body: {}})
      return error instanceof PlatformRateLimited ? Math.round(error.retryAfterMs / 10_000) : error
    })
    expect(waits).toEqual([60, 0])
  })
})

test('a refused connection surely never arrived', async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const {port} = probe.address() as AddressInfo
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  const error = await reasonOf(clientTo(`http://127.0.0.1:${port}`, once).getThread('t', signal))
  expect(error).toMatchObject({name: 'PlatformUnreachable', mayHaveArrived: false})
})

test('no error shows the key, however it is printed', async () => {
  const {origin} = await serve((response) => response.destroy())
  const error = await reasonOf(clientTo(origin, once).getThread('t', signal))
  const printed = [
    String(error),
    inspect(error, {depth: 9, showHidden: true}),
    JSON.stringify(error),
  ]
  for (const text of printed) expect(text).not.toContain('key_that_must_not_be_told')
})
