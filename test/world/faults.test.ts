import {expect, test} from 'vitest'
import {runStorm} from '../support/storm.ts'
import {openWorld} from './open-world.ts'

// The long run of this, which also waits for what is slow by nature, is `bench/faults.ts`.
test('240 faults of both sides change nothing that people read in 24 threads', async (context) => {
  const world = await openWorld(context, {
    apart: true,
    rateScale: 400,
    pace: 0.5,
    slackTimeFactor: 0.5,
  })
  const report = await runStorm(world, {
    ...{seed: 'lighthouse', threads: 24, faults: 240, faultsPerSecond: 30},
    isQuick: true,
  })
  expect(report.details).toEqual([])
  expect(Object.values(report.wrongs).every((count) => count === 0)).toBe(true)
  expect(report.threads).toBe(24)
  expect(report.struck.size).toBeGreaterThan(40)
})
