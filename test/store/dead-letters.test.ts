import {once} from 'node:events'
import {Worker} from 'node:worker_threads'
import {beforeEach, expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {type Store, openStore} from '../../src/store/store.ts'
import {MAX_GIVEN_UP} from '../../src/store/tables/hooks/kept-bodies.ts'
import {temporaryDatabase, temporaryStore} from './temporary-store.ts'

const DAY_MS = 24 * 3_600_000
const key = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
let store: Store

beforeEach(async () => {
  store = await temporaryStore()
})

/** A delivery that came to this; its id. */
async function settled(
  key: string,
  outcome: 'accepted' | 'no-match' | 'refused' | 'expired' | 'not-found' | 'unsaid',
  {hookId = 'h', nowMs = 1}: {hookId?: string; nowMs?: number} = {},
) {
  const body = `hook:${'x'.repeat(400)}`
  await store.deliveries.add({hookId, team: 'T1', key, sentKey: key, body}, nowMs)
  const [row] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  const id = row?.id ?? 0
  await store.deliveries.settle(id, outcome, undefined, nowMs)
  return id
}

const listed = async (hookIds = ['h'], beforeId?: number) =>
  (await store.deadLetters.list(hookIds, {limit: 500, beforeId})).map(({id}) => id)

test('what was given up is listed, newest first; what came to something is not', async () => {
  await settled('ran', 'accepted')
  await settled('other', 'no-match')
  const ids: number[] = []
  for (const outcome of ['refused', 'expired', 'not-found', 'unsaid'] as const) {
    ids.unshift(await settled(outcome, outcome))
  }
  await settled('elsewhere', 'refused', {hookId: 'another'})
  expect(await listed()).toEqual(ids)
  expect(await listed(['h'], ids[0])).toEqual(ids.slice(1))
  expect(await store.deadLetters.count(['h'])).toBe(4)
  expect(await store.deadLetters.count(['h', 'another'])).toBe(5)
  expect(await store.deadLetters.count([])).toBe(0)
  const [newest] = await store.deadLetters.list(['h'], {limit: 1, beforeId: undefined})
  expect(newest).toMatchObject({outcome: 'unsaid', sealedBytes: 405, givenUpAtMs: 1})
})

test('sent again it leaves the list, once for one press, under the key that the platform knows', async () => {
  const id = await settled('k', 'refused')
  expect(await store.deadLetters.sendAgain(id, 'again-1', 5)).toBe('sent')
  // Whoever died behind it does it again.
  expect(await store.deadLetters.sendAgain(id, 'again-1', 6)).toBe('sent')
  expect(await store.deadLetters.sendAgain(id, 'again-2', 7)).toBe('gone')
  expect(await listed()).toEqual([])
  const [again, first, ...others] = await store.deliveries.log('h', {limit: 9, beforeId: undefined})
  expect(others).toEqual([])
  expect(first).toMatchObject({id, outcome: 'refused', hasBody: false, isGivenUp: false})
  expect(again).toMatchObject({
    ...{sentKey: 'k', outcome: undefined, attempts: 0, isAgain: true, hasBody: true},
    receivedAtMs: 5,
  })
  // The same still is a duplicate when its sender repeats it.
  const repeated = {hookId: 'h', team: 'T1', key: 'k', sentKey: 'k', body: 'b'}
  expect(await store.deliveries.add(repeated, 9)).toBe('duplicate')
})

test('two at once send it once, and what is discarded is gone', async () => {
  const id = await settled('k', 'expired')
  const both = await Promise.all([
    store.deadLetters.sendAgain(id, 'again-1', 5),
    store.deadLetters.sendAgain(id, 'again-2', 5),
  ])
  expect(both.toSorted()).toEqual(['gone', 'sent'])
  const other = await settled('other', 'expired')
  expect([
    await store.deadLetters.discard(other),
    await store.deadLetters.discard(other),
    await store.deadLetters.sendAgain(other, 'again-3', 5),
    await store.deliveries.bodyOf(other),
  ]).toEqual([true, false, 'gone', undefined])
  expect(await store.deadLetters.sendAgain(999, 'again-4', 5)).toBe('gone')
})

test('bodies outlive the log, up to so many of a hook, for thirty days', async () => {
  const first = await settled('first', 'refused')
  for (let index = 0; index < 101; index += 1) await settled(`ran-${index}`, 'accepted')
  expect(await store.deliveries.bodyOf(first)).toBeDefined()
  expect(await store.retention.forgetDeliveries(8 * DAY_MS)).toBe(1)
  for (let index = 0; index < MAX_GIVEN_UP; index += 1) await settled(`lost-${index}`, 'refused')
  expect(await listed()).toHaveLength(MAX_GIVEN_UP)
  expect(await listed()).not.toContain(first)
  expect(await store.deliveries.bodyOf(first)).toBeUndefined()
  await settled('late', 'refused', {nowMs: 31 * DAY_MS})
  while ((await store.retention.forgetDeadLetters(30 * DAY_MS)) > 0);
  expect(await listed()).toHaveLength(1)
})

test('lists of deliveries leave their bodies where they are', async () => {
  const path = await temporaryDatabase()
  const filled = await openStore({path, sealingKeys: [key]})
  const hook = {requestId: 'r', team: 'T1', channel: 'C1', name: 'Nightly', automationId: 'a'}
  const url = new Secret('https://a.example/webhooks/automations/x')
  const {id: hookId} = await filled.hooks.add({...hook, url, madeBy: 'U1'}, 1)
  const body = 'x'.repeat(1_400_000)
  for (let nth = 0; nth < 100; nth += 1) {
    const named = {key: `k${nth}`, sentKey: `k${nth}`}
    await filled.deliveries.add({hookId, team: 'T1', ...named, body}, 1)
    const [one] = await filled.deliveries.log(hookId, {limit: 1, beforeId: undefined})
    if (nth < 40) await filled.deliveries.settle(one?.id ?? 0, 'refused', undefined, 1)
  }
  await filled[Symbol.asyncDispose]()
  const lists = new URL('../support/delivery-lists.ts', import.meta.url)
  const thread = new Worker(lists, {
    workerData: {path, hookId, key: key.key.reveal()},
    resourceLimits: {maxOldGenerationSizeMb: 64},
  })
  // It dies of what it has no room for.
  expect(await once(thread, 'exit')).toEqual([0])
})
