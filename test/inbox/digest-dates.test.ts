import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {dueDate, nextDueMs} from '../../src/inbox/digest-dates.ts'
import {firstShownMs, isZone, shownAt} from '../../src/inbox/zones.ts'
import {type Walk, walk} from '../support/digests/oracle.ts'
import {
  gaps,
  judge,
  live,
  looksOf,
  quartersOf,
  toSchedule,
  wishIn,
} from '../support/digests/simulation.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Days in which the clocks of each do something odd; `bench/digests.ts` walks 400 days of each. */
const ODD_DAYS = [
  ['UTC', [[2026, 0, 1]]],
  [
    'Europe/Berlin',
    [
      [2026, 2, 29],
      [2026, 9, 25],
    ],
  ],
  [
    'America/New_York',
    [
      [2026, 2, 8],
      [2026, 10, 1],
    ],
  ],
  // Half an hour of summer time.
  [
    'Australia/Lord_Howe',
    [
      [2026, 3, 5],
      [2026, 9, 4],
    ],
  ],
  // 30 December 2011 did not take place.
  [
    'Pacific/Apia',
    [
      [2011, 11, 30],
      [2011, 8, 24],
    ],
  ],
  // Back for a month of each year.
  [
    'Africa/Casablanca',
    [
      [2026, 1, 15],
      [2026, 2, 22],
    ],
  ],
  // Summer time began and ended at midnight.
  [
    'America/Sao_Paulo',
    [
      [2018, 1, 18],
      [2018, 10, 4],
    ],
  ],
  ['Asia/Kathmandu', [[2026, 0, 5]]],
  [
    'Pacific/Chatham',
    [
      [2026, 3, 5],
      [2026, 8, 27],
    ],
  ],
  [
    'Asia/Tehran',
    [
      [2022, 2, 22],
      [2022, 8, 22],
    ],
  ],
  [
    'America/Santiago',
    [
      [2026, 3, 5],
      [2026, 8, 6],
    ],
  ],
  // Clocks changed one minute after midnight.
  [
    'America/St_Johns',
    [
      [2011, 2, 13],
      [2011, 10, 6],
    ],
  ],
] as const
const DAYS = 16

describe.each(ODD_DAYS)('in %s', (zone, odd) => {
  const all = odd.map(([year, month, day]) => walk(zone, Date.UTC(year, month, day - 8), DAYS))
  const walked = (index: number): Walk => all[index % all.length] ?? {fromMs: 0, walls: []}
  const which = fc.integer({min: 0, max: all.length - 1})

  test('there is one digest for each day that is due, at its instant', () => {
    fc.assert(
      fc.property(which, wishIn(zone), (index, wish) => {
        const looks = quartersOf(walked(index))
        expect(judge(wish, walked(index), live(wish, looks), looks)).toEqual([])
      }),
      {numRuns: 20},
    )
  })

  test('it is late, there once, or not at all, where the bot was down or its clock jumped', () => {
    fc.assert(
      fc.property(which, wishIn(zone), gaps(6), (index, wish, breaks) => {
        const looks = [...looksOf(walked(index), breaks)]
        expect(judge(wish, walked(index), live(wish, looks), looks)).toEqual([])
      }),
      {numRuns: 20},
    )
  })
})

const zones = fc.constantFrom(...ODD_DAYS.map(([zone]) => zone))
const instants = fc.integer({min: Date.UTC(2009, 0, 1), max: Date.UTC(2035, 0, 1)})

test('the next one is the first instant at which one is due that is not due now', () => {
  fc.assert(
    fc.property(zones.chain(wishIn), instants, (wish, nowMs) => {
      const schedule = toSchedule(wish)
      const now = dueDate(schedule, () => false, nowMs)
      const isOver = (date: string): boolean => date === now
      const atMs = nextDueMs(schedule, isOver, nowMs)
      expect(atMs).toBeGreaterThan(nowMs)
      expect(dueDate(schedule, isOver, atMs)).toBeDefined()
      expect(atMs - nowMs).toBeLessThan(9 * DAY_MS)
    }),
  )
})

describe('what clocks on a wall show', () => {
  test.for([
    ['is the end of a gap for what they pass over', 'America/New_York', '2026-03-08', 150, '07:00'],
    ['also where that is half an hour', 'Australia/Lord_Howe', '2026-10-04', 135, '15:30'],
    ['and where a day begins with it', 'America/Sao_Paulo', '2018-11-04', 0, '03:00'],
    ['is the first of two', 'America/New_York', '2026-11-01', 90, '05:30'],
    ['in the east as well', 'Europe/Berlin', '2026-10-25', 150, '00:30'],
    ['is what it is on every other day', 'Asia/Kathmandu', '2026-01-05', 540, '03:15'],
  ] as const)('%s', ([, zone, date, minute, utc]) => {
    const atMs = firstShownMs({date, minute}, zone)
    expect(new Date(atMs).toISOString().slice(11, 16)).toBe(utc)
  })

  test('is found again, at its first instant', () => {
    fc.assert(
      fc.property(zones, instants, (zone, atMs) => {
        const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
        const shown = shownAt(minuteMs, zone)
        const firstMs = firstShownMs(shown, zone)
        expect(firstMs).toBeLessThanOrEqual(minuteMs)
        expect(shownAt(firstMs, zone)).toEqual(shown)
      }),
    )
  })

  test('has the names that IANA gives, and no other', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Salta']) {
      expect([zone, isZone(zone)]).toEqual([zone, true])
    }
    for (const zone of [
      '',
      'Mars/Olympus',
      '+05:30',
      'Europe/Berlin ',
      '<!here>',
      'x'.repeat(90),
    ]) {
      expect([zone, isZone(zone)]).toEqual([zone, false])
    }
  })
})

test('a digest of today comes today, also where that of yesterday was missed', () => {
  const at = (day: number, hour: number): number => Date.UTC(2026, 0, day, hour)
  const when = {every: 'day', minute: 540, zone: 'UTC'} as const
  expect(nextDueMs(when, () => false, at(31, 8))).toBe(at(31, 9))
  expect(nextDueMs(when, () => false, at(31, 9))).toBe(at(32, 9))
  expect(nextDueMs(when, (date) => date === '2026-01-31', at(31, 8))).toBe(at(32, 9))
})
