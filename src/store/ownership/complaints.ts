/** At most so often: an outage is one line a minute, not one for each attempt. */
const EVERY_MS = 60_000

/** Tells what went wrong while nobody waits for an answer. */
export function createComplaints(tell: (line: string) => void): (error: unknown) => void {
  let toldMs = -Infinity
  let untold = 0
  return (error) => {
    if (performance.now() < toldMs + EVERY_MS) {
      untold += 1
      return
    }
    const why = error instanceof Error ? error.message : String(error)
    const others = untold > 0 ? ` (and ${untold} times more since the last such line)` : ''
    tell(
      `Who works for which workspace could not be settled: ${why}${others}. It is tried again each second.`,
    )
    toldMs = performance.now()
    untold = 0
  }
}
