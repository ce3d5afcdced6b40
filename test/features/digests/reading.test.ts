import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createDigestReading} from '../../../src/features/digests/reading.ts'
import {SECTIONS} from '../../../src/features/digests/sections.ts'
import {createOwnWork} from '../../../src/slack/own-work.ts'
import type {Store} from '../../../src/store/store.ts'
import type {LinkChange} from '../../../src/store/tables/work/link.ts'
import {temporaryStore} from '../../store/temporary-store.ts'

const HOUR_MS = 3_600_000
const permalinks = {known: () => undefined, find: async () => undefined}

function readingOf(store: Store, hidden: readonly string[] = []) {
  return createDigestReading({
    ...{store, permalinks, team: 'T1', mergedPullRequests: async () => []},
    names: {
      user: async (id) => `name of ${id}`,
      channel: async (id) => id,
      place: async (id) => id,
    },
    ownWork: createOwnWork({
      ...{store, permalinks, team: 'T1'},
      placed: async (links) => [...links],
    }),
    placed: async (links) => links.filter(({id}) => !hidden.includes(id)),
  })
}

async function open(
  store: Store,
  of: {team?: string; channel?: string; startedBy?: string} & LinkChange,
) {
  const {team = 'T1', channel = 'C1', startedBy = 'U1', ...change} = of
  const key = Math.random().toString(36)
  const place = {team, channel, slackThread: key}
  const made = {place, requestId: key, projectId: 'p', startedBy, threadId: `thread-${key}`}
  const {id} = await store.links.open(made, 0)
  await store.links.change(id, {state: 'open', ...change})
  return id
}

const SINCE = {sinceMs: 1000, untilMs: 2000}

test('a channel is told of its own work alone, each piece in one section', async () => {
  const store = await temporaryStore()
  const at = {statusSinceMs: 1500}
  const ids = {
    waiting: [
      await open(store, {...at, status: 'idle', needsYou: true}),
      // Since long ago, and it still waits.
      await open(store, {statusSinceMs: 1, status: 'ready_for_review'}),
    ],
    failed: [
      await open(store, {...at, status: 'failed'}),
      await open(store, {...at, state: 'ended', notice: {code: 'refused'}}),
    ],
    stopped: [
      await open(store, {...at, status: 'idle', stoppedBy: 'U1'}),
      await open(store, {...at, state: 'archived', status: 'archived', stoppedBy: 'U1'}),
    ],
    done: [
      await open(store, {...at, status: 'idle'}),
      await open(store, {...at, state: 'archived', status: 'archived'}),
    ],
    running: [await open(store, {statusSinceMs: 1, status: 'active'})],
  }
  await open(store, {...at, channel: 'C2', status: 'idle'})
  await open(store, {...at, team: 'T2', status: 'idle'})
  for (const status of ['idle', 'done', 'failed', 'ready_for_review']) {
    await open(store, {...at, state: 'ended', notice: {code: 'misplaced'}, status})
  }
  await open(store, {statusSinceMs: 999, status: 'idle'})
  await open(store, {statusSinceMs: 2000, status: 'failed'})
  const {sections} = await readingOf(store).channel('C1', SINCE, undefined)
  for (const section of SECTIONS) {
    const found = sections[section].map(({link}) => link.id).toSorted()
    expect([section, found]).toEqual([section, ids[section].toSorted()])
  }
  expect(sections.waiting.map(({who}) => who)).toEqual(['name of U1', 'name of U1'])
})

test('a channel is told nothing of what may be shown there no more', async () => {
  const store = await temporaryStore()
  const waiting = {status: 'ready_for_review', statusSinceMs: 1500}
  const [one, other] = [await open(store, waiting), await open(store, waiting)]
  const {sections} = await readingOf(store, [one]).channel('C1', SINCE, undefined)
  expect(sections.waiting.map(({link}) => link.id)).toEqual([other])
})

test('what came to its end is told by one of the digests that follow each other', async () => {
  const ends = fc.array(
    fc.record({atMs: fc.integer({min: 1, max: 50}), status: fc.constantFrom('idle', 'failed')}),
    {minLength: 1, maxLength: 8},
  )
  const cuts = fc.uniqueArray(fc.integer({min: 1, max: 50}), {maxLength: 5})
  await fc.assert(
    fc.asyncProperty(ends, cuts, async (all, times) => {
      const store = await temporaryStore()
      const ids = await Promise.all(
        all.map(({atMs, status}) => open(store, {status, statusSinceMs: atMs})),
      )
      const bounds = [0, ...times.toSorted((a, b) => a - b), 51]
      const told: string[] = []
      for (const [index, untilMs] of bounds.slice(1).entries()) {
        const period = {sinceMs: bounds[index] ?? 0, untilMs}
        const {sections} = await readingOf(store).channel('C1', period, undefined)
        for (const of of SECTIONS) told.push(...sections[of].map(({link}) => link.id))
      }
      expect(told.toSorted()).toEqual(ids.toSorted())
    }),
    {numRuns: 12},
  )
})

test('the costs of the digests of a channel add up to what it spent, whenever they come', async () => {
  const events = fc.array(
    fc.record({
      afterMs: fc.integer({min: 0, max: 30}).map((hours) => hours * HOUR_MS),
      what: fc.oneof(fc.constant('digest' as const), fc.integer({min: 1, max: 1000})),
    }),
    {maxLength: 20},
  )
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const store = await temporaryStore()
      const reading = readingOf(store)
      let nowMs = Date.UTC(2026, 0, 1, 20)
      let [spent, told] = [0, 0]
      let from = {untilMs: nowMs, dayMicros: 0}
      const digest = async (): Promise<void> => {
        const {micros, dayMicros} = await reading.spent('C1', from, nowMs)
        told += micros
        from = {untilMs: nowMs, dayMicros}
      }
      for (const {afterMs, what} of all) {
        nowMs += afterMs
        if (what === 'digest') await digest()
        else {
          spent += what
          const day = new Date(nowMs).toISOString().slice(0, 10)
          const of = {team: 'T1', threadId: 't', channel: 'C1', user: 'U1', day}
          await store.spendings.count({...of, micros: spent, nowMs})
          await store.spendings.count({...of, channel: 'C2', threadId: 'x', micros: spent, nowMs})
        }
      }
      await digest()
      expect(told).toBe(spent)
    }),
    {numRuns: 12},
  )
})

test('somebody is told what waits on them where they are, and nothing where that is in doubt', async () => {
  const store = await temporaryStore()
  const here = await open(store, {status: 'pending_user', statusSinceMs: 1})
  await open(store, {status: 'pending_user', channel: 'C2'})
  await open(store, {status: 'idle', statusSinceMs: 1500})
  await open(store, {status: 'pending_user', startedBy: 'U2'})
  const late = await open(store, {status: 'failed', statusSinceMs: 1500})
  await open(store, {status: 'failed', statusSinceMs: 900})
  const reading = readingOf(store)
  const found = await reading.person('U1', SINCE, async (_user, channel) => channel === 'C1')
  expect(found.map(({link}) => link.id).toSorted()).toEqual([here, late].toSorted())
  expect(await reading.person('U1', SINCE, async () => false)).toEqual([])
})
