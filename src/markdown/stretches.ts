/** A piece of a text, from one place to another. */
export interface Stretch {
  from: number
  /** Behind it. */
  to: number
}

/** The last of them that begins at `at` or before it. They stand in the order of where they begin. */
export function lastAt<T>(
  sorted: readonly T[],
  at: number,
  fromOf: (it: T) => number,
): T | undefined {
  let low = -1
  let high = sorted.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const it = sorted[middle]
    if (it !== undefined && fromOf(it) <= at) low = middle
    else high = middle - 1
  }
  return sorted[low]
}

/** Those that overlap as one; those that only touch stay apart. */
export function merge(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = []
  for (const {from, to} of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to)
    else merged.push({from, to})
  }
  return merged
}

/** The one of merged ones that a cut at this place would go through. */
export function stretchAround(merged: readonly Stretch[], at: number): Stretch | undefined {
  const last = lastAt(merged, at - 1, ({from}) => from)
  return last !== undefined && at < last.to ? last : undefined
}

/** Whether one of merged ones holds the character at this place. */
export function isCovered(merged: readonly Stretch[], at: number): boolean {
  return (lastAt(merged, at, ({from}) => from)?.to ?? 0) > at
}
