import {expect, test} from 'vitest'
import {killWriters} from '../support/store-kills.ts'

test('a process that is killed loses nothing that it acknowledged, and damages nothing', async () => {
  const report = await killWriters({kills: 25, seed: 'gate'})
  expect(report.problems).toEqual([])
  expect(report.kills).toBe(25)
  expect(report.acknowledged).toBeGreaterThan(0)
})
