import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readPeriod} from '../../../src/features/browse/period.ts'

const NOW = Date.parse('2026-11-18T14:03:00Z') // a Wednesday

function read(said: string): string {
  const answer = readPeriod(said, NOW)
  if (answer.outcome !== 'period') return answer.outcome
  const {period} = answer
  if (period === undefined) return 'none'
  return [period.fromMs, period.toMs].map((ms) => new Date(ms).toISOString()).join(' ')
}

const span = (from: string, to: string): string => `${from}T00:00:00.000Z ${to}T23:59:59.999Z`

describe('a period', () => {
  test.each([
    ['', 'none'],
    ['2026-11-01', span('2026-11-01', '2026-11-01')],
    ['2026-11', span('2026-11-01', '2026-11-30')],
    ['2024-2', span('2024-02-01', '2024-02-29')],
    ['2025', span('2025-01-01', '2025-12-31')],
    ['today', span('2026-11-18', '2026-11-18')],
    ['Yesterday', span('2026-11-17', '2026-11-17')],
    ['this week', span('2026-11-16', '2026-11-22')],
    ['last week', span('2026-11-09', '2026-11-15')],
    ['this month', span('2026-11-01', '2026-11-30')],
    ['last month', span('2026-10-01', '2026-10-31')],
    ['last year', span('2025-01-01', '2025-12-31')],
    ['last 7 days', span('2026-11-12', '2026-11-18')],
    ['30d', span('2026-10-20', '2026-11-18')],
    ['2026-11-01 2026-11-15', span('2026-11-01', '2026-11-15')],
    ['from 2026-10 to 2026-11', span('2026-10-01', '2026-11-30')],
    ['2026-10..2026-11', span('2026-10-01', '2026-11-30')],
    ['2026-11-01 - yesterday', span('2026-11-01', '2026-11-17')],
    ['last month until yesterday', span('2026-10-01', '2026-11-17')],
    ['since 2026-11-01', '2026-11-01T00:00:00.000Z 2026-11-18T14:03:00.000Z'],
    ['2026-11-01T08:00Z now', '2026-11-01T08:00:00.000Z 2026-11-18T14:03:00.000Z'],
    ['2026-11-01T08:00:00+02:00 2026-11-02', '2026-11-01T06:00:00.000Z 2026-11-02T23:59:59.999Z'],
    ['2026-11-15 2026-11-01', 'backwards'],
    ['2027-01', 'future'],
    ['2026-02-31', 'unreadable'],
    ['2026-13', 'unreadable'],
    ['01.11.2026', 'unreadable'],
    ['last', 'unreadable'],
    ['last 0 days', 'unreadable'],
    ['last 7 weeks', 'unreadable'],
    ['2026-11-01 2026-11-02 2026-11-03', 'unreadable'],
    ['since', 'unreadable'],
    ['2026-11-01T25:61Z', 'unreadable'],
  ])('“%s” is %s', (said, meant) => {
    expect(read(said)).toBe(meant)
  })

  test('names the word that is wrong', () => {
    expect(readPeriod('2026-11-01 tomorow', NOW)).toEqual({outcome: 'unreadable', word: 'tomorow'})
  })

  test('never throws, and never ends before it begins', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('last', 'this', 'week', 'days', 'to', 'since', '-', '9999d', 'now', '..'),
      fc.integer({min: 0, max: 99_999}).map(String),
      fc.date({noInvalidDate: true}).map((date) => date.toISOString().slice(0, 10)),
    )
    fc.assert(
      fc.property(fc.array(word, {maxLength: 5}), fc.integer({min: 0, max: 4e12}), (words, now) => {
        const answer = readPeriod(words.join(' '), now)
        if (answer.outcome !== 'period' || answer.period === undefined) return
        const {fromMs, toMs} = answer.period
        expect(fromMs).toBeLessThanOrEqual(toMs)
        expect(() => new Date(toMs).toISOString()).not.toThrow()
      }),
      {numRuns: 2000},
    )
  })

  test('every day and every month that there is can be named', () => {
    const min = new Date('2000-01-01T00:00:00Z')
    const max = new Date(NOW)
    fc.assert(
      fc.property(fc.date({min, max, noInvalidDate: true}), (date) => {
        const day = date.toISOString().slice(0, 10)
        expect(read(day)).toBe(span(day, day))
        const [from, to] = read(day.slice(0, 7)).split(' ')
        expect(from?.slice(0, 10)).toBe(`${day.slice(0, 7)}-01`)
        expect(to?.slice(0, 7)).toBe(day.slice(0, 7))
      }),
    )
  })
})
