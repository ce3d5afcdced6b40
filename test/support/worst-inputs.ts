import {createRandom} from '../../local/random.ts'

/** A text of any length: `head`, then `unit` again and again, then `tail`. */
export interface Shape {
  head: string
  unit: string
  tail: string
}

/** What is under test; what it makes of the text is of no interest. */
export type Read = (text: string) => unknown

interface SearchOptions {
  /** What means something to the reader under test; units, heads and tails are made of it. */
  words: readonly string[]
  seed: number
  /** How many shapes are drawn by lot before the worst of them are varied. */
  shapes: number
  /** What is bad about it; the time that it takes, in milliseconds, where nothing is said. */
  costOf?: (read: Read, text: string) => number
}

const SHORT = 2000
const KEPT = 8
const ROUNDS = 3

export function textOf({head, unit, tail}: Shape, length: number): string {
  const count = Math.max(1, Math.ceil((length - head.length - tail.length) / unit.length))
  return head + unit.repeat(count) + tail
}

/** The shapes that cost the reader most at a short length, the worst first. The same seed tries the same ones. */
export function worstShapes(read: Read, options: SearchOptions): Shape[] {
  const {words, seed, shapes, costOf = workOf} = options
  const below = createLot(seed)
  const some = (most: number, least = 0): string =>
    Array.from({length: least + below(most - least + 1)}, () => words[below(words.length)]).join('')
  const draw = (): Shape => ({head: some(2), unit: some(3, 1), tail: some(2)})
  const vary = (shape: Shape): Shape => {
    const other = draw()
    const part = (['head', 'unit', 'tail'] as const)[below(3)] ?? 'tail'
    return {...shape, [part]: other[part]}
  }
  const judge = (shape: Shape): Judged => {
    const text = textOf(shape, SHORT)
    return {shape, cost: Math.min(costOf(read, text), costOf(read, text))}
  }
  const single = words.flatMap((unit) =>
    ['', 'a', some(1, 1)].map((tail) => ({head: '', unit, tail})),
  )
  let worst = worstOf([...single, ...Array.from({length: shapes}, draw)].map(judge))
  for (let round = 0; round < ROUNDS; round += 1) {
    const varied = worst.flatMap(({shape}) => Array.from({length: KEPT}, () => vary(shape)))
    worst = worstOf([...worst, ...varied.map(judge)])
  }
  return worst.map(({shape}) => shape)
}

interface Judged {
  shape: Shape
  cost: number
}

/** The worst of each unit. */
function worstOf(all: readonly Judged[]): Judged[] {
  const ofEachUnit = new Map(
    all.toSorted((a, b) => a.cost - b.cost).map((judged) => [judged.shape.unit, judged]),
  )
  return [...ofEachUnit.values()].toSorted((a, b) => b.cost - a.cost).slice(0, KEPT)
}

export const LONG = 100_000
/** Longer than any window that a reader looks through at once. */
const STEP = 16
/** Linear is 16, two or three times that where memory has to be cleared away meanwhile; quadratic is 256. */
const MAX_RATIO = 120
/** What takes less holds up nobody, and is too little to be compared. */
const NOISE_MS = 30
const TIMES = 8
/** What took so long altogether need not be tried again: nothing linear does. */
const ENOUGH_MS = 3000

/**
 * By how much the work grows when the text becomes sixteen times as long, 100,000 characters, where that is too much. It is
 * measured anew, in case that the machine had something else to do: the least that is ever seen counts.
 */
export function explosionOf(read: Read, shape: Shape): {ratio: number} | undefined {
  const [short, long] = [textOf(shape, LONG / STEP), textOf(shape, LONG)]
  let ratio = Infinity
  let spentMs = 0
  for (let time = 0; time < TIMES && spentMs < ENOUGH_MS && ratio > MAX_RATIO; time += 1) {
    const longMs = ownWorkOf(read, long)
    spentMs += longMs
    const shortMs = Math.min(...Array.from({length: 9}, () => workOf(read, short)))
    ratio = Math.min(ratio, longMs < NOISE_MS ? 1 : longMs / shortMs)
  }
  return ratio > MAX_RATIO ? {ratio: Math.round(ratio)} : undefined
}

/** Without the time in which the machine did something else. The processor's own clock ticks too rarely for less work. */
export function ownWorkOf(read: Read, text: string): number {
  const before = process.threadCpuUsage()
  const ms = workOf(read, text)
  const {user, system} = process.threadCpuUsage(before)
  return ms > SURE_MS ? Math.min(ms, (user + system) / 1000) : ms
}

const SURE_MS = 60

function workOf(read: Read, text: string): number {
  const begunMs = performance.now()
  read(text)
  return performance.now() - begunMs
}

function createLot(seed: number): (limit: number) => number {
  const random = createRandom(seed)
  return (limit) => Math.floor(random() * limit)
}
