import type {Clock} from '../../src/async/clock.ts'
import type {Rates} from './model.ts'

/** Slack, of which only its limits are left. */
export interface SimSlack {
  /** When the call is answered: the seconds to wait, or `undefined` when it was taken. `taken` runs when it is seen. */
  call(method: string, channel: string, taken: () => void): Promise<number | undefined>
  tally(): {calls: Record<string, number>; refused: number; refusedInRow: number}
}

export function createSimSlack(options: {
  rates: Rates
  clock: Clock
  latencyMs: number
  leastRetryS: number
}): SimSlack {
  const {rates, clock, latencyMs, leastRetryS} = options
  const buckets = new Map<string, {tokens: number; atMs: number}>()
  const calls: Record<string, number> = {}
  const inRow: Record<string, number> = {}
  let refused = 0
  let refusedInRow = 0

  const take = (method: string, channel: string): number | undefined => {
    const filled = (rates[method] ?? []).map(({perMinute, burst, per}) => {
      const key = `${method}\n${per === 'channel' ? channel : ''}`
      const bucket = buckets.get(key) ?? {tokens: burst, atMs: clock.nowMs()}
      buckets.set(key, bucket)
      const gained = ((clock.nowMs() - bucket.atMs) / 60_000) * perMinute
      Object.assign(bucket, {tokens: Math.min(burst, bucket.tokens + gained), atMs: clock.nowMs()})
      return {bucket, perMinute}
    })
    const waits = filled.map(
      ({bucket, perMinute}) => (Math.max(0, 1 - bucket.tokens) / perMinute) * 60,
    )
    const longest = Math.max(0, ...waits)
    if (longest > 1e-9) return Math.max(leastRetryS, Math.ceil(longest))
    for (const {bucket} of filled) bucket.tokens -= 1
    return undefined
  }

  const after = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

  return {
    call: async (method, channel, taken) => {
      await after(latencyMs / 2)
      calls[method] = (calls[method] ?? 0) + 1
      const retryS = take(method, channel)
      if (retryS === undefined) taken()
      else refused += 1
      inRow[method] = retryS === undefined ? 0 : (inRow[method] ?? 0) + 1
      refusedInRow = Math.max(refusedInRow, inRow[method])
      await after(latencyMs / 2)
      return retryS
    },
    tally: () => ({calls, refused, refusedInRow}),
  }
}
