import {isAborted} from '../async/pause.ts'
import {type Clock, waitOn} from '../async/clock.ts'

/**
 * When it is looked for what a call may have made, if its answer leaves that open. What is absent at two looks was never
 * made: a call may take effect a while after its answer, or after nobody waits for that any more.
 */
export interface Looks {
  /** From the answer to the first look. */
  firstMs: number
  /** From the first look to the second. */
  gapMs: number
  /** From the second to a third, for what may appear late. */
  lateMs?: number
}

/** There was no answer, we died before it, or it was a proxy's. */
export const UNANSWERED: Looks = {firstMs: 0, gapMs: 15_000}

/** Slack itself said that it failed: one second and five seconds after that. */
export const ANSWERED: Looks = {firstMs: 1000, gapMs: 4000}

/** The message of a file appears by itself, mostly at once: what is absent after a minute was never shared. */
export const LATE: Looks = {firstMs: 0, gapMs: 15_000, lateMs: 45_000}

/** By so much at most do Slack's clock and ours disagree: whatever is not found is made again. */
export const CLOCKS_APART_MS = 3_600_000

/** What was found, or `undefined`: it surely was not made, unless the signal came first. */
export async function lookTwice<Found>(
  {firstMs, gapMs, lateMs}: Looks,
  find: () => Promise<Found | undefined>,
  {clock, signal}: {clock: Clock; signal: AbortSignal},
): Promise<Found | undefined> {
  for (const ms of [firstMs, gapMs, ...(lateMs === undefined ? [] : [lateMs])]) {
    if (ms > 0) await waitOn(clock, ms, signal)
    const found = isAborted(signal) ? undefined : await find()
    if (found !== undefined) return found
  }
  return undefined
}
