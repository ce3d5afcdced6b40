import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {type Lookout, createLookout} from '../../src/async/lookout.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A look that answers what it is told to, and how often there was one. */
function watched(nextMs: () => number | undefined | Promise<number | undefined>) {
  const seen = {looks: 0, failures: 0}
  const lookout: Lookout = createLookout({
    look: async () => {
      seen.looks += 1
      return nextMs()
    },
    onFailure: () => (seen.failures += 1),
    retryMs: 5000,
  })
  return {seen, lookout}
}

test('wakes that come during a look are one more look', async () => {
  const gate = Promise.withResolvers<undefined>()
  const {seen, lookout} = watched(() => gate.promise)
  for (let wake = 0; wake < 3; wake += 1) lookout.wake()
  expect(seen.looks).toBe(1)
  gate.resolve(undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(seen.looks).toBe(2)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen.looks).toBe(2)
})

test('it looks again when more is due, and in a minute at the latest', async () => {
  const {seen, lookout} = watched(() => 3_600_000)
  lookout.wake()
  await vi.advanceTimersByTimeAsync(59_999)
  expect(seen.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.looks).toBe(2)
})

test('what could not be looked at is looked at again', async () => {
  const {seen, lookout} = watched(() => {
    throw new Error('The disk is full')
  })
  lookout.wake()
  await vi.advanceTimersByTimeAsync(5000)
  expect(seen).toEqual({looks: 2, failures: 2})
})

test('its end waits for the look, and there is none behind it', async () => {
  const gate = Promise.withResolvers<undefined>()
  const {seen, lookout} = watched(async () => {
    await gate.promise
    return 1
  })
  lookout.wake()
  lookout.wake()
  let isOver = false
  const ending = lookout[Symbol.asyncDispose]().then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(false)
  gate.resolve(undefined)
  await ending
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen.looks).toBe(1)
})
