import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {timerMs} from '../../src/async/clock.ts'
import {pause} from '../../src/async/pause.ts'

test.for([2 ** 31, 9_999_999_000, Infinity])(
  'a pause of %d ms, longer than any timer, does not end at once',
  async (ms) => {
    const stop = new AbortController()
    const paused = pause(ms, stop.signal).then(() => 'over')
    expect(await Promise.race([paused, delay(50, 'goes on')])).toBe('goes on')
    stop.abort()
    expect(await paused).toBe('over')
  },
)

test.for([
  [-8.67, 0],
  [0, 0],
  [1500, 1500],
  [2 ** 31, 2 ** 31 - 1],
  [Infinity, 2 ** 31 - 1],
])('a timer for %d ms is set to %d, of which Node warns nobody', ([ms = 0, set]) => {
  expect(timerMs(ms)).toBe(set)
})
