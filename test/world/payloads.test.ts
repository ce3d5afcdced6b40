import {expect, test} from 'vitest'
import {runPayloads} from '../support/payloads/payloads.ts'

/** 50,000 of them: `bench/payloads.ts`. */
const COUNT = 1000

test('whatever a signed payload says, it is answered, and nothing happens outside its place', async () => {
  const report = await runPayloads({count: COUNT, seed: 'payloads'})
  expect(report.wrong).toEqual([])
  expect(report).toMatchObject({sent: COUNT, isSameProcess: true, isAlive: true})
  // Most of them ask for nothing; a storm that never did anything would prove nothing.
  expect(report.effects).toBeGreaterThan(4)
})
