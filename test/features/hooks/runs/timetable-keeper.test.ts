import {beforeEach, describe, expect, test, vi} from 'vitest'
import {createRunFinder} from '../../../../src/features/hooks/runs/run-finder.ts'
import {createTimetableKeeper} from '../../../../src/features/hooks/runs/timetable-keeper.ts'
import type {Store} from '../../../../src/store/store.ts'
import type {Timetable} from '../../../../src/store/tables/hooks/timetables.ts'
import {type Contract, openContract} from '../../../contract/platform/contract.ts'
import {createAutomation, createThread} from '../../../contract/platform/creations.ts'
import {type ManualClock, createManualClock} from '../../../local/platform/manual-clock.ts'
import {temporaryStore} from '../../../store/temporary-store.ts'
import {SILENT_LOG} from '../../../support/silent-log.ts'

const REFERENCE = 'bosun-run:0123456789abcdef'
const OTHER = 'bosun-run:abcdefabcdefabcd'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOON_MS = Date.UTC(2026, 0, 5, 12)
const place = {team: 'T1', channel: 'G1'}

let store: Store
let clock: ManualClock
let contract: Contract
let automationId: string

/** An automation of a private channel, at half past eleven. */
beforeEach(async () => {
  store = await temporaryStore()
  isRight = true
  aheadMs = 0
  clock = createManualClock(NOON_MS - HOUR_MS / 2)
  contract = await openContract({clock, pace: 0})
})

async function schedule(
  cron: string,
  more: {reference?: string; maxRunsPerDay?: number; isPrivate?: boolean} = {},
) {
  const {reference = REFERENCE, isPrivate = true, ...fields} = more
  const {id} = await createAutomation(contract, {
    ...{triggers: [{type: 'schedule', cron, timezone: 'UTC'}]},
    ...{prompt: `a quick look\n\n---\n${reference}`, ...fields},
  })
  automationId = id
  const schedules = [{cron, zone: 'UTC'}]
  const momentMs = cron.startsWith('*') ? clock.nowMs() + MINUTE_MS : NOON_MS
  await store.timetables.add({
    ...{...place, automationId, name: 'Nightly', projectId: 'project_web'},
    ...{connectionId: undefined, reference, schedules, isPrivate, momentMs},
  })
}

const automation = () => ({...place, automationId})
const standing = async () => (await store.timetables.of(automation())) as Timetable
const found = async () =>
  (await store.runs.ofAutomation(automation(), 100)).map(({threadId}) => threadId).toSorted()
const begun = () =>
  contract.platform
    .threads()
    .map(({id}) => id)
    .toSorted()
