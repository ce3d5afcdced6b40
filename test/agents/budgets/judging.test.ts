import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {judge, microsOf, raiseBy, toMicros} from '../../../src/agents/budgets/judging.ts'
import {daysOf, endOf, periodOf, subjectOf} from '../../../src/agents/budgets/periods.ts'

const DOLLAR = 1_000_000

describe('a figure of the platform', () => {
  test.each([
    [0, 0],
    [1, 1000],
    [840, 840_000],
    [4999.9999, 4_999_999],
    [5000, 5 * DOLLAR],
    [0.0004, 0],
  ])('of %d credits is %d millionths of a dollar, rounded down', (credits, micros) => {
    expect(toMicros(credits)).toBe(micros)
  })

  test.each([undefined, NaN, Infinity, -Infinity, -1, 1e13])('%s is none', (credits) => {
    expect(toMicros(credits)).toBeUndefined()
  })

  test('below a budget is below it, however little is missing', () => {
    const cents = fc.integer({min: 1, max: 1e9})
    fc.assert(
      fc.property(
        cents,
        fc.double({min: 0, max: 1, noNaN: true, maxExcluded: true}),
        (of, part) => {
          const limit = microsOf(of / 100)
          expect(limit).toBe(of * 10_000)
          expect((toMicros(of * 10 * part) ?? 0) < limit).toBe(of * 10 * part < of * 10)
          expect(toMicros(of * 10)).toBe(limit)
        },
      ),
    )
  })
})

test.each([
  [0, 5, 'free'],
  [3.999999, 5, 'free'],
  [4, 5, 'near'],
  [4.999999, 5, 'near'],
  [5, 5, 'used'],
  [5.1, 5, 'used'],
  [0, 0, 'used'],
] as const)('of %d dollars spent of %d a budget is %s', (spent, limit, verdict) => {
  const of = {spentMicros: microsOf(spent), limitMicros: microsOf(limit)}
  expect(judge(of)).toBe(verdict)
})

test('what is raised is enough to go on with', () => {
  expect(raiseBy(5, {spentMicros: 5, limitMicros: 5})).toBe(5)
  expect(raiseBy(5, {spentMicros: 9, limitMicros: 5})).toBe(5)
  expect(raiseBy(5, {spentMicros: 12, limitMicros: 5})).toBe(12)
})

describe('periods', () => {
  test.each([
    ['2026-01-31T23:59:59.999Z', '2026-01-31', '2026-01'],
    ['2026-02-01T00:00:00.000Z', '2026-02-01', '2026-02'],
    ['2026-12-31T12:00:00.000Z', '2026-12-31', '2026-12'],
  ])('%s is in %s and %s, by UTC', (at, day, month) => {
    const ms = Date.parse(at)
    expect(periodOf('budgetPerPersonDay', ms)).toBe(day)
    expect(periodOf('budgetPerChannelMonth', ms)).toBe(month)
    expect(periodOf('budgetPerWork', ms)).toBe('')
  })

  test('hold their days, and end', () => {
    expect(daysOf('2026-02')).toEqual({first: '2026-02-01', last: '2026-02-31'})
    expect(daysOf('2026-02-28')).toEqual({first: '2026-02-28', last: '2026-02-28'})
    expect(daysOf('')).toBeUndefined()
    expect(endOf('2026-12')).toBe(Date.UTC(2027, 0, 1))
    expect(endOf('2026-02-28')).toBe(Date.UTC(2026, 2, 1))
    expect(endOf('')).toBeUndefined()
  })

  test("a person's budget counts here if it was set here", () => {
    const whose = {threadId: 't', user: 'U1', channel: 'C1'}
    const person = {threadId: '', user: 'U1'}
    expect(subjectOf('budgetPerPersonDay', whose, true)).toEqual({...person, channel: 'C1'})
    expect(subjectOf('budgetPerPersonDay', whose, false)).toEqual({...person, channel: ''})
  })
})
