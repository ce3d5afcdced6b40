import type {Clock} from '../../src/async/clock.ts'

/** A clock that moves when it is told to, and knows who waits for it. */
export interface ManualClock extends Clock {
  advance(ms: number): void
  /** Moves on to the next timer; false when nobody waits. */
  advanceToNext(): boolean
  /** How many timers stand. */
  pending(): number
}

export function createManualClock(startMs = 1_700_000_000_000): ManualClock {
  const timers = new Set<{atMs: number; callback: () => void}>()
  let nowMs = startMs
  const next = () =>
    [...timers].reduce<{atMs: number; callback: () => void} | undefined>(
      (best, timer) => (best === undefined || timer.atMs < best.atMs ? timer : best),
      undefined,
    )
  const runUntil = (untilMs: number): void => {
    for (let timer = next(); timer !== undefined && timer.atMs <= untilMs; timer = next()) {
      timers.delete(timer)
      nowMs = Math.max(nowMs, timer.atMs)
      timer.callback()
    }
    nowMs = Math.max(nowMs, untilMs)
  }
  return {
    nowMs: () => nowMs,
    dateMs: () => nowMs,
    after: (ms, callback) => {
      const timer = {atMs: nowMs + ms, callback}
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance: (ms) => runUntil(nowMs + ms),
    advanceToNext: () => {
      const timer = next()
      if (timer === undefined || timer.atMs === Infinity) return false
      runUntil(timer.atMs)
      return true
    },
    pending: () => timers.size,
  }
}
