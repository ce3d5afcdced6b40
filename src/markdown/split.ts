import {type Block, type Container, START} from './blocks.ts'
import {cutAt} from './cut.ts'
import {type SourceLine, layOut} from './paragraphs.ts'

/** A piece of a long text. */
export interface Part {
  /** What to show: self-contained Markdown. */
  shown: string
  /** The slice of the text that it stands for; all slices joined are the text. */
  source: string
}

/** Where a part begins. */
interface Start {
  /** What is open there, in the text as a whole. */
  block: Block
  /** It begins inside a line. */
  isRest: boolean
  /** What it repeats of the parts before it: a fence's first line, a table's header, a quote's mark. */
  opening: string
}

/**
 * Splits Markdown into parts of at most `maxCost`, where `costOf` measures a text as it goes out; no text
 * may cost less than its length.
 *
 * A part reads alone as it did in the whole: an open fence is closed and opened again, a table repeats its
 * header, a quote its mark, and a nested list is moved to the left. Whether and where a part ends depends
 * only on the text up to there: parts never change while the text behind them grows.
 */
export function splitMarkdown(
  text: string,
  maxCost: number,
  costOf: (text: string) => number = (it) => it.length,
): Part[] {
  const parts: Part[] = []
  let rest = text
  let start: Start = {block: START, isRest: false, opening: ''}
  while (rest.length > maxCost || costOf(start.opening + rest) > maxCost) {
    const budget = Math.max(maxCost - costOf(start.opening) - RESERVE, MIN_WINDOW)
    const window = rest.slice(0, longestPrefix(rest, budget, costOf))
    const source = window.slice(0, cutAt(window, layOut(window, start.block, start.isRest)))
    const {lines} = layOut(source, start.block, start.isRest)
    const end = lines.at(-1)
    const isRest = end !== undefined && end.from < end.to
    const block = (isRest ? end.after : end?.before) ?? START
    parts.push({shown: shownOf(source, lines, start, block), source})
    rest = rest.slice(source.length)
    // What is repeated must leave most of each part to what is new.
    const openings = openingsOf(block, isRest, rest.slice(0, maxCost))
    start = {block, isRest, opening: openings.find((it) => costOf(it) <= maxCost / 3) ?? ''}
  }
  if (rest !== '' || parts.length === 0) {
    const {lines} = layOut(rest, start.block, start.isRest)
    parts.push({shown: shownOf(rest, lines, start, undefined), source: rest})
  }
  return parts
}

/** Room for the closing of a fence. */
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
  const isFirst = start.block === START && start.opening === '' && !start.isRest
  // The last line of a fence, without the code above it.
  const isEnd =
    start.block.leaf.kind === 'fence' &&
    lines.every((it) => it.kind === 'fence' || it.kind === 'blank')
  if (!isFirst && (source.trim() === '' || isEnd)) return ''
  const {text, moved} = isFirst ? {text: source, moved: 0} : moveLeft(source, lines, start)
  if (end === undefined) return start.opening + text
  // At a cut outside of code the line ends are the cut itself and need not be shown.
  if (end.leaf.kind !== 'fence') return start.opening + text.trimEnd()
  const closing = `\n${marksOf(end.containers).slice(moved)}${end.leaf.mark}`
  const code = text.replace(/\n$/, '')
  // A fence of more ticks than there is room for needs no end: that of the message is its own.
  return start.opening + (closing.length < RESERVE ? code + closing : code)
}

/** Without the indentation of the list that the part begins in, until the list returns to a lesser depth. */
function moveLeft(
  source: string,
  lines: readonly SourceLine[],
  {block, isRest}: Start,
): {text: string; moved: number} {
  let moved = widthOf(block.containers)
  const shown = lines.map(({from, to, kind, before, goesOn}, index) => {
    const line = source.slice(from, to)
    const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0
    if (index === 0 && isRest)
      return before.leaf.kind === 'fence' || kind === 'code' ? line : line.trimStart()
    if (goesOn && index === 0) return line.trimStart()
    if (kind !== 'blank' && kind !== 'code' && goesOn === undefined) moved = Math.min(moved, indent)
    return line.slice(Math.min(moved, indent))
  })
  return {text: shown.join('\n'), moved}
}

/** How far the list items in front of the first quote hold their content from the left. */
function widthOf(containers: readonly Container[]): number {
  let width = 0
  for (const container of containers) {
    if (container.kind === 'quote') break
    width += container.width
  }
  return width
}

/** What a line begins with to be inside of all of them. */
function marksOf(containers: readonly Container[]): string {
  return containers.map((it) => (it.kind === 'quote' ? '> ' : ' '.repeat(it.width))).join('')
}

/** What the next part may repeat, best first. */
function openingsOf({containers, leaf}: Block, isRest: boolean, rest: string): string[] {
  const marks = marksOf(containers).slice(widthOf(containers))
  const [line = ''] = rest.split('\n', 1)
  const isQuote = marks.startsWith('>')
  switch (leaf.kind) {
    case 'fence': {
      const begin = marks + ' '.repeat(leaf.indent) + leaf.mark
      const first = isRest ? marks : ''
      return [`${begin}${leaf.info}\n${first}`, `${begin}\n${first}`]
    }
    case 'table':
      if (isRest || !line.includes('|')) return isRest ? [marks] : []
      return [`${marks}${leaf.head}\n${marks}${leaf.delimiter}\n`]
    case 'paragraph':
      // Lines of a quote may leave out its mark.
      if (!isQuote || line.trim() === '') return []
      return isRest || !line.trimStart().startsWith('>') ? [marks.trimEnd() + ' '] : []
    case 'code':
      return isRest ? [`${marks}    `] : []
    case 'none':
      return isRest ? [marks.replace(/ +$/, ' ')] : []
    default:
      throw new Error(`Unknown leaf: ${JSON.stringify(leaf satisfies never)}`)
  }
}
