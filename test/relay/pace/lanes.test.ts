import {expect, test} from 'vitest'
import {type Lane, createLanes} from '../../../src/relay/pace/lanes.ts'
import {createManualClock} from '../manual-clock.ts'

const POST = 'chat.postMessage'
const UPDATE = 'chat.update'
const MINUTE_MS = 60_000

/** One method with a bucket for each channel beside the workspace's, and one that all channels share. */
const budgets = {
  [POST]: [
    {perMinute: 6000, burst: 100, per: 'workspace' as const},
    {perMinute: 60, burst: 3, per: 'channel' as const},
  ],
  [UPDATE]: [{perMinute: 50, burst: 20, per: 'workspace' as const}],
}

test('lanes of channels that nothing is written in any more are let go, and no budget with them', () => {
  const clock = createManualClock()
  const awaited: Lane[] = []
  const lanes = createLanes(budgets, clock, () => awaited)
  const quiet = lanes.of('T', 'C-quiet', POST)
  const update = lanes.of('T', 'C-quiet', UPDATE)
  for (const bucket of quiet.buckets) bucket.take(1)
  for (const bucket of update.buckets) bucket.take(10)
  clock.advance(MINUTE_MS)
  const busy = lanes.of('T', 'C-busy', POST)
  const taught = lanes.of('T', 'C-taught', POST)
  for (const bucket of busy.buckets) bucket.take(3)
  for (const bucket of taught.buckets) bucket.learn(1)
  const waited = lanes.of('T', 'C-waited', POST)
  awaited.push(waited)
  const left = update.buckets[0]?.tokens()

  for (let index = 0; index < 10_001; index += 1) lanes.of('T', `C${index}`, UPDATE)
  expect(lanes.of('T', 'C-busy', POST)).toBe(busy)
  expect(lanes.of('T', 'C-taught', POST)).toBe(taught)
  expect(lanes.of('T', 'C-waited', POST)).toBe(waited)
  expect(lanes.of('T', 'C-quiet', POST)).not.toBe(quiet)
  const again = lanes.of('T', 'C-quiet', UPDATE)
  expect(again).not.toBe(update)
  expect(again.buckets[0]?.tokens()).toBe(left)
  expect(lanes.of('T', 'C-quiet', POST).buckets[0]).toBe(quiet.buckets[0])
})
