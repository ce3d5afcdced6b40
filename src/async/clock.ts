/** Time, passed in so that a test can own it. */
export interface Clock {
  /** For waiting: it never goes back, whatever is done to the machine's date. */
  nowMs(): number
  /** For people, and for what is kept across restarts. */
  dateMs(): number
  /** Calls back once, unless the returned function is called first. */
  after(ms: number, callback: () => void): () => void
}

/** A timer that is set to more goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** What Node takes for a timer: of a moment that has passed it warns. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(ms, 0), LONGEST_TIMER_MS)
}

/** The machine's own time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  dateMs: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, timerMs(ms)).unref()
    return () => clearTimeout(timer)
  },
}

/** Waits by this clock, or returns at once when the signal ends the wait: look at the signal next. */
export function waitOn(
  clock: Pick<Clock, 'after'>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    signal.addEventListener('abort', end)
  })
}
