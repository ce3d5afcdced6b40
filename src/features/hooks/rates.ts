import {createMemory} from '../../async/memory.ts'

/** How often each hook may be used: `perMinute` in a burst, and so many in each minute. */
export interface HookRates {
  /** `undefined`: it may. Else in how many seconds it may again. */
  take(hookId: string): number | undefined
}

/** Those that have long been full again are forgotten. */
const MAX_KNOWN = 10_000

export function createHookRates(perMinute: number, nowMs: () => number): HookRates {
  const buckets = createMemory<{left: number; atMs: number}>({most: MAX_KNOWN})
  return {
    take: (hookId) => {
      const now = nowMs()
      const {left, atMs} = buckets.of(hookId) ?? {left: perMinute, atMs: now}
      const passedMs = Math.max(0, now - atMs)
      const filled = Math.min(perMinute, left + (passedMs * perMinute) / 60_000)
      const isFree = filled >= 1
      buckets.keep(hookId, {left: isFree ? filled - 1 : filled, atMs: now})
      return isFree ? undefined : Math.ceil(((1 - filled) * 60) / perMinute)
    },
  }
}
