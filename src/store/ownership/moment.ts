/** A point in time by both clocks of this machine. */
export interface Moment {
  monotonicMs: number
  dateMs: number
}

export function moment(): Moment {
  return {monotonicMs: performance.now(), dateMs: Date.now()}
}

/** By the clock that went further: a machine that was suspended may have stopped the one, and somebody may set the other. */
export function elapsedMs(since: Moment, now: Moment = moment()): number {
  return Math.max(now.monotonicMs - since.monotonicMs, now.dateMs - since.dateMs)
}
