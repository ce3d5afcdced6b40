import {createRandom} from '../../../local/random.ts'

/** Chance that a seed decides, and nothing else: the same seed draws the same. */
export interface Lottery {
  /** At least 0, below 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  /** True so many times of a hundred. */
  percent(chance: number): boolean
  /** A lottery of its own, which what is drawn here or elsewhere does not touch. */
  fork(name: string): Lottery
}

export function createLottery(seed: string): Lottery {
  const next = createRandom(hashOf(seed))
  const int = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1))
  return {
    next,
    int,
    pick: (items) => {
      const item = items[int(0, items.length - 1)]
      if (item === undefined) throw new Error('There is nothing to pick from.')
      return item
    },
    percent: (chance) => next() * 100 < chance,
    fork: (name) => createLottery(`${seed} ${name}`),
  }
}

function hashOf(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value >>> 0
}
