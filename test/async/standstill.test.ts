import {expect, onTestFinished, test, vi} from 'vitest'
import {watchStandstills} from '../../src/async/standstill.ts'

/** A watch whose two clocks are set, and whose timer comes when it is told to. */
function open() {
  vi.useFakeTimers()
  const at = {steadyMs: 0, dateMs: 1_000_000}
  const standstill = watchStandstills({longMs: 2000, clocks: [() => at.steadyMs, () => at.dateMs]})
  onTestFinished(() => {
    standstill[Symbol.dispose]()
    vi.useRealTimers()
  })
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      at.steadyMs += 100
      at.dateMs += 100
      vi.advanceTimersByTime(100)
    }
  }
  return {at, pass, isJustOver: () => standstill.isJustOver()}
}

test('a process that goes on stands still at no time', () => {
  const {pass, isJustOver} = open()
  pass(60_000)
  expect(isJustOver()).toBe(false)
})

test.each([
  ['was stopped', {steadyMs: 2600, dateMs: 2600}],
  ['slept with its machine', {dateMs: 3_600_000}],
  ['stood still while its date was set back', {steadyMs: 4000, dateMs: -3_600_000}],
])('what a process reads that %s may have come meanwhile, for a second', (_how, by) => {
  const {at, pass, isJustOver} = open()
  pass(1000)
  for (const [clock, ms] of Object.entries(by)) at[clock as keyof typeof at] += ms
  expect(isJustOver()).toBe(true)
  pass(900)
  expect(isJustOver()).toBe(true)
  pass(100)
  expect(isJustOver()).toBe(false)
})

test('a short one is none, and one that nobody asks about until its timer has come is noticed', () => {
  const {at, pass, isJustOver} = open()
  at.steadyMs += 1900
  pass(500)
  expect(isJustOver()).toBe(false)
  at.steadyMs += 9000
  pass(500)
  expect(isJustOver()).toBe(true)
})
