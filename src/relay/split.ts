/** A piece of a long text. */
export interface Part {
  /** What to show: self-contained Markdown. */
  shown: string
  /** The slice of the text that it stands for; all slices joined are the text. */
  source: string
}

interface Fence {
  /** The opening line, indentation and info string included. */
  opener: string
  /** What closes it. */
  closer: string
}

/**
 * Splits Markdown into parts of at most `maxCost`, where `costOf` measures a text as it goes out.
 *
 * It cuts at a paragraph, else at a line, a sentence, a word, a grapheme; an open code fence is closed and
 * opened again, and a table that goes on repeats its header. Whether and where a part ends depends
 * only on the text up to there: parts never change while the text behind them grows.
 */
export function splitMarkdown(
  text: string,
  maxCost: number,
  costOf: (text: string) => number = (it) => it.length,
): Part[] {
  const parts: Part[] = []
  let rest = text
  let opening = '' // what a part repeats of the one before: a fence's opener, a table's header
  let fence: Fence | undefined
  while (costOf(opening + rest) > maxCost) {
    const budget = maxCost - costOf(opening) - RESERVE
    const window = rest.slice(0, longestPrefix(rest, Math.max(budget, MIN_WINDOW), costOf))
    const source = window.slice(0, cutAt(window, fence))
    fence = fenceAfter(source, fence)
    const shown = opening + trimCut(source, fence)
    parts.push({shown: fence === undefined ? shown : shown + closing(fence), source})
    rest = rest.slice(source.length)
    const repeated =
      fence === undefined
        ? [tableHeader(opening + source, rest)]
        : [`${fence.opener}\n`, `${fence.closer}\n`]
    // What is repeated must leave most of each part to what is new.
    opening = repeated.find((it) => costOf(it) <= maxCost / 3) ?? ''
  }
  if (rest !== '' || parts.length === 0) parts.push({shown: opening + rest, source: rest})
  return parts
}

/** Room for the closing of a fence. */
const RESERVE = 16
const MIN_WINDOW = 64

/** A fence of more ticks than there is room for needs no end: that of the message is its own. */
function closing({closer}: Fence): string {
  return closer.length < RESERVE ? `\n${closer}` : ''
}

/** The length of the longest prefix that costs at most `budget`, in whole code points. */
function longestPrefix(text: string, budget: number, costOf: (text: string) => number): number {
  let low = 1
  let high = Math.min(text.length, budget)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (costOf(text.slice(0, middle)) <= budget) low = middle
    else high = middle - 1
  }
  const isInPair = low > 1 && /[\uD800-\uDBFF]/.test(text.charAt(low - 1))
  return isInPair ? low - 1 : low
}

/** Where to cut a window that is full: behind the best boundary in its second half. */
function cutAt(window: string, fence: Fence | undefined): number {
  const half = Math.floor(window.length / 2)
  const paragraph = lastIndex(window, /\n[ \t]*\n+/g, half)
  // Inside a fence a blank line is code like any other; outside it is where a reader pauses.
  if (paragraph > 0 && fenceAfter(window.slice(0, paragraph), fence) === undefined) return paragraph
  for (const boundary of [/\n/g, /[.!?]["'»”)]*\s+|[。！？]["'»”)」』]*\s*/g, /\s+/g]) {
    const at = lastIndex(window, boundary, half)
    if (at > 0) return at
  }
  return lastGrapheme(window)
}

/** The end of the last match that ends in the second half and before the window's own end. */
function lastIndex(window: string, boundary: RegExp, half: number): number {
  const ends = [...window.slice(half).matchAll(boundary)].map(
    (match) => half + match.index + match[0].length,
  )
  // A mark that combines belongs to the space in front of it.
  const graphemes = new Intl.Segmenter().segment(window)
  return ends.findLast((end) => graphemes.containing(end)?.index === end) ?? 0
}

/**
 * Never between the code points of one visible character, which may go on behind the window, and not
 * inside an entity.
 */
function lastGrapheme(window: string): number {
  const last = new Intl.Segmenter().segment(window).containing(window.length - 1)?.index ?? 0
  const entity = /&#?\w{0,31}$/.exec(window.slice(0, last))?.index ?? 0
  return entity || last || window.length
}

/** The fence that stands open behind `source`, given the one open before it. */
function fenceAfter(source: string, before: Fence | undefined): Fence | undefined {
  let fence = before
  for (const line of source.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    const ticks = mark?.[1]
    if (ticks === undefined) continue
    const info = mark?.[2] ?? ''
    if (fence === undefined) {
      if (!(ticks.startsWith('`') && info.includes('`'))) fence = {opener: line, closer: ticks}
    } else if (info.trim() === '' && ticks.startsWith(fence.closer)) {
      fence = undefined
    }
  }
  return fence
}

/** At a cut outside of code the line ends are the cut itself and need not be shown. */
function trimCut(source: string, fence: Fence | undefined): string {
  return fence === undefined ? source.trimEnd() : source.replace(/\n$/, '')
}

/** The header and delimiter rows of the table that `before` ends in, if `rest` goes on with it. */
function tableHeader(before: string, rest: string): string {
  if (!/^[ \t]*\|/.test(rest) || !before.endsWith('\n')) return ''
  const lines = before.trimEnd().split('\n')
  const first = lines.findLastIndex((line) => !/^[ \t]*\|/.test(line)) + 1
  const [header, delimiter] = lines.slice(first)
  if (header === undefined || delimiter === undefined) return ''
  return /^[\s|:-]+$/.test(delimiter) && delimiter.includes('-') ? `${header}\n${delimiter}\n` : ''
}
