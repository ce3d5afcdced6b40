import {beforeEach, expect, test} from 'vitest'
import {PlatformNotFound, PlatformThreadNotFound} from '../../../src/platform/errors.ts'
import {createManualClock, type ManualClock} from '../../local/platform/manual-clock.ts'
import type {KeyName} from '../../local/platform/client.ts'
import {openContract, type Contract} from './contract.ts'
import {createThread} from './creations.ts'
import {ANY_TEXT} from './matchers.ts'
import {refusalOf} from './refusal.ts'

const MINUTE_MS = 60_000

let clock: ManualClock
let contract: Contract

beforeEach(async () => {
  clock = createManualClock()
  // Runs take their time by the machine's clock, so that sessions stay open while this one is moved.
  contract = await openContract({clock, pace: 20})
})

/** A thread that works for the whole test. */
const newSession = async (projectId = 'project_web'): Promise<string> =>
  (await createThread(contract, {projectId, message: 'some work'})).id

const tokenOf = async (threadId: string): Promise<string> => {
  const {token} = await contract.client().getSessionToken(threadId, contract.signal)
  if (token === undefined) throw new Error('The answer holds no token.')
  return token
}

const verify = (token: string, key: KeyName = 'human') =>
  contract.client(key).verifySession(token, contract.signal)

const VALID = {valid: true}
const EXPIRED = {valid: false, reason: 'expired'}
const INVALID = {valid: false, reason: 'invalid'}

test('3.5.r1 a token is minted when the session starts', async () => {
  const threadId = await newSession()
  expect(await verify(await tokenOf(threadId))).toMatchObject({
    valid: true,
    threadId,
    issuedAt: new Date(clock.nowMs()).toISOString(),
  })
})

test('3.5.r2 a token expires 30 minutes after issuance', async () => {
  const token = await tokenOf(await newSession())
  clock.advance(30 * MINUTE_MS - 1)
  expect(await verify(token)).toMatchObject(VALID)
  clock.advance(1)
  expect(await verify(token)).toEqual(EXPIRED)
})

test('3.5.r3 the heartbeat of the machine refreshes the token before it expires', async () => {
  const threadId = await newSession()
  const tokens = new Set<string>()
  for (let minute = 0; minute <= 90; minute += 5) {
    const token = await tokenOf(threadId)
    tokens.add(token)
    const verified = await verify(token)
    if (!verified.valid) throw new Error(`The current token is ${verified.reason}.`)
    const leftMs = Date.parse(verified.expiresAt ?? '') - clock.nowMs()
    expect(leftMs).toBeGreaterThanOrEqual(15 * MINUTE_MS)
    clock.advance(5 * MINUTE_MS)
  }
  expect(tokens.size).toBeGreaterThanOrEqual(6)
})

test('3.5.r4 the token is cleared when the session is archived', async () => {
  const threadId = await newSession()
  const token = await tokenOf(threadId)
  await contract.client().archive(threadId, contract.signal)
  expect(await refusalOf(tokenOf(threadId))).toBeInstanceOf(PlatformNotFound)
  expect(await verify(token)).toEqual(EXPIRED)
})

test('3.5.r4 the token is cleared when the session stops', async () => {
  const threadId = await newSession()
  await contract.client().interrupt(threadId, contract.signal)
  await contract.finish(threadId)
  clock.advance(24 * 60 * MINUTE_MS)
  expect(await refusalOf(tokenOf(threadId))).toBeInstanceOf(PlatformNotFound)
})

test('4.11.r1 session-token answers the current token of the session', async () => {
  const threadId = await newSession()
  const first = await tokenOf(threadId)
  expect(await tokenOf(threadId)).toBe(first)
  clock.advance(16 * MINUTE_MS)
  expect(await tokenOf(threadId)).not.toBe(first)
  const other = await tokenOf(await newSession())
  expect(await verify(other)).not.toMatchObject({threadId})
})

test('4.11.r1 session-token of a thread that is absent or out of reach answers 404', async () => {
  const threadId = await newSession('project_api')
  for (const hidden of [threadId, 'thread_none']) {
    const asked = contract.client('scoped').getSessionToken(hidden, contract.signal)
    expect(await refusalOf(asked)).toBeInstanceOf(PlatformThreadNotFound)
  }
})

test('4.11.r2 verify answers whose session a valid token is', async () => {
  const threadId = await newSession()
  const token = await tokenOf(threadId)
  clock.advance(MINUTE_MS)
  for (const key of ['human', 'readWrite', 'readOnly', 'scoped'] as const) {
    expect(await verify(token, key)).toEqual({
      valid: true,
      threadId,
      projectId: 'project_web',
      orgId: 'org_acme',
      userId: 'user_jane',
      instanceId: ANY_TEXT,
      issuedAt: new Date(clock.nowMs() - MINUTE_MS).toISOString(),
      expiresAt: new Date(clock.nowMs() + 29 * MINUTE_MS).toISOString(),
    })
  }
})

test('5.r8 verification is opaque: whatever is wrong with a token is invalid', async () => {
  const token = await tokenOf(await newSession())
  const [header = '', claims = '', signature = ''] = token.split('.')
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const forged = [
    'words',
    '',
    '..',
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `${unsigned}.${claims}.`,
    `${unsigned}.${claims}.${signature}`,
    `${header}.${claims}.${signature.split('').reverse().join('')}`,
    `${token}.${signature}`,
  ]
  for (const wrong of forged) expect(await verify(wrong), wrong).toEqual(INVALID)
  expect(await verify(token)).toMatchObject(VALID)
})

test('5.r8 verification works only with access to the project', async () => {
  const token = await tokenOf(await newSession('project_api'))
  expect(await verify(token, 'scoped')).toEqual(INVALID)
  expect(await verify(token, 'readOnly')).toMatchObject(VALID)
})

test('5.r8 verification tells a token that is no longer current from one that never was', async () => {
  const token = await tokenOf(await newSession())
  clock.advance(31 * MINUTE_MS)
  expect(await verify(token)).toEqual(EXPIRED)
  expect(await verify(`${token}x`)).toEqual(INVALID)
})
