import {expect, test, vi} from 'vitest'
import {createComplaints} from '../../../src/store/ownership/complaints.ts'

test('what goes wrong all the time is told once a minute, with how often it was not', ({
  onTestFinished,
}) => {
  vi.useFakeTimers({toFake: ['performance']})
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const failed = createComplaints((line) => lines.push(line))
  const line = (why: string): string =>
    `Who works for which workspace could not be settled: ${why}. It is tried again each second.`
  const fails: [afterMs: number, why: string][] = [
    [0, 'one'],
    [59_999, 'two'],
    [1, 'three'],
    [1, 'four'],
    [1, 'five'],
    [60_000, 'six'],
    [60_000, 'seven'],
  ]
  for (const [afterMs, why] of fails) {
    vi.advanceTimersByTime(afterMs)
    failed(new Error(why))
  }
  const untold = (count: number): string => ` (and ${count} times more since the last such line)`
  expect(lines).toEqual([
    line('one'),
    line(`three${untold(1)}`),
    line(`six${untold(2)}`),
    line('seven'),
  ])
})
