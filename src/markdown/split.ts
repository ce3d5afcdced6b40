import {type Block, type Container, type Line, START, enter, readLine} from './blocks.ts'
import {cutAt, surelyBefore} from './cut.ts'
import {type SourceLine, readLines} from './paragraphs.ts'

/** A piece of a long text. */
export interface Part {
  /** What to show: self-contained Markdown. */
  shown: string
  /** The slice of the text that it stands for; all slices joined are the text. */
  source: string
}

export type Growth = 'complete' | 'growing'

/** Where a part begins. */
interface Start {
  /** What is open there, in the text as a whole. */
  block: Block
  place: 'at a line' | 'inside a line'
  /** What it repeats of the parts before it: a fence's first line, a table's header, a quote's mark. */
  opening: string
}

/**
 * Splits Markdown into parts of at most `maxCost`, where `costOf` measures a text as it goes out; no text
 * may cost less than its length.
 *
 * A part reads alone as it did in the whole: an open fence is closed and opened again, a table repeats its
 * header, a quote its mark, and a nested list is moved to the left. Whether and where a part ends depends
 * only on the text up to there: parts never change while the text behind them grows. Of a text that is `growing`
 * the last part ends where it is sure to reach, so that nothing shown moves on to the next one.
 */
export function splitMarkdown(
  text: string,
  maxCost: number,
  costOf: (text: string) => number = (it) => it.length,
  growth: Growth = 'complete',
): Part[] {
  return [...eachPart(text, maxCost, costOf, growth)]
}

/** The same part by part: whoever wants no more of them pays for no more. */
export function* eachPart(
  text: string,
  maxCost: number,
  costOf: (text: string) => number,
  growth: Growth,
): Generator<Part, void> {
  let isFirst = true
  let rest = text
  let start: Start = {block: START, place: 'at a line', opening: ''}
  for (;;) {
    const cost = costOf(start.opening) + (start.block.containers.length > 0 ? RESERVE : 0)
    const budget = Math.max(maxCost - cost - RESERVE, MIN_WINDOW)
    const window = rest.slice(0, longestPrefix(rest, budget, costOf))
    const from = longestPrefix(window, budget * (1 - LAST), costOf)
    if (rest.length <= maxCost && cost + costOf(rest) <= maxCost) {
      if (growth === 'growing' && from < window.length) rest = sureOf(window, start, from)
      break
    }
    const read = readLines(window, start.block, start.place)
    const source = window.slice(0, cutAt(window, read, from))
    const lines = linesOf(source, read, start.place)
    const end = lines.at(-1)
    const isRest = end !== undefined && end.from < end.to
    const block = (isRest ? end.after : end?.before) ?? START
    yield {shown: shownOf(source, lines, start, block), source}
    isFirst = false
    rest = rest.slice(source.length)
    // What is repeated must leave most of each part to what is new.
    // It must not depend on what is still to come: so much stands there once another part follows.
    const openings = openingsOf(block, isRest, rest.slice(0, maxCost / 12))
    start = {
      block,
      place: isRest ? 'inside a line' : 'at a line',
      opening: openings.find((it) => costOf(it) <= maxCost / 3) ?? '',
    }
  }
  if (rest === '' && !isFirst) return
  const lines = readLines(rest, start.block, start.place)
  yield {shown: shownOf(rest, lines, start, undefined), source: rest}
}

/** The last stretch of a part, in which it is cut. */
const LAST = 0.2

/** What stays in this part whatever comes: where it is cut is seen only once it is full. */
function sureOf(window: string, {block, place}: Start, from: number): string {
  return window.slice(0, surelyBefore(window, readLines(window, block, place), from))
}

/** Those lines of the window that are in front of the cut; the last one may be cut itself. */
function linesOf(
  source: string,
  window: readonly SourceLine[],
  place: Start['place'],
): SourceLine[] {
  const lines = window.filter(({from}) => from <= source.length)
  const last = lines.at(-1)
  if (last === undefined) return lines
  const [cut] = readLines(
    source.slice(last.from),
    last.before,
    lines.length === 1 ? place : 'at a line',
  )
  const from = last.from
  return cut === undefined ? lines : [...lines.slice(0, -1), {...cut, from, to: source.length}]
}

/** Room for the end of a fence. */
const RESERVE = 24
const MIN_WINDOW = 64

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

