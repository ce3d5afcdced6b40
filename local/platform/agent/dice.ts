import {createRandom} from '../../random.ts'

export interface Dice {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Choices that depend on the seed alone, so that the same task always plays the same way. */
export function createDice(seed: string): Dice {
  const next = createRandom(hash(seed))
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {int, pick: (items) => items[int(0, items.length - 1)] ?? items[0]}
}

/** FNV-1a over UTF-16 code units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
