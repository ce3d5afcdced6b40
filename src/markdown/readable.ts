import {type Block, START} from './blocks.ts'
import {pairEmphasis} from './emphasis.ts'
import {type Inlines, opaqueOf, readInlines} from './inlines.ts'
import {type SourceLine, type Words, readLines, sourceOf, wordsOf} from './paragraphs.ts'
import {isCovered, lastAt, merge} from './stretches.ts'

/** What stays open for longer is shown as it is. */
const MAX_HELD = 200

/**
 * How far a text that still grows can be shown, so that nothing in it turns into something else when more comes: half a
 * link, a line that may become a list, a table without its second line. It never falls while the text grows, and what is
 * held back is short. Given up for that: the first of two lines that become a heading or, without a bar in front, a table.
 */
export function readableLength(text: string): number {
  const lines = readLines(text, START, 'at a line')
  const held = [...openLines(text, lines), ...openWords(text, lines), ...openCharacter(text)]
  return Math.min(text.length, ...held.filter((at) => isRecent(text, at)))
}

function isRecent(text: string, at: number): boolean {
  return text.length - at <= MAX_HELD
}

/** Where the last lines begin, as long as their next character may decide what they are. */
function openLines(text: string, lines: readonly SourceLine[]): number[] {
  const [above, last] = [lines.at(-2), lines.at(-1)]
  if (last === undefined) return []
  const content = contentOf(text, last)
  const isInside = last.after.containers.length > last.before.containers.length
  const isDelimiter = !isInside && isBarred(last.before) && /^[\s|:-]*$/.test(content)
  return [
    ...(above !== undefined && isDelimiter ? [above.from] : []),
    ...(isOpen(last, content) ? [last.from] : []),
  ]
}

function contentOf(text: string, {from, at, to}: SourceLine): string {
  return text.slice(from + at, to)
}

/** Whether what stands above may be a table's first line. */
function isBarred({leaf}: Block): boolean {
  return leaf.kind === 'paragraph' && leaf.line.startsWith('|')
}

