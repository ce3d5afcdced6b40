import type {Dice} from '../../local/platform/agent/dice.ts'

/** How often what struck. */
export interface Tally {
  note(name: string, times?: number): void
  of(name: string): number
  sum: () => number
  counts: ReadonlyMap<string, number>
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  let sum = 0
  return {
    note: (name, times = 1) => {
      if (times === 0) return
      counts.set(name, (counts.get(name) ?? 0) + times)
      sum += times
    },
    of: (name) => counts.get(name) ?? 0,
    sum: () => sum,
    counts,
  }
}

/** One of these, the heavy ones more often. */
export function pickWeighted<Item extends {weight: number}>(
  dice: Dice,
  items: readonly Item[],
): Item {
  const total = items.reduce((sum, {weight}) => sum + weight, 0)
  let left = dice.int(1, total)
  const found = items.find(({weight}) => (left -= weight) <= 0)
  if (found === undefined) throw new Error('There is nothing to pick from.')
  return found
}