/** `end`: what is open behind a part that another one follows. */
function shownOf(
  source: string,
  lines: readonly SourceLine[],
  start: Start,
  end: Block | undefined,
): string {
  const isFirst = start.block === START
  // The last line of a fence, without the code above it.
  const isEnd =
    start.block.leaf.kind === 'fence' &&
    lines.every((it) => it.kind === 'fence' || it.kind === 'blank') &&
    lines.filter((it) => it.kind === 'fence').length < 2
  if (!isFirst && (source.trim() === '' || isEnd)) return ''
  const text = isFirst ? source : moveLeft(source, lines, start)
  if (end === undefined) return start.opening + text
  // At a cut outside of code the line ends are the cut itself and need not be shown.
  if (end.leaf.kind !== 'fence') return start.opening + text.trimEnd()
  const inside = sharedBy(start.block.containers, end.containers)
  const marks = quotesOf(end.containers.slice(0, inside)) + marksOf(end.containers.slice(inside))
  const closing = `\n${marks}${end.leaf.mark}`
  const code = text.replace(/\n$/, '')
  // A fence of more ticks than there is room for needs no end: that of the message is its own.
  return start.opening + (closing.length < RESERVE ? code + closing : code)
}

/** Without the indentation of the list items that the part begins in, as long as they go on. */
function moveLeft(
  source: string,
  lines: readonly SourceLine[],
  {block, place, opening}: Start,
): string {
  const {leaf, containers} = block
  let inside = containers.length
  const shown = lines.flatMap((line, index) => {
    const written = source.slice(line.from, line.to)
    if (index === 0 && place === 'inside a line')
      return line.kind === 'code' ? written : written.trimStart()
    inside = Math.min(inside, sharedBy(containers, line.after.containers))
    const {at, quotes} = enter(containers.slice(0, inside), written)
    const rest = written.slice(at)
    const moved = quotes + (index === 0 && line.goesOn ? rest.trimStart() : rest)
    // The end of an item ended the fence in it, and the item is not here.
    const isLeft = leaf === line.before.leaf && leaves(line) && line.from < source.length
    const ends = opening !== '' && leaf.kind === 'fence' && isLeft
    return ends && leaf.mark.length < RESERVE ? [leaf.mark, moved] : moved
  })
  return shown.join('\n')
}

/** Whether a line behind the code of a fence is outside of it, without being its end. */
function leaves({kind, after}: Line): boolean {
  return kind !== 'code' && !(kind === 'fence' && after.leaf.kind === 'none')
}

/** How many of what was open still is. */
function sharedBy(before: readonly Container[], after: readonly Container[]): number {
  const other = before.findIndex((it, index) => it !== after[index])
  return other === -1 ? before.length : other
}

function quotesOf(containers: readonly Container[]): string {
  return '> '.repeat(containers.filter(({kind}) => kind === 'quote').length)
}

/** What a line begins with to be inside of all of them. */
function marksOf(containers: readonly Container[]): string {
  return containers.map((it) => (it.kind === 'quote' ? '> ' : ' '.repeat(it.width))).join('')
}

/** What the next part may repeat, best first. */
function openingsOf(block: Block, isRest: boolean, rest: string): string[] {
  const {containers, leaf} = block
  const marks = quotesOf(containers)
  const [line = ''] = rest.split('\n', 1)
  switch (leaf.kind) {
    case 'fence': {
      if (!isRest && leaves(readLine(block, line))) return []
      const begin = marks + ' '.repeat(leaf.indent) + leaf.mark
      const first = isRest ? marks : ''
      return [`${begin}${leaf.info}\n${first}`, `${begin}\n${first}`]
    }
    case 'table':
      if (isRest || !line.includes('|')) return isRest ? [marks] : []
      return [`${marks}${leaf.head}\n${marks}${leaf.delimiter}\n`]
    case 'paragraph':
      // Lines of a quote may leave out its mark.
      if (marks === '' || line.trim() === '') return []
      return isRest || !line.trimStart().startsWith('>') ? [marks] : []
    case 'code':
      return isRest ? [`${marks}    `] : []
    case 'none':
      return isRest ? [marks] : []
    default:
      throw new Error(`Unknown leaf: ${JSON.stringify(leaf satisfies never)}`)
  }
}
