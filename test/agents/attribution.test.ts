import {expect, test} from 'vitest'
import {createAttribution} from '../../src/agents/attribution.ts'
import type {PlatformClient} from '../../src/platform/client.ts'
import {
  PlatformForbidden,
  PlatformRateLimited,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../src/platform/errors.ts'
import {organizationUserSchema} from '../../src/platform/model.ts'
import {temporaryStore} from '../store/temporary-store.ts'

const {signal} = new AbortController()
const HOUR_MS = 3_600_000
const users = [
  {id: 'user_kim', email: 'kim@acme.example'},
  {id: 'user_bot', email: null},
].map((user) => organizationUserSchema.parse(user))

async function setUp(emailOf: (user: string) => string | undefined, strangers: string[] = []) {
  const {people} = await temporaryStore()
  let nowMs = 1_000_000
  const asked: (string | undefined)[] = []
  let list = async () => Promise.resolve(users)
  const attribute = createAttribution({
    people,
    clientOf: ({connectionId}) => {
      asked.push(connectionId)
      return {listUsers: () => list()} as unknown as PlatformClient
    },
    emailOf: async (user) => Promise.resolve(emailOf(user)),
    isOfCompany: (user) => Promise.resolve(!strangers.includes(user)),
    nowMs: () => nowMs,
  })
  return {
    asked,
    pass: (ms: number) => void (nowMs += ms),
    fail: (error: Error) => void (list = () => Promise.reject(error)),
    of: (user: string, connectionId?: string) =>
      attribute({team: 'T1', user}, connectionId, signal),
  }
}

test('somebody is who has their e-mail on the platform, in any case, and stays that', async () => {
  const {of, asked, pass} = await setUp(() => 'Kim@ACME.example')
  expect(await of('U1')).toEqual({authorId: 'user_kim'})
  pass(100 * HOUR_MS)
  expect(await of('U1')).toEqual({authorId: 'user_kim'})
  expect(asked).toEqual([undefined])
  // Another key is another organization.
  await of('U1', 'k2')
  expect(asked).toEqual([undefined, 'k2'])
})

test('who is of another company is nobody there, whatever their profile says, and whoever they once were found to be', async () => {
  const strangers: string[] = []
  const {of, asked} = await setUp(() => 'kim@acme.example', strangers)
  await of('U1')
  strangers.push('U1', 'U2')
  expect(await of('U1')).toEqual({byKey: 'unread'})
  expect(await of('U2')).toEqual({byKey: 'unread'})
  expect(asked).toHaveLength(1)
})

test('who is nobody there is looked for again an hour later', async () => {
  const {of, asked, pass} = await setUp(() => 'jane@acme.example')
  expect(await of('U1')).toEqual({byKey: 'nobody'})
  pass(HOUR_MS - 1)
  expect(await of('U1')).toEqual({byKey: 'nobody'})
  expect(asked).toHaveLength(1)
  pass(1)
  await of('U1')
  expect(asked).toHaveLength(2)
})

test('who has no e-mail is nobody, and of whom nobody can tell may be somebody', async () => {
  const {of, asked} = await setUp((user) => (user === 'U-none' ? '' : undefined))
  expect(await of('U-none')).toEqual({byKey: 'nobody'})
  expect(await of('U-unread')).toEqual({byKey: 'unread'})
  expect(asked).toEqual([])
})

test('a key that may not read the members starts work all the same, and what passes is waited for', async () => {
  const {of, fail} = await setUp(() => 'kim@acme.example')
  fail(new PlatformForbidden('no', {status: 403}))
  expect(await of('U1')).toEqual({byKey: 'unread'})
  for (const error of [new PlatformUnreachable('gone', true), new PlatformRateLimited('slow', 5)]) {
    fail(error)
    await expect(of('U1')).rejects.toBe(error)
  }
})

test('with a key that is refused nothing begins, so nobody is taken for unknown', async () => {
  const {of, fail} = await setUp(() => 'kim@acme.example')
  const refused = new PlatformUnauthorized('no', {status: 401})
  fail(refused)
  await expect(of('U1')).rejects.toBe(refused)
})
