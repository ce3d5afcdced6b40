import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import {startPlatform} from '../../../local/platform/server.ts'
import {createSessionSigner} from '../../../local/platform/sessions/session-token.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf} from './client.ts'
import {createManualClock} from './manual-clock.ts'
import {sharedPlatform} from './open-platform.ts'

const tokenSchema = z.strictObject({
  token: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  issuedAt: z.iso.datetime({precision: 3}),
  expiresAt: z.iso.datetime({precision: 3}),
})
type Token = z.infer<typeof tokenSchema>

const MINUTE_MS = 60_000
const EXPIRED = {valid: false, reason: 'expired'}
const INVALID = {valid: false, reason: 'invalid'}

const clock = createManualClock()
const platform = await sharedPlatform({pace: 0, clock})
const client = clientOf(platform)

const iso = (ms: number): string => new Date(ms).toISOString()

/** A thread whose first run is over. */
const rested = async (): Promise<string> => {
  const threadId = await client.create('quick')
  await client.run(threadId)
  return threadId
}

const tokenOf = async (threadId: string, by = client): Promise<Token> => {
  const {status, body} = await by.get(`/threads/${threadId}/session-token`)
  expect({status, body}).toMatchObject({status: 200})
  return tokenSchema.parse(body)
}

const verify = async (token: unknown, by = client): Promise<unknown> => {
  const {status, body} = await by.post('/sessions/verify', {token})
  expect({status, body}).toMatchObject({status: 200})
  return body
}

const expectNone = async (threadId: string): Promise<void> => {
  const {status, body} = await client.get(`/threads/${threadId}/session-token`)
  expect([status, body]).toEqual([404, {_tag: 'svc/SessionNotFound', threadId}])
}

