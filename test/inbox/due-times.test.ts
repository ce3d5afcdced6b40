import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {nextReminderMs, startOfDayMs, tomorrowMorningMs} from '../../src/inbox/due-times.ts'

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Asia/Seoul', 'America/New_York', 'Australia/Lord_Howe'],
  ...['Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Casablanca'],
  ...['America/Santiago', 'Asia/Kathmandu', 'Pacific/Chatham'],
]
const zone = fc.constantFrom(...ZONES)
const instant = fc.integer({min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1)})
const HOUR_MS = 3_600_000

const morning = (nowMs: number, where: string): number =>
  nextReminderMs({reminders: 1, madeAtMs: nowMs - 4 * HOUR_MS}, nowMs, where) ?? NaN

/** As a clock on the wall there shows it: `Mon 2026-11-23 09:00:00`. */
function shownIn(ms: number, timeZone: string): string {
  const date = new Date(ms)
  const day = date.toLocaleDateString('en-US', {timeZone, weekday: 'short'})
  return `${day} ${date.toLocaleString('sv-SE', {timeZone})}`
}

describe('reminders', () => {
  test('come four hours after the call, then in the morning, then never', () => {
    const madeAtMs = Date.UTC(2026, 10, 17, 10)
    const secondMs = nextReminderMs({reminders: 0, madeAtMs}, madeAtMs + HOUR_MS / 2, 'UTC')
    expect(secondMs).toBe(madeAtMs + 4 * HOUR_MS)
    const thirdMs = nextReminderMs({reminders: 1, madeAtMs}, madeAtMs + 4 * HOUR_MS, 'UTC')
    expect(thirdMs).toBe(Date.UTC(2026, 10, 18, 9))
    expect(nextReminderMs({reminders: 2, madeAtMs}, madeAtMs, 'UTC')).toBeUndefined()
  })

  test('that were put off do not bring the next one at once', () => {
    const nowMs = Date.UTC(2026, 10, 17, 10)
    const late = {reminders: 0, madeAtMs: nowMs - 24 * HOUR_MS}
    expect(nextReminderMs(late, nowMs, 'UTC')).toBe(nowMs + HOUR_MS / 2)
  })

  test.for([
    ['over a weekend', Date.UTC(2026, 10, 20, 16), 'Europe/Berlin', 'Mon 2026-11-23 09:00:00'],
    ['before nine', Date.UTC(2026, 10, 17, 3), 'Europe/Berlin', 'Tue 2026-11-17 09:00:00'],
    [
      'shortly before nine',
      Date.UTC(2026, 10, 17, 7, 59),
      'Europe/Berlin',
      'Wed 2026-11-18 09:00:00',
    ],
    ['at nine', Date.UTC(2026, 10, 17, 8), 'Europe/Berlin', 'Wed 2026-11-18 09:00:00'],
    ['into summer time', Date.UTC(2026, 2, 27, 12), 'Europe/Berlin', 'Mon 2026-03-30 09:00:00'],
    ['out of it', Date.UTC(2026, 9, 30, 18), 'America/New_York', 'Mon 2026-11-02 09:00:00'],
    [
      'where it is the next day',
      Date.UTC(2026, 10, 19, 23),
      'Asia/Seoul',
      'Fri 2026-11-20 09:00:00',
    ],
  ] as const)('%s', ([, nowMs, where, shown]) => {
    expect(shownIn(morning(nowMs, where), where)).toBe(shown)
  })

  test('are at nine of the first working day there, everywhere and always', () => {
    fc.assert(
      fc.property(instant, zone, (nowMs, where) => {
        const atMs = morning(nowMs, where)
        expect(shownIn(atMs, where)).toMatch(/^(?:Mon|Tue|Wed|Thu|Fri) \S+ 09:00:00$/)
        expect(atMs).toBeGreaterThan(nowMs + HOUR_MS / 2)
        // No other nine o'clock of a working day lies in between.
        for (let ms = atMs - 24 * HOUR_MS; ms > nowMs + HOUR_MS; ms -= 24 * HOUR_MS) {
          expect(shownIn(ms, where)).toMatch(/^(?:Sat|Sun)/)
        }
      }),
    )
  })

  test('that are put off until tomorrow come at nine of the next day', () => {
    fc.assert(
      fc.property(instant, zone, (nowMs, where) => {
        const atMs = tomorrowMorningMs(nowMs, where)
        expect(shownIn(atMs, where)).toMatch(/ 09:00:00$/)
        const days = (ms: number) => Date.parse(shownIn(ms, where).slice(4, 14)) / (24 * HOUR_MS)
        expect(days(atMs) - days(nowMs)).toBe(1)
      }),
    )
  })

  test('of somebody whose time zone nobody knows come in UTC', () => {
    const nowMs = Date.UTC(2026, 10, 17, 10)
    expect(tomorrowMorningMs(nowMs, 'Mars/Olympus')).toBe(Date.UTC(2026, 10, 18, 9))
  })
})

test('a day begins at its first midnight', () => {
  fc.assert(
    fc.property(
      instant,
      fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
      (nowMs, where) => {
        const atMs = startOfDayMs(nowMs, where)
        expect(shownIn(atMs, where)).toMatch(/ 00:00:00$/)
        expect(shownIn(atMs, where).slice(4, 14)).toBe(shownIn(nowMs, where).slice(4, 14))
      },
    ),
  )
})
