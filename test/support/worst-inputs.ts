/** A text of any length: `head`, then `unit` again and again, then `tail`. */
interface Shape {
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
  /** How many shapes are drawn by lot before the slowest of them are varied. */
  shapes: number
}

const SHORT = 2000
const KEPT = 8
const ROUNDS = 3

function textOf({head, unit, tail}: Shape, length: number): string {
  const count = Math.max(1, Math.ceil((length - head.length - tail.length) / unit.length))
  return head + unit.repeat(count) + tail
}

/** The shapes that cost the reader most at a short length, the slowest first. The same seed tries the same ones. */
export function worstShapes(read: Read, {words, seed, shapes}: SearchOptions): Shape[] {
  const below = createLot(seed)
  const some = (most: number, least = 0): string =>
    Array.from({length: least + below(most - least + 1)}, () => words[below(words.length)]).join('')
  const draw = (): Shape => ({head: some(2), unit: some(3, 1), tail: some(2)})
  const vary = (shape: Shape): Shape => {
    const other = draw()
    const part = (['head', 'unit', 'tail'] as const)[below(3)] ?? 'tail'
    return {...shape, [part]: other[part]}
  }
  const cost = (shape: Shape): {shape: Shape; ms: number} => {
    const text = textOf(shape, SHORT)
    return {shape, ms: Math.min(workOf(read, text), workOf(read, text))}
  }
  const single = words.flatMap((unit) =>
    ['', 'a', some(1, 1)].map((tail) => ({head: '', unit, tail})),
  )
  let worst = slowest([...single, ...Array.from({length: shapes}, draw)].map(cost))
  for (let round = 0; round < ROUNDS; round += 1) {
    const varied = worst.flatMap(({shape}) => Array.from({length: KEPT}, () => vary(shape)))
    worst = slowest([...worst, ...varied.map(cost)])
  }
  return worst.map(({shape}) => shape)
}

function slowest<T extends {ms: number; shape: Shape}>(all: readonly T[]): T[] {
  const bySlowness = all.toSorted((a, b) => b.ms - a.ms)
  const units = new Map(bySlowness.toReversed().map((it) => [it.shape.unit, it]))
  return [...units.values()].toSorted((a, b) => b.ms - a.ms).slice(0, KEPT)
}

const LONG = 100_000
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
function ownWorkOf(read: Read, text: string): number {
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
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit)
  }
}