describe('a session token', () => {
  test('is minted when the thread starts, and proves what it belongs to', async () => {
    const threadId = await client.create('quick')
    const {token, issuedAt, expiresAt} = await tokenOf(threadId)
    expect([issuedAt, expiresAt]).toEqual([iso(clock.nowMs()), iso(clock.nowMs() + 30 * MINUTE_MS)])
    expect(await verify(token)).toEqual({
      valid: true,
      threadId,
      projectId: 'project_web',
      orgId: 'org_acme',
      userId: 'user_jane',
      instanceId: expect.stringMatching(/^instance_/) as string,
      issuedAt,
      expiresAt,
    })
    await client.run(threadId)
  })

  test('of a thread without an author names no member', async () => {
    const service = clientOf(platform, 'readWrite')
    const threadId = await service.create('quick', 'nobody’s')
    expect(await verify((await tokenOf(threadId)).token)).toMatchObject({valid: true, userId: null})
  })

  test('is refreshed every 15 minutes, and the one before stays valid for its 30', async () => {
    const threadId = await rested()
    const first = await tokenOf(threadId)
    clock.advance(15 * MINUTE_MS - 1)
    expect(await tokenOf(threadId)).toEqual(first)
    clock.advance(1)
    const second = await tokenOf(threadId)
    expect(second.issuedAt).toBe(iso(clock.nowMs()))
    expect(second.token).not.toBe(first.token)
    clock.advance(15 * MINUTE_MS - 1)
    expect(await verify(first.token)).toMatchObject({valid: true})
    clock.advance(1)
    expect(await verify(first.token)).toEqual(EXPIRED)
    expect(await verify(second.token)).toMatchObject({valid: true, threadId})
  })

  test('is current for as long as a run goes on', async () => {
    await using slow = await startPlatform({pace: 100, clock})
    const other = clientOf(slow)
    const threadId = await other.create('a long look around')
    clock.advance(5 * 60 * MINUTE_MS + MINUTE_MS)
    const {token, issuedAt} = await tokenOf(threadId, other)
    expect(issuedAt).toBe(iso(clock.nowMs() - MINUTE_MS))
    expect(await verify(token, other)).toMatchObject({valid: true})
    await other.post(`/threads/${threadId}/interrupt`)
    clock.advance(60 * MINUTE_MS)
    expect(await verify(token, other)).toEqual(EXPIRED)
  })

  test('is cleared when the machine stops, 60 minutes after the last run', async () => {
    const threadId = await rested()
    clock.advance(45 * MINUTE_MS)
    const last = await tokenOf(threadId)
    clock.advance(15 * MINUTE_MS - 1)
    expect(await verify(last.token)).toMatchObject({valid: true})
    clock.advance(1)
    await expectNone(threadId)
    expect(await verify(last.token)).toEqual(EXPIRED)
  })

  test('rests on the end of the last run: an interrupt of nothing does not prolong it', async () => {
    const threadId = await rested()
    clock.advance(30 * MINUTE_MS)
    await client.post(`/threads/${threadId}/interrupt`)
    clock.advance(30 * MINUTE_MS)
    await expectNone(threadId)
  })

  test('a new run before that keeps the session, and after it begins another one', async () => {
    const threadId = await rested()
    const first = await verify((await tokenOf(threadId)).token)
    clock.advance(50 * MINUTE_MS)
    await client.post(`/threads/${threadId}/message`, {text: 'quick again'})
    await client.run(threadId)
    clock.advance(50 * MINUTE_MS)
    const {token} = await tokenOf(threadId)
    const {instanceId} = z.object({instanceId: z.string()}).parse(first)
    expect(await verify(token)).toMatchObject({instanceId})
    clock.advance(10 * MINUTE_MS)
    await client.post(`/threads/${threadId}/message`, {text: 'quick once more'})
    const renewed = await tokenOf(threadId)
    expect(renewed.issuedAt).toBe(iso(clock.nowMs()))
    expect(await verify(renewed.token)).not.toMatchObject({instanceId})
    expect(await verify(token)).toEqual(EXPIRED)
    await client.run(threadId)
  })

  test('is cleared when the thread is archived, and comes back with the next run only', async () => {
    const threadId = await rested()
    const {token} = await tokenOf(threadId)
    await client.post(`/threads/${threadId}/archive`)
    await expectNone(threadId)
    expect(await verify(token)).toEqual(EXPIRED)
    await client.post(`/threads/${threadId}/unarchive`)
    await expectNone(threadId)
    await client.post(`/threads/${threadId}/message`, {text: 'quick again'})
    expect(await verify((await tokenOf(threadId)).token)).toMatchObject({valid: true})
    expect(await verify(token)).toEqual(EXPIRED)
    await client.run(threadId)
  })

  test('comes back when a thread is unarchived in the middle of a run', async () => {
    await using slow = await startPlatform({pace: 1, clock})
    const by = clientOf(slow)
    const threadId = await by.create('long work')
    await by.post(`/threads/${threadId}/archive`)
    expect((await by.get(`/threads/${threadId}/session-token`)).status).toBe(404)
    await by.post(`/threads/${threadId}/unarchive`)
    expect(await verify((await tokenOf(threadId, by)).token, by)).toMatchObject({valid: true})
  })

  test.each(['sessionToken', 'session_token', 'jwt'])('may be verified as %s', async (name) => {
    const {token} = await tokenOf(await rested())
    const {body} = await client.post('/sessions/verify', {[name]: token})
    expect(body).toMatchObject({valid: true})
  })

  test('answers a thread that is absent or out of reach alike', async () => {
    const {body} = await client.post('/threads', {
      ...{requestId: 'in-api', projectId: 'project_api', message: 'quick'},
    })
    const hidden = z.string().parse(body['id'])
    for (const threadId of [hidden, 'thread_lost']) {
      const answer = await clientOf(platform, 'scoped').get(`/threads/${threadId}/session-token`)
      expect([answer.status, answer.body]).toEqual([404, {_tag: 'svc/ThreadNotFound', threadId}])
    }
    const {token} = await tokenOf(hidden)
    expect(await verify(token, clientOf(platform, 'scoped'))).toEqual(INVALID)
    clock.advance(31 * MINUTE_MS)
    expect(await verify(token, clientOf(platform, 'scoped'))).toEqual(INVALID)
    expect(await verify(token)).toEqual(EXPIRED)
  })
})

