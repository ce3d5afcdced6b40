import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {type Poller, createPoller} from '../../src/async/poller.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A look that answers what it is told to, and how often there was one. */
function watched(nextMs: () => number | undefined | Promise<number | undefined>) {
  const seen = {looks: 0, failures: 0}
  const poller: Poller = createPoller({
    look: async () => {
      seen.looks += 1
      return nextMs()
    },
    onFailure: () => (seen.failures += 1),
    retryMs: 5000,
  })
  return {seen, poller}
}

test('wakes that come during a look are one more look', async () => {
  const gate = Promise.withResolvers<undefined>()
  const {seen, poller} = watched(() => gate.promise)
  for (let wake = 0; wake < 3; wake += 1) poller.wake()
  expect(seen.looks).toBe(1)
  gate.resolve(undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(seen.looks).toBe(2)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen.looks).toBe(2)
})

test('it looks again when more is due, and in a minute at the latest', async () => {
  const {seen, poller} = watched(() => 3_600_000)
  poller.wake()
  await vi.advanceTimersByTimeAsync(59_999)
  expect(seen.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.looks).toBe(2)
})

test('what could not be looked at is looked at again', async () => {
  const {seen, poller} = watched(() => {
    throw new Error('The disk is full')
  })
  poller.wake()
  await vi.advanceTimersByTimeAsync(5000)
  expect(seen).toEqual({looks: 2, failures: 2})
})

test('its end waits for the look, and there is none behind it', async () => {
  const gate = Promise.withResolvers<undefined>()
  const {seen, poller} = watched(async () => {
    await gate.promise
    return 1
  })
  poller.wake()
  poller.wake()
  let isOver = false
  const ending = poller[Symbol.asyncDispose]().then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(false)
  gate.resolve(undefined)
  await ending
  await vi.advanceTimersByTimeAsync(600_000)
  expect(seen.looks).toBe(1)
})
