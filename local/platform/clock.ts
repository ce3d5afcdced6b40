/** Where the platform's time comes from: the machine, or a test. */
export interface Clock {
  nowMs(): number
  /** Calls back once, so many milliseconds from now; answers the function that cancels it. */
  after(delayMs: number, act: () => void): () => void
}

export const realClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, act) => {
    const atMs = Date.now() + delayMs
    let timer: NodeJS.Timeout
    const wait = (): void => {
      const leftMs = atMs - Date.now()
      timer =
        leftMs > LONGEST_TIMER_MS ? setTimeout(wait, LONGEST_TIMER_MS) : setTimeout(act, leftMs)
    }
    wait()
    return () => clearTimeout(timer)
  },
}

/** `setTimeout` takes longer delays for 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The present, as it goes over the wire: UTC with milliseconds. */
export function isoNow(clock: Clock): string {
  return new Date(clock.nowMs()).toISOString()
}
