import {expect, test} from 'vitest'
import {allCells, runMatrix} from '../support/matrix.ts'
import {runSight} from '../support/sight/matrix.ts'

/** All of them take many minutes: `bench/matrix.ts`. A number without a divisor in the matrix meets every row in time. */
const EVERY = 61

test.concurrent('nobody does what they may not, nor is anybody refused what they may', async () => {
  const cells = allCells()
  expect(cells.length).toBeGreaterThan(15_000)
  const report = await runMatrix(cells.filter((_cell, index) => index % EVERY === 0))
  expect(report.wrong).toEqual([])
  expect(Math.min(report.allowed, report.denied, report.traces)).toBeGreaterThan(10)
})

test.concurrent(
  'what is private is seen by its own people alone, and what is theirs is',
  async () => {
    const report = await runSight({every: EVERY})
    expect(report.wrong).toEqual([])
    expect(report.hidden).toBeGreaterThan(200)
    expect(report.shown).toBeGreaterThan(10)
  },
)