/** What was asked of the platform since the last time. */
let judged = 0
function asked(): string[] {
  const rows = contract.platform.ledger.slice(judged)
  judged = contract.platform.ledger.length
  return rows
    .filter(({method}) => method === 'GET')
    .map(({path}) =>
      path
        .replace(/\?.*/, '')
        .replace(/^.*\/v1\//, '')
        .replace(/thread_[^/]+/, '…'),
    )
}

/** Whether it can be told from elsewhere what time it is. */
let isRight: boolean
/** So far our clock is ahead of the platform's, until that has answered. */
let aheadMs: number

function start() {
  return createTimetableKeeper({
    ...store,
    finder: createRunFinder({
      ...store,
      clientOf: () => {
        aheadMs = 0
        return contract.client()
      },
    }),
    teams: () => ['T1'],
    timetablesOf: () => store.timetables,
    clientOf: () => contract.client(),
    isClosed: async () => true,
    onFound: () => undefined,
    clock: {isOlder: async (sinceMs, thanMs) => isRight && clock.nowMs() - sinceMs > thanMs},
    nowMs: () => clock.nowMs() + aheadMs,
    log: SILENT_LOG,
  })
}

/** Lets time pass while it is kept, a little at a time. */
async function keep(ms: number, {stepMs = 1000} = {}) {
  await using keeper = start()
  for (let passed = 0; passed < ms; passed += stepMs) {
    clock.advance(stepMs)
    keeper.wake()
    await looked()
  }
}

/** Five seconds pass, it looks, and is to look again at this time. */
async function looksAgainAt(atMs: number) {
  await using keeper = start()
  clock.advance(5000)
  keeper.wake()
  await vi.waitFor(async () => expect(await store.timetables.nextDueAtMs(['T1'])).toBe(atMs), {
    timeout: 30_000,
    interval: 2,
  })
}

/** Nothing is due any more. */
async function looked() {
  await vi.waitFor(
    async () => {
      const atMs = await store.timetables.nextDueAtMs(['T1'])
      if (atMs !== undefined && atMs <= clock.nowMs()) throw new Error('It is looked for')
    },
    {timeout: 120_000, interval: 2},
  )
}

describe('what a schedule begins', () => {
  test('is found two seconds after each of its moments, once, and nothing is asked in between', async () => {
    await schedule('0 * * * *')
    asked()
    await keep(HOUR_MS / 2 - MINUTE_MS, {stepMs: MINUTE_MS})
    expect(asked()).toEqual([])
    await keep(MINUTE_MS + 5000)
    expect(await found()).toEqual(begun())
    expect(asked()).toEqual(['threads', 'threads/…/messages'])
    expect(await standing()).toMatchObject({momentMs: NOON_MS + HOUR_MS, looks: 0})
    await keep(HOUR_MS, {stepMs: 5000})
    expect(begun()).toHaveLength(2)
    expect(await found()).toEqual(begun())
    expect(asked()).toEqual(['threads', 'threads/…/messages'])
  })

  test('of a private place is held back from its moment on, and private for good', async () => {
    await schedule('0 * * * *')
    const heldBack = async () => (await store.origins.underway(clock.nowMs())).length
    expect(await heldBack()).toBe(0)
    clock.advance(HOUR_MS / 2)
    const [threadId = ''] = begun()
    expect(await heldBack()).toBe(1)
    await keep(5000)
    expect(await heldBack()).toBe(0)
    expect((await store.origins.of([threadId])).get(threadId)).toEqual({
      ...{mark: 'private', channels: [place], rooms: []},
    })
  })

  test('is found where our clock is ahead, as soon as the platform has said what time it is', async () => {
    await schedule('0 * * * *')
    aheadMs = HOUR_MS / 2
    await looksAgainAt(NOON_MS)
    expect(await standing()).toMatchObject({momentMs: NOON_MS, looks: 0})
    await keep(HOUR_MS / 2, {stepMs: 5000})
    expect(begun()).toHaveLength(1)
    expect(await found()).toEqual(begun())
  })

  test('while nobody was there is found by the next look, all of it', async () => {
    await schedule('*/10 * * * *')
    await createThread(contract, {message: 'something else'})
    clock.advance(3 * HOUR_MS + 1000)
    const others = contract.platform.threads().filter(({requestId}) => requestId !== null)
    expect(others).toHaveLength(1)
    await keep(5000)
    expect(await found()).toHaveLength(18)
    expect(await found()).toEqual(begun().filter((id) => id !== others[0]?.id))
    const next = {momentMs: NOON_MS + 2.5 * HOUR_MS + 10 * MINUTE_MS, looks: 0}
    expect(await standing()).toMatchObject(next)
  })

  test('is found where more of it was begun than one look reads', async () => {
    await schedule('* * * * *')
    clock.advance(2 * HOUR_MS)
    expect(begun()).toHaveLength(120)
    await keep(1000)
    expect(await found()).toHaveLength(100)
    expect((await store.runs.ofAutomation(automation(), 200)).length).toBe(120)
  })

  test('is found when the platform was away, however many moments have passed', async () => {
    await schedule('0 * * * *')
    const away = contract.platform.control.faults.add({
      ...{match: {path: 'threads'}, times: null},
      fault: {kind: 'answer', status: 503, applied: false},
    })
    await keep(3 * HOUR_MS, {stepMs: HOUR_MS})
    expect(begun()).toHaveLength(3)
    expect(await found()).toEqual([])
    contract.platform.control.faults.remove(away)
    await keep(MINUTE_MS)
    expect(await found()).toEqual(begun())
  })

  test('is found beside work whose messages the platform does not give', async () => {
    await schedule('0 * * * *')
    clock.advance(HOUR_MS / 2 - MINUTE_MS)
    const {id} = await createThread(contract, {message: 'something else'})
    contract.platform.control.faults.add({
      ...{match: {path: id}, times: null},
      fault: {kind: 'answer', status: 404, applied: false},
    })
    await keep(MINUTE_MS + 5000)
    expect(begun()).toHaveLength(2)
    expect(await found()).toEqual(begun().filter((one) => one !== id))
  })

  test('is waited for beside what another one has begun, while its own cannot be read', async () => {
    await schedule('0 * * * *', {reference: OTHER})
    const other = automation()
    await schedule('0 * * * *')
    clock.advance(HOUR_MS / 2)
    const [unread = '', read = ''] = begun()
    const fault = contract.platform.control.faults.add({
      ...{match: {path: unread}, times: null},
      fault: {kind: 'answer', status: 502, applied: false},
    })
    const both = async () => {
      const runs = [other, automation()].map((of) => store.runs.ofAutomation(of, 100))
      return (await Promise.all(runs)).flat().map(({threadId}) => threadId)
    }
    await keep(5000)
    expect(await both()).toEqual([read])
    for (const of of [other, automation()]) {
      expect(await store.timetables.of(of)).toMatchObject({momentMs: NOON_MS, looks: 0})
    }
    contract.platform.control.faults.remove(fault)
    await keep(MINUTE_MS)
    expect((await both()).toSorted()).toEqual(begun())
  })

  test.each([
    [false, 24 * HOUR_MS],
    // What it begins meanwhile is nobody else's business.
    [true, 3 * 24 * HOUR_MS],
  ])(
    'is passed over once nobody could look for long, and not by a clock that may be wrong; private: %j',
    async (isPrivate, givenUpMs) => {
      await schedule('0 * * * *', {isPrivate})
      contract.platform.control.faults.add({
        ...{match: {path: 'threads'}, times: null},
        fault: {kind: 'answer', status: 403, applied: false},
      })
      await keep(givenUpMs - HOUR_MS, {stepMs: givenUpMs / 24})
      expect(await standing()).toMatchObject({momentMs: NOON_MS})
      isRight = false
      await keep(givenUpMs + 6 * HOUR_MS, {stepMs: givenUpMs / 24})
      expect(await standing()).toMatchObject({momentMs: NOON_MS})
      isRight = true
      await keep(10 * MINUTE_MS, {stepMs: MINUTE_MS})
      expect((await standing()).momentMs).toBeGreaterThan(NOON_MS + givenUpMs)
    },
  )

  test('is not looked for while it is disabled, but for one look at each moment', async () => {
    await schedule('0 * * * *')
    await contract.client().disableAutomation(automationId, contract.signal)
    asked()
    await keep(2 * HOUR_MS, {stepMs: 10_000})
    expect(asked()).toEqual(['threads', 'automations', 'threads', 'automations'])
    expect(await store.origins.underway(clock.nowMs())).toEqual([])
  })

  test('is looked for ten minutes where it does not come, or until its next moment', async () => {
    await schedule('0 * * * *', {maxRunsPerDay: 1})
    await keep(HOUR_MS / 2 + MINUTE_MS, {stepMs: 10_000})
    expect(await found()).toHaveLength(1)
    asked()
    await keep(HOUR_MS + 10 * MINUTE_MS)
    expect(asked().toSorted()).toEqual(['automations', ...Array<string>(8).fill('threads')])
    expect(await standing()).toMatchObject({momentMs: NOON_MS + 2 * HOUR_MS, looks: 0})
    expect(await found()).toHaveLength(1)
  })

  test('of several in one project is found by one look', async () => {
    await schedule('0 * * * *')
    await schedule('0 * * * *', {reference: OTHER})
    asked()
    await keep(HOUR_MS / 2 + 5000, {stepMs: 5000})
    expect(await found()).toHaveLength(1)
    expect(asked()).toEqual(['threads', 'threads/…/messages', 'threads/…/messages'])
  })

  test('is written down once by two that look at once', async () => {
    await schedule('* * * * *')
    clock.advance(10 * MINUTE_MS)
    await using one = start()
    await using other = start()
    one.wake()
    other.wake()
    await looked()
    clock.advance(MINUTE_MS + 3000)
    one.wake()
    other.wake()
    await looked()
    expect(await found()).toEqual(begun())
  })
})
