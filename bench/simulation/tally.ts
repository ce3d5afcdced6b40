import {atLeast, endWith, never} from '../lines.ts'

/** What came of many seeds. */
export interface Tally {
  seeds: number
  threads: number
  replies: number
  events: number
  simulatedMs: number
  /** Of the processor. */
  workMs: number
  failed: number
  /** How often each fault struck. */
  struck: Record<string, number>
}

export function emptyTally(): Tally {
  return {
    ...{seeds: 0, threads: 0, replies: 0, events: 0, simulatedMs: 0, workMs: 0, failed: 0},
    struck: {},
  }
}

export function addTo(sum: Tally, {struck, ...more}: Partial<Tally>): void {
  for (const [name, value] of Object.entries(more)) sum[name as keyof typeof more] += value
  for (const [name, times] of Object.entries(struck ?? {})) {
    sum.struck[name] = (sum.struck[name] ?? 0) + times
  }
}

/** Prints it as a table, and ends as benches do. */
export function endWithTally(sum: Tally, {tookMs}: {tookMs: number}): void {
  const times = Object.entries(sum.struck).toSorted(([a], [b]) => a.localeCompare(b))
  for (const [name, count] of times) console.log(`  ${name.padEnd(68)}${count}`)
  const anHour = (ms: number): number => Math.round((sum.threads * 3_600_000) / ms)
  const rows: [string, string | number][] = [
    ['seeds', sum.seeds],
    ['threads', sum.threads],
    ['replies', sum.replies],
    ['faults that struck', times.reduce((all, [, count]) => all + count, 0)],
    ['events', sum.events],
    ['simulated hours', (sum.simulatedMs / 3_600_000).toFixed(1)],
    ['threads an hour', anHour(tookMs)],
    ['threads an hour of one core', anHour(sum.workMs)],
  ]
  for (const [name, value] of rows) console.log(`${name.padEnd(70)}${value}`)
  endWith([
    never('seeds that went wrong', sum.failed),
    atLeast('threads carried to their end', sum.threads, 1),
  ])
}
