import {expect, test} from 'vitest'
import {createClockCheck} from '../../src/inbox/clock-check.ts'

const HOUR_MS = 3_600_000
const NOON_MS = Date.UTC(2026, 5, 1, 12)

function openCheck() {
  const state = {nowMs: NOON_MS, elapsedMs: 0, newestMs: undefined as number | undefined}
  const check = createClockCheck({
    nowMs: () => state.nowMs,
    elapsedMs: () => state.elapsedMs,
    newestRowMs: async () => Promise.resolve(state.newestMs),
  })
  const at = (ms: number): string => new Date(ms).toUTCString()
  return {...check, state, at}
}

test('nobody has said what time it is: it is not proved', async () => {
  const {trouble, heard} = openCheck()
  expect(await trouble()).toEqual({kind: 'unproved'})
  heard('slack', null)
  heard('slack', 'soon')
  expect(await trouble()).toEqual({kind: 'unproved'})
})

test.each([0, HOUR_MS, -HOUR_MS])('%i ms off is right', async (ms) => {
  const {trouble, heard, at} = openCheck()
  heard('platform', at(NOON_MS - ms))
  expect(await trouble()).toBeUndefined()
})

test.each([61 * 60_000, -61 * 60_000])('%i ms off is wrong, and tells by whom', async (ms) => {
  const {trouble, heard, at} = openCheck()
  heard('slack', at(NOON_MS))
  heard('platform', at(NOON_MS - ms))
  expect(await trouble()).toEqual({kind: 'off', from: 'platform', ms})
})

test('how far it is from Slack’s is told for as long, whatever the platform says', async () => {
  const {aheadOfSlackMs, heard, at, state} = openCheck()
  heard('platform', at(NOON_MS - HOUR_MS))
  expect(aheadOfSlackMs()).toBeUndefined()
  heard('slack', at(NOON_MS - 420_000))
  state.elapsedMs = 600_000
  state.nowMs += 600_000
  expect(aheadOfSlackMs()).toBe(420_000)
  state.elapsedMs += 1
  expect(aheadOfSlackMs()).toBeUndefined()
})

test('the time of the platform is known for as long, and is ours where it is not', async () => {
  const {platformMs, heard, at, state} = openCheck()
  heard('slack', at(NOON_MS - HOUR_MS))
  expect(platformMs()).toBe(NOON_MS)
  heard('platform', at(NOON_MS + 120_000))
  state.elapsedMs = 600_000
  state.nowMs += 590_000
  expect(platformMs()).toBe(NOON_MS + 720_000)
  state.elapsedMs += 1
  expect(platformMs()).toBe(state.nowMs)
})

test('what was heard counts for ten minutes, by a clock that nobody sets', async () => {
  const {trouble, heard, at, state} = openCheck()
  heard('slack', at(NOON_MS))
  state.elapsedMs = 600_000
  state.nowMs += 600_000
  expect(await trouble()).toBeUndefined()
  state.elapsedMs += 1
  expect(await trouble()).toEqual({kind: 'unproved'})
})

test('a clock that is set while it runs is wrong at once', async () => {
  const {trouble, heard, at, state} = openCheck()
  heard('slack', at(NOON_MS))
  state.elapsedMs = 60_000
  state.nowMs += 60_000 + 500 * 24 * HOUR_MS
  expect(await trouble()).toEqual({kind: 'off', from: 'slack', ms: 500 * 24 * HOUR_MS})
})

test('a clock more than an hour behind the newest row is wrong, whoever agrees with it', async () => {
  const {trouble, heard, at, state} = openCheck()
  heard('slack', at(NOON_MS))
  state.newestMs = NOON_MS + HOUR_MS
  expect(await trouble()).toBeUndefined()
  state.newestMs += 1
  expect(await trouble()).toEqual({kind: 'behind-rows', ms: HOUR_MS + 1})
})

test('something is older only by a clock that is right', async () => {
  const {isOlder, heard, at} = openCheck()
  expect(await isOlder(NOON_MS - 2 * HOUR_MS, HOUR_MS)).toBe(false)
  heard('slack', at(NOON_MS))
  expect(await isOlder(NOON_MS - HOUR_MS - 1, HOUR_MS)).toBe(true)
  expect(await isOlder(NOON_MS - HOUR_MS, HOUR_MS)).toBe(false)
})
