import type {Clock} from './clock.ts'

/** How often a method may be called: a bucket that refills continuously. */
export interface Budget {
  perMinute: number
  burst: number
  /** One bucket for each of these. */
  per: 'workspace' | 'channel'
  /** It may be that there is no such limit: it counts from the first "not now" on. */
  isLatent?: true
}

/** Until when a limit counts that may not be there. What one of its buckets learns is true for all. */
export interface Wakefulness {
  untilMs: number
}

interface BucketTerms {
  awake?: Wakefulness
  /** What it held at that time: it is somebody else's bucket that goes on. */
  since?: {tokens: number; atMs: number}
  /** By how many seconds what is taken may arrive later than what is taken next: a burst leaves room for that. */
  lateS?: () => number
}

/** A budget and what is left of it, as far as we can know from here. */
export interface Bucket {
  tokens(): number
  /** How many it holds at most, and how many come back in a second. */
  burst(): number
  perSecond(): number
  take(count: number): void
  /** How long until it holds so many, or all that it can hold. */
  waitMs(count: number): number
  /** Slack said "not now": it was emptier than we thought, and holds one token in so long. */
  learn(forMs: number): void
  /** It was not about the rate. */
  unlearn(): void
  /** It is as it was made: full, and nothing was learnt of it. */
  isAsMade(): boolean
}

/** What Slack taught us is doubted after so long. */
const LESSON_MS = 3_600_000
/** It is never taken for slower than this part of what is documented: others may be to blame. */
const LEAST_RATE = 0.5

export function createBucket(
  budget: Pick<Budget, 'perMinute' | 'burst'>,
  clock: Pick<Clock, 'nowMs'>,
  {awake = {untilMs: Infinity}, lateS = () => 0, since}: BucketTerms = {},
): Bucket {
  let burst = budget.burst
  let perSecond = budget.perMinute / 60
  const room = (): number => Math.max(1, burst - perSecond * lateS())
  let tokens = Math.min(room(), since?.tokens ?? Infinity)
  let atMs = since?.atMs ?? clock.nowMs()
  let silentUntilMs = 0
  let learntUntilMs = Infinity
  let takenSince = Infinity

  const unlearn = (): void => {
    burst = budget.burst
    perSecond = budget.perMinute / 60
    learntUntilMs = Infinity
  }

  const isAsleep = (): boolean => clock.nowMs() >= awake.untilMs

  const refill = (): void => {
    const nowMs = clock.nowMs()
    if (nowMs >= learntUntilMs) unlearn()
    // A clock that was set back must not take tokens away. What comes back while Slack is silent does not count.
    const passedMs = Math.max(0, nowMs - Math.max(atMs, silentUntilMs))
    tokens = Math.min(room(), tokens + (passedMs / 1000) * perSecond)
    atMs = nowMs
  }

  return {
    tokens: () => {
      refill()
      return tokens
    },
    burst: room,
    perSecond: () => perSecond,
    take: (count) => {
      refill()
      tokens = Math.min(atMs < silentUntilMs ? 1 : room(), tokens - count)
      takenSince += count
    },
    waitMs: (count) => {
      refill()
      if (isAsleep()) return 0
      const missing = Math.min(count, room()) - tokens
      const silentMs = Math.max(0, silentUntilMs - clock.nowMs())
      // A hair's breadth is none: it would never be reached in whole microseconds.
      return silentMs + (missing < 1e-6 ? 0 : (missing / perSecond) * 1000)
    },
    learn: (forMs) => {
      refill()
      const nowMs = clock.nowMs()
      if (isAsleep()) {
        awake.untilMs = nowMs + forMs + LESSON_MS
        tokens = 0
        return
      }
      // Those who were on their way already say the same once more.
      const isNews = silentUntilMs <= nowMs
      silentUntilMs = Math.max(silentUntilMs, nowMs + forMs)
      tokens = 1
      if (!isNews) return
      // What is refused first, after as long as Slack asked for, was not too much: all may be refused now.
      const isTooMuch = takenSince > 1
      takenSince = 0
      if (!isTooMuch) return
      if (burst > 1) burst = Math.max(1, burst / 2)
      else perSecond = Math.max(perSecond * 0.9, (budget.perMinute / 60) * LEAST_RATE)
      // An hour after the first lesson, whoever else uses up our budget meanwhile.
      learntUntilMs = Math.min(learntUntilMs, nowMs + forMs + LESSON_MS)
    },
    unlearn,
    isAsMade: () => {
      refill()
      return tokens >= room() && learntUntilMs === Infinity && silentUntilMs <= clock.nowMs()
    },
  }
}
