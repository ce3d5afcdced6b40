import {expect, test} from 'vitest'
import {createBucket} from '../../../src/async/buckets.ts'
import {createManualClock} from '../manual-clock.ts'

test('however often Slack says "not now", a method is slower by half at most, and for an hour', () => {
  const clock = createManualClock()
  const bucket = createBucket({perMinute: 60, burst: 9}, clock)
  for (let times = 0; times < 200; times += 1) {
    bucket.take(2)
    bucket.learn(10_000)
    clock.advance(11_000)
  }
  expect(bucket.burst()).toBe(1)
  expect(bucket.perSecond()).toBe(0.5)
  clock.advance(3_600_000)
  bucket.tokens()
  expect([bucket.burst(), bucket.perSecond()]).toEqual([9, 1])
})

test('a storm, in which Slack refuses whatever comes, says no more of how often one may than its first word', () => {
  const clock = createManualClock()
  const bucket = createBucket({perMinute: 60, burst: 8}, clock)
  for (let times = 0; times < 200; times += 1) {
    bucket.take(1)
    bucket.learn(2000)
    clock.advance(2000)
  }
  expect([bucket.burst(), bucket.perSecond()]).toEqual([4, 1])
  // Too much for somebody else's part of the limit.
  bucket.take(1)
  bucket.take(1)
  bucket.learn(2000)
  expect(bucket.burst()).toBe(2)
})