describe('verification', () => {
  test('may be asked with a read-only key, and changes nothing', async () => {
    const {token} = await tokenOf(await rested())
    expect(await verify(token, clientOf(platform, 'readOnly'))).toMatchObject({valid: true})
    const rows = platform.ledger.filter(({path}) => path === '/api/v1/sessions/verify')
    expect(rows.some(({applied}) => applied)).toBe(false)
  })

  test('of anything that the platform did not sign is invalid', async () => {
    const {token} = await tokenOf(await rested())
    const [header = '', payload = '', signature = ''] = token.split('.')
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = encode(Object.assign({}, claims, {projectId: 'project_api'}))
    const last = signature.at(-1) === 'A' ? 'B' : 'A'
    const wrong = [
      ...['', 'token', '..', 'a.b.c', 'ü.ü.ü', `${token}.`, ` ${token}`, `${token}=`],
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}${last}`,
      `${encode({alg: 'none', typ: 'session+jwt'})}.${payload}.`,
      `${encode({alg: 'HS256', typ: 'JWT'})}.${payload}.${signature}`,
      'x'.repeat(100_000),
    ]
    for (const each of wrong) expect(await verify(each)).toEqual(INVALID)
  })

  test('of a token that another platform signed is invalid', async () => {
    await using other = await startPlatform({pace: 0, clock})
    const stranger = clientOf(other)
    const {token} = await tokenOf(await stranger.create('quick'), stranger)
    expect(await verify(token)).toEqual(INVALID)
  })

  test.each([
    ['no token', {}],
    ['a token of null', {token: null}],
    ['a token that is no string', {token: 7}],
    ['no object', []],
  ])('%s is an invalid request', async (_what, body) => {
    const answer = await client.post('/sessions/verify', body)
    expect([answer.status, answer.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })
})

test('every single changed character makes a signed token unreadable', () => {
  const signer = createSessionSigner(Buffer.alloc(32, 7))
  const claims = {
    ...{threadId: 'thread_x', projectId: null, orgId: 'org', userId: null, instanceId: 'one'},
    ...{issuedAt: iso(0), expiresAt: iso(1)},
  }
  const token = signer.sign(claims)
  expect(signer.read(token)).toEqual(claims)
  for (let index = 0; index < token.length; index++) {
    for (const other of ['A', 'z', '.', '-']) {
      const changed = token.slice(0, index) + other + token.slice(index + 1)
      if (changed !== token) expect(signer.read(changed)).toBeUndefined()
    }
  }
})

test('a restart keeps sessions and tokens', async () => {
  const dataFile = join(temporaryFolder(), 'platform.db')
  const first = await startPlatform({dataFile, pace: 100, clock})
  const before = clientOf(first)
  const running = await before.create('a long look around')
  const resting = await before.create('a long look back')
  await before.post(`/threads/${resting}/interrupt`)
  const tokens = [await tokenOf(running, before), await tokenOf(resting, before)]
  await first.close()
  clock.advance(15 * MINUTE_MS)
  await using second = await startPlatform({dataFile, pace: 100, clock})
  const after = clientOf(second)
  for (const {token} of tokens) expect(await verify(token, after)).toMatchObject({valid: true})
  const refreshed = await tokenOf(running, after)
  expect(refreshed.issuedAt).toBe(iso(clock.nowMs()))
  clock.advance(45 * MINUTE_MS)
  expect((await after.get(`/threads/${resting}/session-token`)).status).toBe(404)
  expect(await verify((await tokenOf(running, after)).token, after)).toMatchObject({valid: true})
})
