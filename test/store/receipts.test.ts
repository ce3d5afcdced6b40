import fc from 'fast-check'
import {expect, test} from 'vitest'
import {HOOK_RECEIPT} from '../../src/store/tables/channels/announcement.ts'
import type {DeliveryOutcome} from '../../src/store/tables/hooks/deliveries.ts'
import type {Store} from '../../src/store/store.ts'
import {openTemporary, temporaryStore} from './temporary-store.ts'

const OUTCOMES: readonly DeliveryOutcome[] = ['accepted', 'duplicate', 'no-match', 'not-found']
const receipt = {channel: 'C1', name: 'Deploy'}
const FOREVER = 1e15
let keys = 0

async function deliver({deliveries}: Store, hookId: string, atMs: number): Promise<number> {
  const key = `k${(keys += 1)}`
  await deliveries.add({hookId, team: 'T1', key, sentKey: key, body: 'sealed'}, atMs)
  const [added] = await deliveries.log(hookId, {limit: 1, beforeId: undefined})
  return added?.id ?? 0
}

const countsDue = async ({announcements}: Store, nowMs: number) =>
  (await announcements.due('T1', nowMs)).map(({words}) => words.receipt?.counts)

test('what was delivered just now is told at once, each by itself where each is posted at once', async () => {
  const store = await temporaryStore()
  const [first, second] = [await deliver(store, 'h', 0), await deliver(store, 'h', 0)]
  await store.deliveries.settle(first, 'accepted', receipt, 5)
  expect(await countsDue(store, 5)).toEqual([{accepted: 1}])
  const [drawn] = await store.announcements.due('T1', 5)
  if (drawn === undefined) throw new Error('Nothing is due.')
  expect(await store.announcements.intend(drawn)).toBe(true)
  await store.deliveries.settle(second, 'accepted', receipt, 6)
  expect(await countsDue(store, 6)).toEqual([{accepted: 1}, {accepted: 1}])
})

test('what was late is told together, when the last of it is through, and after two minutes at the latest', async () => {
  const store = await temporaryStore()
  const [a, b] = [await deliver(store, 'h', 0), await deliver(store, 'h', 0)]
  const [c, d] = [await deliver(store, 'h', 0), await deliver(store, 'h', 0)]
  const other = await deliver(store, 'other', 0)
  const nowMs = 60_000
  await store.deliveries.settle(a, 'accepted', receipt, nowMs)
  await store.deliveries.settle(b, 'no-match', receipt, nowMs + 1)
  expect(await countsDue(store, nowMs + 119_999)).toEqual([])
  expect(await store.announcements.nextDueAtMs('T1', nowMs)).toBe(nowMs + 120_000)
  expect(await countsDue(store, nowMs + 120_000)).toEqual([{accepted: 1, 'no-match': 1}])
  await store.deliveries.settle(other, 'accepted', receipt, nowMs + 2)
  expect(await countsDue(store, nowMs + 2)).toEqual([{accepted: 1}])
  await store.deliveries.settle(c, 'accepted', receipt, nowMs + 3)
  await store.deliveries.settle(d, 'not-found', receipt, nowMs + 4)
  const all = {accepted: 2, 'no-match': 1, 'not-found': 1}
  expect(await countsDue(store, nowMs + 4)).toEqual([{accepted: 1}, all])
  expect(await store.announcements.nextDueAtMs('T1', nowMs + 4)).toBeUndefined()
})

test('what was to wait by a clock that was ahead is told once that is set right', async () => {
  const store = await temporaryStore()
  const [late, other] = [await deliver(store, 'h', 0), await deliver(store, 'h2', 0)]
  const aheadMs = 86_400_000
  await store.deliveries.settle(late, 'accepted', receipt, aheadMs)
  await deliver(store, 'h2', 0)
  await store.deliveries.settle(other, 'no-match', receipt, 60_000)
  // It waits for what else is delivered to its hook.
  expect(await countsDue(store, 60_000)).toEqual([{accepted: 1}])
  expect(await store.announcements.nextDueAtMs('T1', 60_000)).toBe(180_000)
  expect(await store.announcements.nextDueAtMs('T1', 180_000)).toBeUndefined()
})

test('what was drawn before it came to tell more is not posted', async () => {
  const store = await temporaryStore()
  const [first, second] = [await deliver(store, 'h', 0), await deliver(store, 'h', 0)]
  await store.deliveries.settle(first, 'accepted', receipt, 1)
  const [drawn] = await store.announcements.due('T1', 1)
  if (drawn === undefined) throw new Error('Nothing is due.')
  await store.deliveries.settle(second, 'accepted', receipt, 2)
  expect(await store.announcements.intend(drawn)).toBe(false)
  expect(await countsDue(store, 2)).toEqual([{accepted: 2}])
})

test('however deliveries and messages take turns, each delivery is counted once', async () => {
  const turn = fc.oneof(
    fc.record({
      hookId: fc.constantFrom('a', 'b'),
      outcome: fc.constantFrom(...OUTCOMES),
      lateMs: fc.constantFrom(0, 60_000),
      leaves: fc.constantFrom(0, 1),
    }),
    fc.constant('post' as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(turn, {maxLength: 25}), async (turns) => {
      await using opened = await openTemporary()
      const {store} = opened
      const wanted: Record<string, number> = {}
      let nowMs = 100_000
      for (const it of turns) {
        nowMs += 1000
        if (it === 'post') {
          for (const one of await store.announcements.due('T1', nowMs)) {
            if (one.state === 'wanted') await store.announcements.intend(one)
          }
          continue
        }
        for (let more = 0; more < it.leaves; more += 1) await deliver(store, it.hookId, nowMs)
        const id = await deliver(store, it.hookId, nowMs - it.lateMs)
        await store.deliveries.settle(id, it.outcome, receipt, nowMs)
        const name = `${it.hookId} ${it.outcome}`
        wanted[name] = (wanted[name] ?? 0) + 1
      }
      const told: Record<string, number> = {}
      for (const {status, words} of await store.announcements.due('T1', FOREVER)) {
        expect(status).toBe(HOOK_RECEIPT)
        const {hookId = '', counts = {}} = words.receipt ?? {}
        for (const [outcome, count] of Object.entries(counts)) {
          told[`${hookId} ${outcome}`] = (told[`${hookId} ${outcome}`] ?? 0) + count
        }
      }
      expect(told).toEqual(wanted)
    }),
    {numRuns: 25},
  )
})
