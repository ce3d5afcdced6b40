import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createReminders} from '../../src/inbox/reminders.ts'
import {TryLater} from '../../src/inbox/try-later.ts'

type Options = Parameters<typeof createReminders>[0]

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 10, 17, 6)
/** So many the table gives at once. */
const AT_ONCE = 3

beforeEach(() => void vi.useFakeTimers({now: START_MS}))
afterEach(() => void vi.useRealTimers())

interface Row {
  team: string
  linkId: string
  reminders: number
  madeAtMs: number
  dueAtMs: number | undefined
}

/** Calls in a table, and when each was shown anew. */
function open(rows: Row[], more: Partial<Options> = {}) {
  const shown: string[] = []
  const logged: string[] = []
  const due = async (nowMs: number, teams: readonly string[]): Promise<Row[]> =>
    rows
      .filter(({team, dueAtMs = Infinity}) => teams.includes(team) && dueAtMs <= nowMs)
      .slice(0, AT_ONCE)
  const remind = async (row: Row, nextAtMs: number | undefined): Promise<boolean> => {
    row.dueAtMs = nextAtMs
    row.reminders += 1
    return row.linkId !== 'answered'
  }
  const nextDueAtMs = async (teams: readonly string[]): Promise<number | undefined> => {
    const times = rows.flatMap(({team, dueAtMs}) => (teams.includes(team) ? (dueAtMs ?? []) : []))
    return times.length === 0 ? undefined : Math.min(...times)
  }
  const reminders = createReminders({
    notifications: {due, remind, nextDueAtMs} as unknown as Options['notifications'],
    teams: () => ['T1', 'T2'],
    show: async (linkId) => void shown.push(`${linkId} ${(Date.now() - START_MS) / HOUR_MS}`),
    zoneOf: async () => 'UTC',
    log: {error: (_, message) => void logged.push(message)},
    ...more,
  })
  return {reminders, shown, logged}
}

const call = (linkId: string, dueInHours: number): Row => ({
  ...{team: 'T1', linkId, reminders: 0, madeAtMs: START_MS},
  dueAtMs: START_MS + dueInHours * HOUR_MS,
})
/** Its second reminder is due, and the third one by the zone. */
const again = (linkId: string): Row => ({...call(linkId, 0), reminders: 1})

test('each is reminded when it is due: with the call, four hours later, the next morning, and then never', async () => {
  const {reminders, shown} = open([call('a', 1)])
  reminders.wake()
  await vi.advanceTimersByTimeAsync(60 * HOUR_MS)
  expect(shown).toEqual(['a 1', 'a 4', 'a 27'])
  await reminders[Symbol.asyncDispose]()
})

test('it does not wait for the minute where one is due sooner', async () => {
  const {reminders, shown} = open([call('a', 1 / 180)])
  reminders.wake()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(shown).toHaveLength(1)
  await reminders[Symbol.asyncDispose]()
})

test('who has answered meanwhile is shown nothing', async () => {
  const {reminders, shown} = open([call('answered', 1), call('b', 1)])
  reminders.wake()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(shown).toEqual(['b 1'])
  await reminders[Symbol.asyncDispose]()
})

test('what came without a word is found within a minute', async () => {
  const rows: Row[] = []
  const {reminders, shown} = open(rows)
  reminders.wake()
  await vi.advanceTimersByTimeAsync(0)
  rows.push(call('a', 0))
  await vi.advanceTimersByTimeAsync(59_999)
  expect(shown).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(shown).toHaveLength(1)
  await reminders[Symbol.asyncDispose]()
})

test('a table that cannot be read is read again five seconds later', async () => {
  let fails = 1
  const zoneOf = async (): Promise<string> => {
    if ((fails -= 1) >= 0) throw new Error('no disk')
    return 'UTC'
  }
  const {reminders, shown, logged} = open([again('a')], {zoneOf})
  reminders.wake()
  await vi.advanceTimersByTimeAsync(4999)
  expect([shown, logged]).toEqual([[], ['Reminders could not be looked at']])
  await vi.advanceTimersByTimeAsync(1)
  expect(shown).toHaveLength(1)
  await reminders[Symbol.asyncDispose]()
})

test('a stop leaves the rest to the next start', async () => {
  let end: PromiseLike<void> | undefined
  const all = open([again('a'), again('b')], {
    zoneOf: async () => {
      end ??= all.reminders[Symbol.asyncDispose]()
      return 'UTC'
    },
  })
  all.reminders.wake()
  await vi.advanceTimersByTimeAsync(0)
  await end
  expect(all.shown).toEqual(['a 0'])
})

test('no workspace waits for the slow Slack of another one, and each keeps its order', async () => {
  const slow = Promise.withResolvers<string>()
  const rows = [again('a'), call('b', 0), {...call('c', 0), team: 'T2'}]
  const zoneOf: Options['zoneOf'] = ({linkId}) =>
    linkId === 'a' ? slow.promise : Promise.resolve('UTC')
  const {reminders, shown} = open(rows, {zoneOf})
  reminders.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(shown).toEqual(['c 0'])
  slow.resolve('UTC')
  await vi.advanceTimersByTimeAsync(0)
  expect(shown).toEqual(['c 0', 'a 0', 'b 0'])
  await reminders[Symbol.asyncDispose]()
})

test('a morning of which Slack does not say where it is waits, and nobody else does for that', async () => {
  let isSilent = true
  const zoneOf: Options['zoneOf'] = async ({linkId}) => {
    if (isSilent && linkId.startsWith('silent')) throw new TryLater(undefined)
    return 'Asia/Tokyo'
  }
  const silent = ['silent1', 'silent2', 'silent3'].map(again)
  const rows = [...silent, {...call('a', 0.01), team: 'T2'}]
  const {reminders, shown, logged} = open(rows, {zoneOf})
  reminders.wake()
  await vi.advanceTimersByTimeAsync(0.01 * HOUR_MS)
  expect(shown).toEqual(['a 0.01'])
  isSilent = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(shown).toHaveLength(4)
  // 9:00 of the next day, where they are.
  expect(silent.map(({dueAtMs}) => dueAtMs)).toEqual(Array(3).fill(Date.UTC(2026, 10, 18)))
  expect(logged).toEqual([])
  await reminders[Symbol.asyncDispose]()
})

test('a Slack that hangs is asked for one person, and for the others later', async () => {
  const asked: string[] = []
  const zoneOf: Options['zoneOf'] = async ({linkId}) => {
    asked.push(linkId)
    await new Promise((resolve) => setTimeout(resolve, 10_000))
    throw new TryLater(undefined)
  }
  const rows = [again('a'), again('b'), call('d', 0), {...call('c', 0.004), team: 'T2'}]
  const {reminders, shown} = open(rows, {zoneOf})
  reminders.wake()
  await vi.advanceTimersByTimeAsync(20_000)
  // Whose zone does not matter is not kept waiting longer than that.
  expect([asked, shown.map((it) => it.split(' ')[0])]).toEqual([['a'], ['d', 'c']])
  await reminders[Symbol.asyncDispose]()
})

test('the second reminder comes four hours later wherever somebody is', async () => {
  const zoneOf = async () => Promise.reject(new TryLater(undefined))
  const {reminders, shown} = open([call('a', 0)], {zoneOf})
  reminders.wake()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(shown).toEqual(['a 0'])
  await reminders[Symbol.asyncDispose]()
})
