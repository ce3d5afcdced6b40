import type {Clock} from '../../../local/platform/clock.ts'

export interface ManualClock extends Clock {
  /** Lets time pass: whatever falls due is called in the order of its moments, at its moment. */
  advance(ms: number): void
}

/** Time that stands still until a test lets it pass. */
export function createManualClock(startMs = Date.UTC(2026, 0, 5, 12)): ManualClock {
  const alarms = new Set<{atMs: number; act: () => void}>()
  let nowMs = startMs
  const first = (untilMs: number) =>
    [...alarms].filter(({atMs}) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
  return {
    nowMs: () => nowMs,
    after: (delayMs, act) => {
      const alarm = {atMs: nowMs + Math.max(0, delayMs), act}
      alarms.add(alarm)
      return () => void alarms.delete(alarm)
    },
    advance: (ms) => {
      const untilMs = nowMs + ms
      for (let due = first(untilMs); due !== undefined; due = first(untilMs)) {
        alarms.delete(due)
        nowMs = due.atMs
        due.act()
      }
      nowMs = untilMs
    },
  }
}
