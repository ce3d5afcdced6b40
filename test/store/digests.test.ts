import fc from 'fast-check'
import {expect, test} from 'vitest'
import {DIGEST} from '../../src/store/tables/channels/announcement.ts'
import type {Digest} from '../../src/store/tables/channels/digests.ts'
import type {Store} from '../../src/store/store.ts'
import {openTemporary, temporaryStore} from './temporary-store.ts'

const at = {team: 'T1', target: 'C1'}
const daily = {every: 'day', minute: 540, zone: 'UTC'} as const
const from = {untilMs: 100, dayMicros: 7}
const first = {sinceMs: undefined, from, passed: undefined}

function telling(date: string, untilMs: number, channel: string | undefined = 'C1') {
  const until = {untilMs, dayMicros: untilMs / 10}
  return {date, until, announcement: {channel, words: {date, sinceMs: 100, untilMs}}}
}

async function opened(given?: Store) {
  const store = given ?? (await temporaryStore())
  await store.digests.choose(at, daily, first)
  const digest = await store.digests.of(at)
  if (digest === undefined) throw new Error('It was chosen')
  return {...store, digest}
}

test('the digest of a day is told once, with its announcement, whoever asks and however often', async () => {
  const {digests, announcements, digest} = await opened()
  const tries = Array.from({length: 5}, (_, index) => {
    return digests.tell(digest, telling('2026-01-31', 200 + index), 200)
  })
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
  const due = await announcements.due('T1', 300)
  expect(due).toMatchObject([
    {status: DIGEST, channel: 'C1', state: 'wanted', words: {digest: {date: '2026-01-31'}}},
  ])
  expect([...((await digests.daysSince('T1', '2026-01-31')).get('C1') ?? [])]).toEqual([
    '2026-01-31',
  ])
  expect((await digests.daysSince('T1', '2026-02-01')).size).toBe(0)
})

test('what was turned off or changed meanwhile is not told', async () => {
  const {digests, announcements, digest} = await opened()
  const weekly = {every: 'week', weekday: 0, minute: 0, zone: 'Asia/Seoul'} as const
  const {changedAtMs: sinceMs} = digest
  expect(await digests.choose(at, weekly, {...first, sinceMs})).toBe(true)
  expect(await digests.tell(digest, telling('2026-01-31', 200), 200)).toBe(false)
  const changed = await digests.of(at)
  expect(changed?.schedule).toEqual(weekly)
  expect(await digests.end(at)).toBe(true)
  expect(await digests.end(at)).toBe(false)
  expect(await digests.tell(changed ?? digest, telling('2026-01-31', 200), 200)).toBe(false)
  expect(await announcements.due('T1', 300)).toEqual([])
})

test('of two who change it at once the first one does, and the same once more is done', async () => {
  const {digests, digest} = await opened()
  const {changedAtMs: sinceMs} = digest
  const other = {...daily, minute: 600}
  expect(await digests.choose(at, daily, first)).toBe(true)
  expect(await digests.choose(at, other, {...first, sinceMs})).toBe(true)
  expect(await digests.choose(at, {...daily, minute: 630}, {...first, sinceMs})).toBe(false)
  expect(await digests.choose(at, {...daily, minute: 660}, first)).toBe(false)
  expect((await digests.of(at))?.schedule).toEqual(other)
})

test('a day that was over when it was chosen is not told, until it is chosen anew', async () => {
  const {digests} = await opened()
  const mine = {...at, target: 'C2'}
  await digests.choose(mine, daily, {...first, passed: '2026-01-31'})
  const days = async () => (await digests.daysSince('T1', '2026-01-01')).get('C2')
  expect(await days()).toEqual(new Set(['2026-01-31']))
  const {changedAtMs: sinceMs} = (await digests.of(mine)) as Digest
  await digests.choose(mine, {...daily, minute: 600}, {...first, sinceMs})
  expect(await days()).toBeUndefined()
  // What was told stays so, also where it is turned off and on again.
  await digests.tell((await digests.of(mine)) as Digest, telling('2026-01-31', 200, 'C2'), 200)
  await digests.end(mine)
  await digests.choose(mine, daily, {...first, from: {untilMs: 300, dayMicros: 1}})
  expect(await days()).toEqual(new Set(['2026-01-31']))
  expect(await digests.lastTold((await digests.of(mine)) as Digest, 400)).toEqual({
    ...{untilMs: 300, dayMicros: 1},
  })
})

test('each begins where the one before it ended, by a clock that may go back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({min: 101, max: 900}), {maxLength: 6}), async (times) => {
      await using one = await openTemporary()
      const {digests, digest} = await opened(one.store)
      const told: number[] = [from.untilMs]
      for (const [index, nowMs] of times.entries()) {
        const {untilMs} = await digests.lastTold(digest, nowMs)
        expect(untilMs).toBe(Math.max(...told.filter((ms) => ms <= nowMs)))
        await digests.tell(digest, telling(`2026-01-0${index + 1}`, nowMs), nowMs)
        told.push(nowMs)
      }
    }),
    {numRuns: 15},
  )
})

test('what Slack did not take is told by the next one', async () => {
  const {digests, digest} = await opened()
  await digests.tell(digest, telling('2026-01-30', 200), 200)
  await digests.tell(digest, telling('2026-01-31', 300), 300)
  await digests.refuse(at, '2026-01-31', 'not_in_channel')
  expect((await digests.lastTold(digest, 400)).untilMs).toBe(200)
})

test('a day of which Slack lets nobody be told is told by the next one', async () => {
  const {digests, digest} = await opened()
  await digests.tell(digest, telling('2026-01-30', 200), 200)
  const nothing = {date: '2026-01-31', until: {untilMs: 300, dayMicros: 0}, announcement: undefined}
  expect(await digests.tell(digest, {...nothing, code: 'user_disabled'}, 300)).toBe(true)
  expect(await digests.refused('T1')).toMatchObject([{code: 'user_disabled'}])
  expect((await digests.lastTold(digest, 400)).untilMs).toBe(200)
})

test('what Slack did not take is known until it takes another one', async () => {
  const {digests, digest} = await opened()
  await digests.tell(digest, telling('2026-01-30', 200), 200)
  await digests.refuse(at, '2026-01-30', 'is_archived')
  expect(await digests.refused('T1')).toEqual([{target: 'C1', code: 'is_archived'}])
  const silent = {date: '2026-01-31', until: {untilMs: 300, dayMicros: 0}, announcement: undefined}
  await digests.tell(digest, silent, 300)
  expect(await digests.refused('T1')).toHaveLength(1)
  await digests.tell(digest, telling('2026-02-01', 400), 400)
  expect(await digests.refused('T1')).toEqual([])
})

test('somebody’s own goes to their direct messages, and moves with them', async () => {
  const {digests, announcements} = await opened()
  const jane = {team: 'T1', target: 'U1'}
  await digests.choose(jane, daily, first)
  await digests.move(jane, 'Asia/Seoul')
  const digest = (await digests.of(jane)) as Digest
  expect(digest.schedule).toEqual({...daily, zone: 'Asia/Seoul'})
  expect(await digests.tell(digest, telling('2026-01-31', 200, 'D1'), 200)).toBe(true)
  const [one] = await announcements.due('T1', 300)
  expect(one).toMatchObject({channel: 'D1', words: {askedBy: 'U1'}})
})
