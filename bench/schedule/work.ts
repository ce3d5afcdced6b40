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

/** Random numbers that follow from their seed: mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let it = Math.imul(state ^ (state >>> 15), 1 | state)
    it = (it + Math.imul(it ^ (it >>> 7), 61 | it)) ^ it
    return ((it ^ (it >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The work that is measured: 3,000 characters each in 300 uneven fragments over 20 s. */
export function unevenWork(threads: number, seed: number): ThreadWork[] {
  const random = createRandom(seed)
  return Array.from({length: threads}, (_, index) => {
    const startMs = threads === 1 ? 0 : (2000 * index) / (threads - 1)
    const channel = `C${index % Math.min(threads, 10)}`
    return {
      channel,
      fragments: writeReply(random, {startMs, chars: 3000, lastsMs: 20_000, count: 300}),
    }
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

function writeReply(random: () => number, {startMs, chars, lastsMs, count}: Reply) {
  // A third small, the others large, and now and then a pause: half of the time is silence.
  const uneven = (small: number, large: number): number =>
    random() < 1 / 3 ? small * random() : large * (1 / 3 + (2 / 3) * random())
  const sizes = Array.from({length: count}, () => 1 + uneven(2, 26))
  const gaps = sizes.map(() => uneven(2, 30) + (random() < 1 / 25 ? 150 + 450 * random() : 0))
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
