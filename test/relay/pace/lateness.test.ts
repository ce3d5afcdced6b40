import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createLateness} from '../../../src/relay/pace/lateness.ts'
import {type Ask, createPacer} from '../../../src/relay/pace/pacer.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {createManualClock} from '../manual-clock.ts'

const never = new AbortController().signal
const edit: Ask = {
  ...{team: 'T1', channel: 'C1', method: 'chat.update', rank: 'final'},
  ...{sinceMs: 0, notBeforeMs: 0},
}
/** Tier 3 as documented, and the burst that is tolerated. */
const SLACK = {perMinute: 50, burst: 10}

/** Everybody wants to edit all the time; a call arrives halfway through what it takes. How many Slack refuses. */
async function refusals(tookMs: () => number, calls: number) {
  const clock = createManualClock()
  const pacer = createPacer({budgets: slackBudgets(1), clock})
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const arrivals: number[] = []
  let granted = 0
  const editOnce = async (): Promise<void> => {
    await pacer.next([edit], never)
    granted += 1
    const ms = tookMs()
    clock.after(ms / 2, () => void arrivals.push(clock.nowMs()))
    clock.after(ms, () => {
      pacer.took(edit, ms)
    })
  }
  for (let call = 0; call < calls; call += 1) void editOnce()
  await settle()
  const first = granted
  while (arrivals.length < calls) {
    clock.advanceToNext()
    await settle()
  }
  return {first, refused: refusedOf(arrivals)}
}

function refusedOf(arrivals: readonly number[]): number {
  let tokens = SLACK.burst
  let refused = 0
  let atMs = arrivals[0] ?? 0
  for (const nowMs of arrivals) {
    tokens = Math.min(SLACK.burst, tokens + ((nowMs - atMs) * SLACK.perMinute) / 60_000)
    atMs = nowMs
    if (tokens < 1) refused += 1
    else tokens -= 1
  }
  return refused
}

test('however late some calls arrive, what follows them does not exceed Slack’s burst', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1600), {minLength: 40, maxLength: 40}), async (late) => {
      const calls = [...late]
      const {refused} = await refusals(() => 100 + (calls.pop() ?? 0), late.length)
      expect(refused).toBe(0)
    }),
    {numRuns: 60},
  )
})

test('nearly a whole burst is used once calls are seen to arrive evenly, and less once they do not', async () => {
  const clock = createManualClock()
  const pacer = createPacer({budgets: slackBudgets(1), clock})
  const burst = () => pacer.left('T1')[0]?.burst ?? 0
  pacer.queue([edit]).leave()
  expect(burst()).toBeLessThan(9.4)
  for (let call = 0; call < 60; call += 1) pacer.took(edit, 120 + (call % 3))
  expect(burst()).toBeGreaterThan(9.8)
  pacer.took(edit, 1500)
  expect(burst()).toBeLessThan(9)
  // One that hangs does not end all bursts.
  pacer.took(edit, 60_000)
  expect(burst()).toBeGreaterThan(8)
})

test('calls that all take the same time are not late, also once all of them take longer', () => {
  const lateness = createLateness()
  const answers = (ms: number): number => {
    for (let call = 0; call < 500; call += 1) lateness.took(ms)
    return lateness.seconds()
  }
  // A tenth of a second is left for our own clock.
  expect(answers(100)).toBeCloseTo(0.1)
  lateness.took(400)
  expect(lateness.seconds()).toBeCloseTo(0.4, 1)
  expect(answers(400)).toBeCloseTo(0.1)
})
