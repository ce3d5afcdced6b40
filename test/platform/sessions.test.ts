import {describe, expect, test} from 'vitest'
import {answerJson, clientTo, reasonOf, serve} from './http-server.ts'

const {signal} = new AbortController()

async function verify(status: number, body: unknown): Promise<unknown> {
  const {origin} = await serve((response) => answerJson(response, status, body))
  return clientTo(origin, {retries: 0}).verifySession('h.p.s', signal)
}

describe('a verification', () => {
  test('of a good token says which session it belongs to', async () => {
    const proven = {
      valid: true,
      threadId: 't',
      projectId: 'p',
      orgId: 'o',
      userId: 'u',
      instanceId: 'i',
      issuedAt: '2026-01-02T03:04:05.678Z',
      expiresAt: '2026-01-02T03:34:05.678Z',
    }
    expect(await verify(200, {...proven, novelty: 'expired'})).toEqual({
      ...proven,
      novelty: 'expired',
    })
  })

  test('of a good token needs no more than whose it is', async () => {
    const proven = {valid: true, threadId: 't', projectId: 'p'}
    const said = await verify(200, {...proven, issuedAt: 1_767_323_045, orgId: 7})
    expect(said).toMatchObject(proven)
  })

  test.each(['token', 'sessionToken', 'session_token', 'jwt'])(
    'is asked for by the name that the platform knows: %s',
    async (name) => {
      const {origin, requests} = await serve((response, {body}) => {
        const isKnown = name in (JSON.parse(body) as object)
        if (isKnown) answerJson(response, 200, {valid: true, threadId: 't'})
        else answerJson(response, 400, {_tag: 'svc/InvalidRequest', message: `no ${name}`})
      })
      const client = clientTo(origin, {retries: 0})
      expect(await client.verifySession('h.p.s', signal)).toMatchObject({valid: true})
      const asked = requests.length
      await client.verifySession('h.p.s', signal)
      expect(requests).toHaveLength(asked + 1)
    },
  )

  test.each<[string, number, unknown, string | undefined]>([
    ['its reason', 200, {valid: false, reason: 'expired'}, 'expired'],
    ['a field of another name', 200, {valid: false, why: 'invalid'}, 'invalid'],
    ['a word alone', 200, {status: 'expired'}, 'expired'],
    ['no word', 200, {valid: false}, undefined],
    ['another word', 200, {valid: false, reason: 'asleep'}, undefined],
    ['a 400 with a reason', 400, {_tag: 'svc/Session', reason: 'invalid'}, 'invalid'],
    ['a 401 with a code', 401, {error: {code: 'expired', message: 'Late.'}}, 'expired'],
    ['a 410 with a word', 410, {message: 'expired'}, 'expired'],
  ])('that says no by %s', async (_name, status, body, reason) => {
    expect(await verify(status, body)).toMatchObject({valid: false, reason})
  })

  test.each<[string, number, unknown, string]>([
    ['a refused key', 401, {_tag: 'svc/Unauthorized'}, 'PlatformUnauthorized'],
    ['a wrong request', 400, {message: 'This token is invalid'}, 'PlatformRefused'],
    ['an outage with the word', 503, {reason: 'expired'}, 'PlatformUnreachable'],
    ['neither yes nor no', 200, {threadId: 't'}, 'PlatformUnreachable'],
    ['a yes that is no boolean', 200, {valid: 'true'}, 'PlatformUnreachable'],
    ['a yes with a broken thread', 200, {valid: true, threadId: 7}, 'PlatformUnreachable'],
  ])('is not made up of %s', async (_name, status, body, name) => {
    expect(await reasonOf(verify(status, body))).toMatchObject({name})
  })
})

test.each<[string, string, unknown]>([
  ['application/json', '"h.p.s"', 'h.p.s'],
  ['text/plain', 'h.p.s', 'h.p.s'],
  ['application/json', '{"a":"x","b":"y"}', undefined],
])('a session token of %s %s is read as %j', async (type, body, token) => {
  const {origin} = await serve((response) => {
    response.writeHead(200, {'content-type': type}).end(body)
  })
  expect(await clientTo(origin).getSessionToken('t', signal)).toMatchObject({token})
})
