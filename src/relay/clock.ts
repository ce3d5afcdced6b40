/** Time, passed in so that a test can own it. */
export interface Clock {
  nowMs(): number
  /** Calls back once, unless the returned function is called first. */
  after(ms: number, callback: () => void): () => void
}

/** The machine's own time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1)).unref()
    return () => clearTimeout(timer)
  },
}
