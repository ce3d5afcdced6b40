/**
 * By how much one call may reach Slack later than another. While a late one is on its way Slack's bucket is full and gains
 * nothing, so that Slack has less left than we think: what comes back in that time is never part of a burst.
 */
export interface Lateness {
  /** A call was answered after so long. */
  took: (ms: number) => void
  seconds: () => number
}

/** Before anything is known. */
const UNKNOWN_MS = 800
/** What hangs says nothing of the others. */
const MOST_MS = 2000
/** Our own clock, and what is not seen yet. */
const LEAST_MS = 100
/** One answer says little: the longest of them counts for less with each that follows. */
const FADE = 0.95
/** The way to Slack may have become longer for all. */
const DRIFT_MS = 2

export function createLateness(): Lateness {
  let shortestMs = Infinity
  let spreadMs = UNKNOWN_MS
  return {
    took: (ms) => {
      shortestMs = Math.min(ms, shortestMs + DRIFT_MS)
      spreadMs = Math.min(MOST_MS, Math.max(ms - shortestMs, spreadMs * FADE))
    },
    seconds: () => (LEAST_MS + spreadMs) / 1000,
  }
}
