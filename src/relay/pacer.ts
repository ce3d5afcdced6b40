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
  /** The same for who ends the wait itself. */
  queue(asks: readonly Ask[]): Queued
  /** A grant that was not used. */
  giveBack(ask: Ask): void
  /** Slack said "not now", or "not here": nothing in this scope is granted for so long. */
  pause(scope: Scope, forMs: number): void
  resume(scope: Scope): void
  /** Whether that was said since this was granted. */
  isPaused(ask: Ask): boolean
}

interface Queued {
  granted: Promise<number | undefined>
  /** Ends the wait, unless it was granted already. */
  leave: () => void
}

interface Waiting {
  asks: readonly Ask[]
  /** Of each ask. */
  lanes: readonly Lane[]
  grant: (index: number) => void
}

interface Candidate {
  waiter: Waiting
  ask: Ask
  lane: Lane
  index: number
}

/** What all asks of one method in one channel have in common. Looked up once: thousands wait, and are looked at often. */
interface Lane {
  shares: readonly {bucket: Bucket; budget: Budget}[]
  /** Keys of the pauses that concern it. */
  scopes: readonly string[]
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
  const lanes = new Map<string, Lane>()
  const pauses = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let cancelTimer: (() => void) | undefined
  /** Before this nobody of those who wait may go: what they wait for comes with time alone. */
  let wakeAtMs = Infinity

  const bucketOf = (ask: Ask, budget: Budget, index: number): Bucket => {
    const place = budget.per === 'channel' ? ask.channel : ''
    const key = `${ask.team}\n${ask.method}\n${index}\n${place}`
    const bucket = buckets.get(key) ?? {tokens: budget.burst, atMs: clock.nowMs()}
    buckets.set(key, bucket)
    return bucket
  }

  const laneOf = (ask: Ask): Lane => {
    const {team, channel, method} = ask
    const key = `${team}\n${method}\n${channel}`
    const known = lanes.get(key)
    if (known !== undefined) return known
    const shares = (budgets[method] ?? []).map((budget, index) => ({
      bucket: bucketOf(ask, budget, index),
      budget,
    }))
    const lane = {shares, scopes: [{team}, {team, channel}, {team, method}].map(keyOf)}
    lanes.set(key, lane)
    return lane
  }

  const pausedUntilMs = ({scopes}: Lane): number => {
    let untilMs = 0
    if (pauses.size > 0) {
      for (const scope of scopes) untilMs = Math.max(untilMs, pauses.get(scope) ?? 0)
    }
    return untilMs
  }

  /** When this ask may go, as far as is known now. */
  const readyAtMs = (ask: Ask, lane: Lane, nowMs: number): number => {
    let atMs = Math.max(ask.notBeforeMs, pausedUntilMs(lane), nowMs)
    for (const {bucket, budget} of lane.shares) {
      refill(bucket, budget, nowMs)
      const needed = Math.max(1, 1 + RESERVE[ask.rank] * (budget.burst - 1))
      const missing = Math.max(0, needed - bucket.tokens)
      atMs = Math.max(atMs, nowMs + (missing * 60_000) / budget.perMinute)
    }
    return atMs
  }

  const take = ({shares}: Lane, count: number): void => {
    const nowMs = clock.nowMs()
    for (const {bucket, budget} of shares) {
      refill(bucket, budget, nowMs)
      bucket.tokens -= count
    }
  }

  /** Whoever may go of these goes, in order. */
  const grantTo = (waiters: Iterable<Waiting>): void => {
    const nowMs = clock.nowMs()
    const ready: Candidate[] = []
    for (const waiter of waiters) {
      for (let index = 0; index < waiter.asks.length; index += 1) {
        const [ask, lane] = [waiter.asks[index], waiter.lanes[index]]
        if (ask === undefined || lane === undefined) continue
        const atMs = readyAtMs(ask, lane, nowMs)
        if (atMs <= nowMs) ready.push({waiter, ask, lane, index})
        else wakeAtMs = Math.min(wakeAtMs, atMs)
      }
    }
    for (const {waiter, ask, lane, index} of ready.sort(inOrder)) {
      if (!waiting.has(waiter)) continue // an earlier ask of it was granted
      const atMs = readyAtMs(ask, lane, nowMs)
      if (atMs <= nowMs) {
        take(lane, 1)
        waiting.delete(waiter)
        waiter.grant(index)
      } else {
        wakeAtMs = Math.min(wakeAtMs, atMs)
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

  /** Who comes new is looked at alone, unless others are due too: then the timer is about to look at all. */
  const join = (waiter: Waiting): void => {
    waiting.add(waiter)
    const wasAtMs = wakeAtMs
    if (waiting.size === 1) pump()
    else if (wasAtMs > clock.nowMs()) {
      grantTo([waiter])
      if (wakeAtMs < wasAtMs) setTimer()
    }
  }

  const queue = (asks: readonly Ask[]): Queued => {
    const {promise: granted, resolve} = Promise.withResolvers<number | undefined>()
    const waiter: Waiting = {asks, lanes: asks.map(laneOf), grant: resolve}
    const leave = (): void => {
      waiting.delete(waiter)
      if (waiting.size === 0) cancelTimer?.()
      resolve(undefined)
    }
    join(waiter)
    return {granted, leave}
  }

  const next = async (asks: readonly Ask[], signal: AbortSignal): Promise<number | undefined> => {
    if (signal.aborted) return undefined
    const {granted, leave} = queue(asks)
    signal.addEventListener('abort', leave, {once: true})
    const index = await granted
    signal.removeEventListener('abort', leave)
    return index
  }

  return {
    next,
    queue,
    giveBack: (ask) => {
      take(laneOf(ask), -1)
      pump()
    },
    pause: (scope, forMs) => {
      const key = keyOf(scope)
      pauses.set(key, Math.max(clock.nowMs() + forMs, pauses.get(key) ?? 0))
    },
    resume: (scope) => {
      if (pauses.delete(keyOf(scope))) pump()
    },
    isPaused: (ask) => pausedUntilMs(laneOf(ask)) > clock.nowMs(),
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
