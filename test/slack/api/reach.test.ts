import {expect, test} from 'vitest'
import {createReach} from '../../../src/slack/api/reach.ts'

test('one call without an answer is no silence, and a minute of them is, until something is answered', () => {
  let nowMs = 0
  const reach = createReach(() => nowMs)
  expect([reach.isDoubtful(), reach.explain()]).toEqual([false, undefined])
  reach.heard('unanswered')
  nowMs = 3_600_000
  // Nobody has asked since.
  expect([reach.isDoubtful(), reach.explain()]).toEqual([true, undefined])
  reach.heard('wait')
  expect(reach.isDoubtful()).toBe(false)
  for (const atMs of [0, 30_000, 59_999]) {
    nowMs = 4_000_000 + atMs
    reach.heard('unanswered')
    expect(reach.explain()).toBeUndefined()
  }
  nowMs = 4_060_000
  reach.heard('unanswered')
  expect(reach.explain()).toBe('does not answer')
  reach.heard('retry')
  expect([reach.isDoubtful(), reach.explain()]).toEqual([false, undefined])
})
