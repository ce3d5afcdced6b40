import {createRandom} from '../../local/random.ts'

interface Fragment {
  atMs: number
  chars: number
  /** So many characters of the whole reply may be shown from then on; without it, all that were written. */
  readable?: number
}

/** One thread: a reply that is written from here to there. */
export interface ThreadWork {
  channel: string
  fragments: readonly Fragment[]
}

/** The work that is measured: 3,000 characters each in 300 uneven fragments over 20 s. */
export function unevenWork(threads: number, seed: number): ThreadWork[] {
  const random = createRandom(seed)
  return Array.from({length: threads}, (_, index) => {
    const startMs = threads === 1 ? 0 : (2000 * index) / (threads - 1)
    const channel = `C${index % Math.min(threads, 10)}`
    return {channel, fragments: writeReply(random, {startMs, ...UNEVEN})}
  })
}

/** The same, written at one pace: nobody who knows what comes can wait for a pause. */
export function steadyWork(threads: number): ThreadWork[] {
  return unevenWork(threads, 1).map(({channel, fragments}) => {
    const endMs = fragments.at(-1)?.atMs ?? 0
    return {
      channel,
      fragments: fragments.map((_, index) => ({
        atMs: endMs - 20_000 * (1 - (index + 1) / fragments.length),
        chars: 10,
      })),
    }
  })
}

/** Work of all kinds: any length and pace, with silences, and threads that begin whenever they like. */
export function mixedWork(threads: number, overMs: number, seed: number): ThreadWork[] {
  const random = createRandom(seed)
  return Array.from({length: threads}, (_, index) => {
    const chars = Math.round(200 * 60 ** random())
    const lastsMs = 2000 * 90 ** random()
    const count = Math.max(2, Math.min(chars, Math.round(lastsMs / (30 + 200 * random()))))
    const channel = `C${index % Math.min(threads, 10)}`
    const startMs = overMs * random()
    return {channel, fragments: writeReply(random, {startMs, chars, lastsMs, count})}
  })
}

/** Replies that come complete, one every two seconds, while many others grow without end. */
export function finalsWork(streams: number, lastsMs: number, seed: number): ThreadWork[] {
  const random = createRandom(seed)
  const growing = Array.from({length: streams}, (_, index) => ({
    channel: `C${index % 10}`,
    fragments: writeReply(random, {
      startMs: 20 * index,
      chars: lastsMs / 7,
      lastsMs,
      count: lastsMs / 70,
    }),
  }))
  const finals = Array.from({length: lastsMs / 2000 - 5}, (_, index) => ({
    channel: `C${index % 10}`,
    fragments: [{atMs: 5000 + 2000 * index, chars: Math.round(80 + 220 * random())}],
  }))
  return [...growing, ...finals]
}

interface Reply {
  startMs: number
  chars: number
  lastsMs: number
  count: number
}

const UNEVEN = {chars: 3000, lastsMs: 20_000, count: 300}

// A third small, the others large, and now and then a pause: half of the time is silence.
function uneven(random: () => number, small: number, large: number): number {
  return random() < 1 / 3 ? small * random() : large * (1 / 3 + (2 / 3) * random())
}

function sizeOf(random: () => number): number {
  return 1 + uneven(random, 2, 26)
}

function gapOf(random: () => number): number {
  return uneven(random, 2, 30) + (random() < 1 / 25 ? 150 + 450 * random() : 0)
}

/** In the mean. */
const USUAL_GAP = (1 / 3) * 1 + (2 / 3) * 20 + (1 / 25) * 375

/** How such a reply may go on for all that is known by now, as the law says by which it is written. */
export function imagineRest(
  random: () => number,
  past: readonly Fragment[],
  nowMs: number,
): Fragment[] {
  const count = UNEVEN.count - past.length
  const [first, last] = [past[0], past.at(-1)]
  if (count <= 0 || first === undefined || last === undefined) return []
  const unitMs = UNEVEN.lastsMs / (UNEVEN.count * USUAL_GAP)
  const silence = (nowMs - last.atMs) / unitMs
  const gaps = Array.from({length: count}, () => gapOf(random))
  for (let tries = 0; tries < 100 && (gaps[0] ?? 0) < silence; tries += 1) gaps[0] = gapOf(random)
  gaps[0] = Math.max(0.1, (gaps[0] ?? 0) - silence)
  const sizes = gaps.map(() => sizeOf(random))
  const restMs = Math.max(1, first.atMs + UNEVEN.lastsMs - nowMs)
  const rest = Math.max(1, UNEVEN.chars - sum(past.map(({chars}) => chars)))
  const [size, gap] = [sum(sizes), sum(gaps)]
  let atMs = nowMs
  return sizes.map((it, index) => {
    atMs += ((gaps[index] ?? 0) / gap) * restMs
    return {atMs, chars: (it / size) * rest}
  })
}

function writeReply(random: () => number, {startMs, chars, lastsMs, count}: Reply) {
  const sizes = Array.from({length: count}, () => sizeOf(random))
  const gaps = sizes.map(() => gapOf(random))
  const [size, gap] = [sum(sizes), sum(gaps)]
  let passed = 0
  let written = 0
  return sizes.map((it, index) => {
    passed += gaps[index] ?? 0
    const before = Math.round(written)
    written += (it / size) * chars
    return {atMs: startMs + (passed / gap) * lastsMs, chars: Math.round(written) - before}
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, it) => total + it, 0)
}
