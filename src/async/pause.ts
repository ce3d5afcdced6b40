import {timerMs, waitOn} from './clock.ts'

/**
 * The wait before attempt `attempt + 1` (attempts count from 0): exponential with full jitter, so
 * that many who failed together do not come back together.
 */
export function backoffMs(
  attempt: number,
  {baseMs, maxMs}: {baseMs: number; maxMs: number},
  random: () => number = Math.random,
): number {
  return random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30))
}

/** Waits, or returns at once when the signal ends the wait: look at the signal next. The process lives on meanwhile. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return waitOn({after: startTimer}, ms, signal)
}

function startTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, timerMs(ms))
  return () => clearTimeout(timer)
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), {once: true})
  })
}

/** Whether it is aborted by now: what `aborted` was before an `await` the compiler takes for what it still is. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}
