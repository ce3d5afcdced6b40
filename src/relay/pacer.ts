import type {Clock} from './clock.ts'
import type {Rank} from './post.ts'

/** How often a method may be called: a bucket that refills continuously. */
export interface Budget {
  perMinute: number
  burst: number
  /** One bucket for each of these. */
  per: 'workspace' | 'channel'
}

/** A workspace, or what of it is meant: one channel, one method. */
export interface Scope {
  team: string
  channel?: string
  method?: string
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
  /** Slack said "not now", or "not here": nothing in this scope is granted for so long. */
  pause(scope: Scope, forMs: number): void
  resume(scope: Scope): void
}

interface Waiting {
  asks: readonly Ask[]
  grant: (index: number) => void
}

interface Candidate {
  waiter: Waiting
  ask: Ask
  index: number
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
  /** Before this nobody of those who wait may go: what they wait for comes with time alone. */
  let wakeAtMs = Infinity

  const bucketOf = (ask: Ask, budget: Budget, index: number, nowMs: number): Bucket => {
    const place = budget.per === 'channel' ? ask.channel : ''
    const key = `${ask.team}\n${ask.method}\n${index}\n${place}`
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      bucket = {tokens: budget.burst, atMs: nowMs}
      buckets.set(key, bucket)
    }
    refill(bucket, budget, nowMs)
    return bucket
  }

  const pausedUntilMs = ({team, channel, method}: Ask): number => {
    if (pauses.size === 0) return 0
    const scopes: Scope[] = [{team}, {team, channel}, {team, method}]
    return Math.max(...scopes.map((scope) => pauses.get(keyOf(scope)) ?? 0))
  }

  /** When this ask may go, as far as is known now. */
  const readyAtMs = (ask: Ask, nowMs: number): number => {
    let atMs = Math.max(ask.notBeforeMs, pausedUntilMs(ask), nowMs)
    for (const [index, budget] of (budgets[ask.method] ?? []).entries()) {
      const needed = Math.max(1, 1 + RESERVE[ask.rank] * (budget.burst - 1))
      const missing = Math.max(0, needed - bucketOf(ask, budget, index, nowMs).tokens)
      atMs = Math.max(atMs, nowMs + (missing * 60_000) / budget.perMinute)
    }
    return atMs
  }

  const take = (ask: Ask, count: number): void => {
    const nowMs = clock.nowMs()
    for (const [index, budget] of (budgets[ask.method] ?? []).entries()) {
      bucketOf(ask, budget, index, nowMs).tokens -= count
    }
  }

  /** Whoever may go of these goes, in order. */
  const grantTo = (waiters: Iterable<Waiting>): void => {
    const nowMs = clock.nowMs()
    const ready: Candidate[] = []
    const later = (atMs: number): void => void (wakeAtMs = Math.min(wakeAtMs, atMs))
    for (const waiter of waiters) {
      for (const [index, ask] of waiter.asks.entries()) {
        const atMs = readyAtMs(ask, nowMs)
        if (atMs <= nowMs) ready.push({waiter, ask, index})
        else later(atMs)
      }
    }
    for (const {waiter, ask, index} of ready.sort(inOrder)) {
      if (!waiting.has(waiter)) continue // an earlier ask of it was granted
      const atMs = readyAtMs(ask, nowMs)
      if (atMs <= nowMs) {
        take(ask, 1)
        waiting.delete(waiter)
        waiter.grant(index)
      } else {
        later(atMs)
      }
    }
  }

  const pump = (): void => {
    wakeAtMs = Infinity
    grantTo(waiting)
    setTimer()
  }

  const setTimer = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    if (waiting.size > 0) cancelTimer = clock.after(Math.max(1, wakeAtMs - clock.nowMs()), pump)
  }

  /** Thousands may wait: who comes new is looked at alone, unless others are due too. */
  const join = (waiter: Waiting): void => {
    waiting.add(waiter)
    const wasAtMs = wakeAtMs
    if (waiting.size === 1 || wasAtMs <= clock.nowMs()) {
      pump()
      return
    }
    grantTo([waiter])
    if (wakeAtMs < wasAtMs) setTimer()
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
      join(waiter)
    })

  return {
    next,
    giveBack: (ask) => {
      take(ask, -1)
      pump()
    },
    pause: (scope, forMs) => {
      const key = keyOf(scope)
      pauses.set(key, Math.max(clock.nowMs() + forMs, pauses.get(key) ?? 0))
    },
    resume: (scope) => {
      if (pauses.delete(keyOf(scope))) pump()
    },
  }
}

function refill(bucket: Bucket, budget: Budget, nowMs: number): void {
  // A clock that was set back must not take tokens away.
  const gained = (Math.max(0, nowMs - bucket.atMs) * budget.perMinute) / 60_000
  bucket.tokens = Math.min(budget.burst, bucket.tokens + gained)
  bucket.atMs = nowMs
}

function inOrder(a: Candidate, b: Candidate): number {
  return RANKS[a.ask.rank] - RANKS[b.ask.rank] || a.ask.sinceMs - b.ask.sinceMs
}

function keyOf({team, channel = '', method = ''}: Scope): string {
  return `${team}\n${channel}\n${method}`
}
