/** How often each hook may be used: `perMinute` in a burst, and so many in each minute. */
export interface HookRates {
  /** `undefined`: it may. Else in how many seconds it may again. */
  take(hookId: string): number | undefined
}

/** Those that have long been full again are forgotten. */
const MAX_KNOWN = 10_000

export function createHookRates(perMinute: number, nowMs: () => number): HookRates {
  const buckets = new Map<string, {left: number; atMs: number}>()
  return {
    take: (hookId) => {
      const now = nowMs()
      const {left, atMs} = buckets.get(hookId) ?? {left: perMinute, atMs: now}
      const passedMs = Math.max(0, now - atMs)
      const filled = Math.min(perMinute, left + (passedMs * perMinute) / 60_000)
      buckets.delete(hookId)
      const [oldest] = buckets.keys()
      if (buckets.size >= MAX_KNOWN && oldest !== undefined) buckets.delete(oldest)
      const isFree = filled >= 1
      buckets.set(hookId, {left: isFree ? filled - 1 : filled, atMs: now})
      return isFree ? undefined : Math.ceil(((1 - filled) * 60) / perMinute)
    },
  }
}
