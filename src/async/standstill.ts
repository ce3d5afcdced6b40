/** Notices that the process stood still: that it was stopped or starved, or its machine slept. */
interface Standstill extends Disposable {
  /** What is read now may have come while it did. */
  isJustOver(): boolean
}

interface StandstillOptions {
  /** So long counts, in milliseconds. */
  longMs: number
  /** Clocks of which one at least goes on while the process does not. */
  clocks?: readonly (() => number)[]
}

const TICK_MS = 500
/** So long it takes to read what has come meanwhile. */
const READ_MS = 1000

export function watchStandstills({
  longMs,
  clocks = [() => performance.now(), Date.now],
}: StandstillOptions): Standstill {
  const look = (): number[] => clocks.map((nowMs) => nowMs())
  let seen = look()
  let over: number[] | undefined

  /** By whichever clock says the most. */
  const passedMs = (since: readonly number[]): number =>
    Math.max(...look().map((nowMs, index) => nowMs - (since[index] ?? nowMs)))

  const tick = (): void => {
    if (passedMs(seen) > TICK_MS + longMs) over = look()
    seen = look()
  }
  const wait = (): NodeJS.Timeout =>
    setTimeout(() => {
      tick()
      timer = wait()
    }, TICK_MS).unref()
  let timer = wait()

  return {
    // What was read first comes in front of the timer.
    isJustOver: () => {
      tick()
      return over !== undefined && passedMs(over) < READ_MS
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
