import {expect, test} from 'vitest'
import {elapsedMs} from '../../../src/store/ownership/moment.ts'

test('the clock that went further counts', () => {
  const since = {monotonicMs: 100, dateMs: 5000}
  expect(elapsedMs(since, {monotonicMs: 200, dateMs: 25_000})).toBe(20_000)
  expect(elapsedMs(since, {monotonicMs: 9100, dateMs: 4000})).toBe(9000)
})
