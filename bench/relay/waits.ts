/** A piece of a reply, when the platform said it. */
export interface Produced {
  atMs: number
  text: string
}

/** What readers saw of a reply from then on, in Markdown. */
export interface Sight {
  atMs: number
  text: string
}

/** How long a reply's text waited for its readers, in milliseconds. */
export interface Waits {
  /** Of each letter and digit. */
  letters: number[]
  /** From the first letter said to the first letter seen. */
  firstMs: number
  /** From the last fragment to the whole text; `undefined` when that was not seen in time. */
  wholeMs: number | undefined
}

/** What is not seen by then counts as seen then. */
export const PATIENCE_MS = 60_000

/**
 * Letters and digits are compared by position, as nobody sees the marks between them. One counts as seen once all of the text up
 * to it was; what was seen once stays seen.
 */
export function waitsOf(produced: readonly Produced[], sights: readonly Sight[]): Waits {
  const letters = lettersOf(produced.map(({text}) => text).join(''))
  const saidAtMs = produced.flatMap(({atMs, text}) => Array.from(lettersOf(text), () => atMs))
  const endMs = (produced.at(-1)?.atMs ?? 0) + PATIENCE_MS
  const seenAtMs = seenTimes(letters, sights).map((atMs) => Math.min(atMs, endMs))
  const waits = saidAtMs.map((atMs, index) => (seenAtMs[index] ?? endMs) - atMs)
  const [firstMs = PATIENCE_MS] = waits
  const wholeAtMs = seenAtMs.length === letters.length ? seenAtMs.at(-1) : undefined
  const isInTime = wholeAtMs !== undefined && wholeAtMs < endMs
  return {
    letters: waits,
    firstMs,
    wholeMs: isInTime ? wholeAtMs - (endMs - PATIENCE_MS) : undefined,
  }
}

/** When each letter was first seen, as far as they were. */
function seenTimes(letters: string, sights: readonly Sight[]): number[] {
  const times: number[] = []
  for (const {atMs, text} of sights) {
    const seen = commonLength(letters, lettersOf(text))
    while (times.length < seen) times.push(atMs)
  }
  return times
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1
  return length
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '')
}
