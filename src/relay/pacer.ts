import type {Clock} from './clock.ts'
import type {Rank} from './posts.ts'

/** How often a method may be called: a bucket that refills continuously. */
export interface Budget {
  perMinute: number
  burst: number
  /** One bucket for each of these. */
  per: 'workspace' | 'channel'
}

export interface Ask {
  team: string
  channel: string
  method: string
  rank: Rank
  /** Among equals, who has waited longest is next. */
  sinceMs: number
  notBeforeMs: number
}

/**
 * Owns the rate budget: nothing is written to Slack that was not granted here. A bucket per
 * workspace and method, so that no workspace and no method delays another; finals before previews;
 * silence for a method after Slack said so.
 */
export interface Pacer {
  /** The first of the asks that may go, as its index; `undefined` when the signal ended the wait. */
  next(asks: readonly Ask[], signal: AbortSignal): Promise<number | undefined>
  /** A grant that was not used. */
  giveBack(ask: Ask): void
  /** Slack answered 429. */
  pause(ask: Pick<Ask, 'team' | 'method'>, forMs: number): void
}

interface Waiting {
  asks: readonly Ask[]
  grant: (index: number) => void
}

interface Bucket {
  tokens: number
  atMs: number
}

const RANKS: Readonly<Record<Rank, number>> = {final: 0, state: 1, first: 2, preview: 3, spare: 4}

/** What these ranks leave in the bucket for those above them, as a part of its size. */
const RESERVE: Readonly<Record<Rank, number>> = {
  final: 0,
  state: 0,
  first: 0,
  preview: 0.25,
  spare: 0.5,
}

export function createPacer({
  budgets,
  clock,
}: {
  budgets: Readonly<Record<string, readonly Budget[]>>
  clock: Clock
}): Pacer {
  const buckets = new Map<string, Bucket>()
  const pauses = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let cancelTimer: (() => void) | undefined

  const bucketsOf = (ask: Ask): {budget: Budget; bucket: Bucket}[] =>
    (budgets[ask.method] ?? []).map((budget, index) => {
      const place = budget.per === 'channel' ? ask.channel : ''
      const key = JSON.stringify([ask.team, ask.method, index, place])
      const bucket = buckets.get(key) ?? {tokens: budget.burst, atMs: clock.nowMs()}
      buckets.set(key, bucket)
      refill(bucket, budget, clock.nowMs())
      return {budget, bucket}
    })

  /** When this ask may go, as far as is known now. */
  const readyAtMs = (ask: Ask): number => {
    const nowMs = clock.nowMs()
    const pausedUntilMs = pauses.get(pauseKey(ask)) ?? 0
    const tokensAtMs = bucketsOf(ask).map(({budget, bucket}) => {
      const needed = Math.max(1, 1 + RESERVE[ask.rank] * (budget.burst - 1))
      return nowMs + (Math.max(0, needed - bucket.tokens) * 60_000) / budget.perMinute
    })
    return Math.max(ask.notBeforeMs, pausedUntilMs, nowMs, ...tokensAtMs)
  }

  const take = (ask: Ask, count: number): void => {
    for (const {bucket} of bucketsOf(ask)) bucket.tokens -= count
  }

  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    let wakeAtMs = Infinity
    for (const {waiter, ask, index} of inOrder(waiting)) {
      if (!waiting.has(waiter)) continue // an earlier ask of it was granted
      const atMs = readyAtMs(ask)
      if (atMs <= clock.nowMs()) {
        take(ask, 1)
        waiting.delete(waiter)
        waiter.grant(index)
      } else {
        wakeAtMs = Math.min(wakeAtMs, atMs)
      }
    }
    if (waiting.size > 0) cancelTimer = clock.after(Math.max(1, wakeAtMs - clock.nowMs()), pump)
  }

  const next = (asks: readonly Ask[], signal: AbortSignal): Promise<number | undefined> =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve(undefined)
        return
      }
      const stop = (): void => {
        waiting.delete(waiter)
        if (waiting.size === 0) cancelTimer?.()
        resolve(undefined)
      }
      const waiter: Waiting = {
        asks,
        grant: (index) => {
          signal.removeEventListener('abort', stop)
          resolve(index)
        },
      }
      signal.addEventListener('abort', stop, {once: true})
      waiting.add(waiter)
      pump()
    })

  return {
    next,
    giveBack: (ask) => {
      take(ask, -1)
      pump()
    },
    pause: (ask, forMs) => {
      const untilMs = clock.nowMs() + forMs
      pauses.set(pauseKey(ask), Math.max(untilMs, pauses.get(pauseKey(ask)) ?? 0))
    },
  }
}

function refill(bucket: Bucket, budget: Budget, nowMs: number): void {
  // A clock that was set back must not take tokens away.
  const gained = (Math.max(0, nowMs - bucket.atMs) * budget.perMinute) / 60_000
  bucket.tokens = Math.min(budget.burst, bucket.tokens + gained)
  bucket.atMs = nowMs
}

function inOrder(waiting: ReadonlySet<Waiting>): {waiter: Waiting; ask: Ask; index: number}[] {
  return [...waiting]
    .flatMap((waiter) => waiter.asks.map((ask, index) => ({waiter, ask, index})))
    .sort((a, b) => RANKS[a.ask.rank] - RANKS[b.ask.rank] || a.ask.sinceMs - b.ask.sinceMs)
}

function pauseKey({team, method}: Pick<Ask, 'team' | 'method'>): string {
  return JSON.stringify([team, method])
}
