/** What was learnt of things that come from outside: so many at most. What nobody has asked for longest goes first. */
interface Memory<Value> {
  /** `undefined` where it is not known, or not any more. */
  of(key: string): Value | undefined
  /** Without an end it is kept until others need its room. */
  keep(key: string, value: Value, forMs?: number): void
  forget(key: string): void
  size(): number
}

export function createMemory<Value>({
  most,
  nowMs = () => performance.now(),
}: {
  most: number
  nowMs?: () => number
}): Memory<Value> {
  /** In the order in which they were asked for last. */
  const known = new Map<string, {value: Value; untilMs: number}>()
  return {
    of: (key) => {
      const entry = known.get(key)
      if (entry === undefined) return undefined
      known.delete(key)
      if (nowMs() >= entry.untilMs) return undefined
      known.set(key, entry)
      return entry.value
    },
    keep: (key, value, forMs = Infinity) => {
      known.delete(key)
      const [oldest] = known.keys()
      if (known.size >= most && oldest !== undefined) known.delete(oldest)
      known.set(key, {value, untilMs: nowMs() + forMs})
    },
    forget: (key) => void known.delete(key),
    size: () => known.size,
  }
}