/** Marks without their words. */
const MARKS = /^(?:[-+*_=~`#|:\s]*|\d{1,9}(?:[.)]\s*)?|\[[ xX]?\]?\s*)$/
const FENCE_MARKS = /^\s*(?:`+\s*|~+\s*)?$/

function isOpen(line: SourceLine, content: string): boolean {
  switch (line.kind) {
    case 'code':
      return FENCE_MARKS.test(content)
    case 'text':
      return isBarred(line.after) || MARKS.test(content)
    case 'heading':
      return MARKS.test(content)
    case 'blank':
    case 'fence':
    case 'delimiter':
    case 'row':
    case 'rule':
    case 'underline':
      return true
    default:
      throw new Error(`Unknown line: ${String(line.kind satisfies never)}`)
  }
}

/** Where in the last words something begins that may end behind the text. */
function openWords(text: string, lines: readonly SourceLine[]): number[] {
  const last = lines.at(-1)
  if (last === undefined) return []
  if (last.kind === 'code') return matchAtEnd(text, ENTITY, text.length - MAX_HELD)
  const words = lastWords(text, lines, last)
  if (words === undefined) return []
  const toSource = sourceOf(words)
  // Indentation and the marks of quotes count in the text, and not in its words.
  let since = Math.max(0, words.text.length - MAX_HELD)
  while (since < words.text.length && !isRecent(text, toSource(since))) since += 1
  return openInlines(words.text, since).map((at) => behindWords(text, lines, toSource(at)))
}

/** What opens a line is shown with the first of its words. */
function behindWords(text: string, lines: readonly SourceLine[], at: number): number {
  const line = lastAt(lines, at, ({from}) => from)
  if (line === undefined || !isRecent(text, line.from)) return at
  return MARKS.test(text.slice(line.from + line.at, at)) ? line.from : at
}

/** While it is open what the last line is, the words above it may go on. */
function lastWords(
  text: string,
  lines: readonly SourceLine[],
  last: SourceLine,
): Words | undefined {
  const isHeld = isOpen(last, contentOf(text, last)) && isRecent(text, last.from)
  const end = isHeld && last.before.leaf.kind === 'paragraph' ? lines.length - 1 : lines.length
  let begin = end - 1
  while (begin > 0 && lines[begin]?.goesOn === true) begin -= 1
  return wordsOf(text, lines.slice(begin, end)).at(-1)
}

const ENTITY = /&#?\w{0,32}$/
/** What is one thing as a whole, and not yet complete. */
const TOKENS = [
  ENTITY,
  /(?<![a-z])(?:https?:\/\/|www\.)[^\s<]*$/i,
  /(?<![a-z])(?:ht{0,2}|https?(?::\/?)?|w{1,3})$/i,
  /<[\w.+-]*(?:[:@][^\s<>]*)?$/,
  /<[\w.+-]+[:@][^\s<>]*>[^\s<]*$/,
  /(?<!\w):[\w+-]{0,40}$/,
] as const
/** These may go on, or open something. */
const LAST_MARKS = /[`*_~[\]!\\]+$/
/** Of a link, from the end of its label: its address and title, as far as they came. */
const LAST_TARGET =
  /^\]\(\s*(?:<[^<>\n]*>?|(?:\\\S|[^\s()\\]|\((?:\\\S|[^\s()\\])*\))*(?:\((?:\\\S|[^\s()\\])*)?\\?)(?:\s+(?:"[^"]*"?|'[^']*'?|\([^()]*\)?)?)?\s*$/

/** `since`: what began before has been shown as it is, and is not looked at, however long. */
function matchAtEnd(text: string, pattern: RegExp, since: number, begin = 0): number[] {
  const from = Math.max(0, begin, since - 1)
  const at = from + text.slice(from).search(pattern)
  return at < from || at < since ? [] : [at]
}

function openInlines(words: string, since: number): number[] {
  const marks = matchAtEnd(words, LAST_MARKS, since)
  // Without its end, what ended there is open.
  const ends = [...marks, ...matchAtEnd(words, LAST_TARGET, since, words.lastIndexOf(']('))]
  const inlines = readInlines(words)
  const complete = completeTo(inlines, marks[0] ?? words.length)
  return [
    ...marks,
    ...unclosedIn(words, inlines, since),
    ...ends.flatMap((end) => unclosedBefore(words, end, since)),
    ...TOKENS.flatMap((token) => matchAtEnd(words, token, since, complete)),
  ]
}

/** Behind the last link or code that ends by then: one may stand in the label of another. */
function completeTo({found}: Inlines, end: number): number {
  const whole = found.filter(({kind, to}) => kind !== 'address' && to <= end)
  return whole.reduce((last, {to}) => Math.max(last, to), 0)
}

function unclosedBefore(words: string, end: number, since: number): number[] {
  const begun = words.slice(0, end)
  return unclosedIn(begun, readInlines(begun), since)
}

function unclosedIn(words: string, {found, unclosed}: Inlines, since: number): number[] {
  const places = unclosed.filter((at) => at >= since)
  const code = places.find((at) => words[at] === '`')
  // What is in it is no link, should it become code: what is open in front of it still is.
  if (code !== undefined) {
    const before = readInlines(words.slice(0, code))
    const open = before.unclosed.filter((at) => at >= since)
    return [code, ...open, ...unclosedMarks(words.slice(0, code + 1), before, since)]
  }
  return [...places, ...unclosedMarks(words, {found, unclosed}, since)]
}

function unclosedMarks(words: string, {found}: Inlines, since: number): number[] {
  if (!/[*_~]/.test(words.slice(Math.max(0, since)))) return []
  const opaque = merge(opaqueOf(found))
  const {unclosed} = pairEmphasis(words, (at) => isCovered(opaque, at))
  return unclosed.filter((at) => at >= since && !isApproximately(words, at))
}

/** `~5 minutes`: nobody strikes a single number out. */
function isApproximately(words: string, at: number): boolean {
  return words[at] === '~' && words[at + 1] !== '~'
}

const MAX_GRAPHEME = 40
const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u

/** What the eye sees as one picture may be several characters, of which the last one is still to come. */
function openCharacter(text: string): number[] {
  const end = /[\uD800-\uDBFF]/.test(text.slice(-1)) ? text.length - 1 : text.length
  const from = Math.max(0, end - MAX_GRAPHEME)
  const last = new Intl.Segmenter().segment(text.slice(from, end)).containing(end - from - 1)
  return last !== undefined && PICTURE.test(last.segment) ? [from + last.index] : [end]
}
