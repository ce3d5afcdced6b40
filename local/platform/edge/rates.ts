import type {Clock} from '../clock.ts'
import {rateLimited} from './errors.ts'

/** How many requests each key may make: a bucket that fills continuously. Section 8 leaves the numbers open. */
export interface RateLimit {
  perMinute: number
  burst: number
}

export interface Rates {
  /** Counts a request of this key; refuses with 429 when its bucket is empty. */
  take(key: string): void
  /** Replaces the limit; all buckets are full again. */
  setLimit(limit: RateLimit | null): void
}

/** `null`: no limit. */
export function createRates(clock: Clock, initial: RateLimit | null): Rates {
  const buckets = new Map<string, {tokens: number; atMs: number}>()
  let limit = initial
  return {
    take: (key) => {
      if (limit === null) return
      const nowMs = clock.nowMs()
      const {perMinute, burst} = limit
      const perMs = perMinute / 60_000
      const before = buckets.get(key) ?? {tokens: burst, atMs: nowMs}
      const tokens = Math.min(burst, before.tokens + (nowMs - before.atMs) * perMs)
      const isAllowed = tokens >= 1
      buckets.set(key, {tokens: isAllowed ? tokens - 1 : tokens, atMs: nowMs})
      if (!isAllowed) throw rateLimited(Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)))
    },
    setLimit: (next) => {
      limit = next
      buckets.clear()
    },
  }
}
