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
  /** From the first look to the last, where two are not enough. */
  lateMs?: number
}

/** There was no answer, we died before it, or it was a proxy's. */
export const UNANSWERED: Looks = {firstMs: 0, gapMs: 15_000}

/** A message that appears by itself, as that of a shared file does: mostly at once, and sometimes late. */
export const APPEARING = {...UNANSWERED, lateMs: 120_000}

/** Slack itself said that it failed: one second and five seconds after that. */
export const ANSWERED: Looks = {firstMs: 1000, gapMs: 4000}

/** By so much at most do Slack's clock and ours disagree: whatever is not found is made again. */
export const CLOCKS_APART_MS = 3_600_000

/**
 * What was found, or `undefined`: it surely was not made, unless the signal came first. Where two looks are not enough the
 * further ones come ever more rarely.
 */
export async function lookTwice<Found>(
  {firstMs, gapMs, lateMs = gapMs}: Looks,
  find: () => Promise<Found | undefined>,
  {clock, signal}: {clock: Clock; signal: AbortSignal},
): Promise<Found | undefined> {
  if (firstMs > 0) await waitOn(clock, firstMs, signal)
  for (let soughtMs = 0; !isAborted(signal);) {
    const found = await find()
    if (found !== undefined || soughtMs >= lateMs) return found
    const waitMs = Math.max(gapMs, soughtMs)
    await waitOn(clock, waitMs, signal)
    soughtMs += waitMs
  }
  return undefined
}
