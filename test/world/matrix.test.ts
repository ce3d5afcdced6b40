import {expect, test} from 'vitest'
import {allCells, runMatrix} from '../support/matrix.ts'

/** All of them take minutes: `bench/matrix.ts`. A number without a divisor in the matrix meets every row in time. */
const EVERY = 13

test('nobody does what they may not, nor is anybody refused what they may', async () => {
  const cells = allCells()
  expect(cells.length).toBeGreaterThan(5000)
  const report = await runMatrix(cells.filter((_cell, index) => index % EVERY === 0))
  expect(report.wrong).toEqual([])
  expect(Math.min(report.allowed, report.denied, report.traces)).toBeGreaterThan(40)
})
