/** A limit of Slack's documentation: so many calls a minute, and so many at once after a rest. */
export interface Rate {
  perMinute: number
  burst: number
}

/** Token buckets, one per key, refilled continuously. */
export interface Rates {
  /** Takes one token from each bucket, or none at all: then the whole seconds to wait. */
  take(wanted: {key: string; rate: Rate}[]): number | undefined
}

interface Bucket {
  tokens: number
  atMs: number
}

export function createRates({
  scale,
  now,
  leastSeconds = 1,
}: {
  scale: number
  now: () => number
  /** Nobody who has to wait is told less. */
  leastSeconds?: number
}): Rates {
  if (!(scale > 0)) {
    throw new RangeError(
      `rateScale must be above 0, but it is ${scale}: Infinity takes limits away.`,
    )
  }
  const buckets = new Map<string, Bucket>()
  const refill = (key: string, rate: Rate): Bucket => {
    // A bucket that never holds a whole token would never let anything through.
    const burst = Math.max(1, rate.burst * scale)
    const atMs = now()
    const bucket = buckets.get(key) ?? {tokens: burst, atMs}
    const gained = ((atMs - bucket.atMs) / 60_000) * rate.perMinute * scale
    const filled = {tokens: Math.min(burst, bucket.tokens + gained), atMs}
    buckets.set(key, filled)
    return filled
  }
  return {
    take: (wanted) => {
      if (scale === Infinity) return undefined
      const filled = wanted.map(({key, rate}) => ({bucket: refill(key, rate), rate}))
      const waits = filled.map(
        ({bucket, rate}) => (Math.max(0, 1 - bucket.tokens) / (rate.perMinute * scale)) * 60,
      )
      const longest = Math.max(0, ...waits)
      if (longest > 0) return Math.ceil(Math.max(leastSeconds, longest))
      for (const {bucket} of filled) bucket.tokens -= 1
      return undefined
    },
  }
}
