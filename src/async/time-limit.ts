interface TimeLimit extends Disposable {
  /** Aborted once the time is over. */
  signal: AbortSignal
}

const PARTS = 10

/**
 * Ends what takes longer than `ms`. Time in which the process stood still does not count: what was answered meanwhile
 * can still be read. Dispose of it once it is not needed any more.
 */
export function startTimeLimit(ms: number): TimeLimit {
  const limit = new AbortController()
  const partMs = ms / PARTS
  let left = PARTS
  let lookedAtMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const stoodStill = nowMs - lookedAtMs > 2 * partMs
    lookedAtMs = nowMs
    if (stoodStill) return
    left -= 1
    if (left === 0) limit.abort(new Error(`It took longer than ${ms} ms`))
  }, partMs)
  return {signal: limit.signal, [Symbol.dispose]: () => clearInterval(timer)}
}
