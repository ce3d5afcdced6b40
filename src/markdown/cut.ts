import {pairEmphasis} from './emphasis.ts'
import {opaqueOf, readInlines} from './inlines.ts'
import {type SourceLine, type Words, sourceOf, wordsOf} from './paragraphs.ts'
import {type Stretch, isCovered, lastAt, merge, stretchAround} from './stretches.ts'

/**
 * Where to cut a window that is full: behind a paragraph, else a line, a sentence, a word, a grapheme, behind `from`
 * or else in the window's second half, and through nothing that is one thing, unless it alone is longer than that.
 */
export function cutAt(window: string, lines: readonly SourceLine[], from: number): number {
  const half = Math.floor(window.length / 2)
  const {hard, soft} = wholesIn(window, lines, from)
  for (const unbroken of [[...hard, ...soft], hard, []]) {
    const place = breaksIn(window, lines, unbroken)
    const at = place(from) ?? place(half)
    if (at !== undefined) return at
  }
  return lastGrapheme(window, new Intl.Segmenter().segment(window), merge(hard))
}

/** Where a window that is not full yet will be cut at the earliest; `from`, where nothing can be said yet. */
export function surelyBefore(window: string, lines: readonly SourceLine[], from: number): number {
  const {hard, soft} = wholesIn(window, lines, from)
  return breaksIn(window, lines, [...hard, ...soft])(from) ?? from
}

/** The last of the best places behind any `from`, if there is one. More text behind the window makes it no earlier one. */
function breaksIn(
  window: string,
  lines: readonly SourceLine[],
  unbroken: readonly Stretch[],
): (from: number) => number | undefined {
  const merged = merge(unbroken)
  const graphemes = new Intl.Segmenter().segment(window)
  const isFree = (at: number): boolean =>
    stretchAround(merged, at) === undefined &&
    (at === window.length || graphemes.containing(at)?.index === at)
  return (from) => {
    for (const [rank, boundary] of BOUNDARIES.entries()) {
      const at = [...window.slice(from).matchAll(boundary)]
        .map((it) => from + it.index + it[0].length)
        .findLast((it) => it > 0 && isFree(it) && isReadable(window, lines, it, rank))
      if (at !== undefined) return at
    }
    return undefined
  }
}

const BOUNDARIES = [
  /\n[ \t]*\n+/g,
  /\n/g,
  /[.!?]["'»”)]*\s+|[。！？]["'»”)」』]*\s*/g,
  /\s+/g,
] as const
const PARAGRAPH = 0

/** So much of what stands behind a cut is read: marks alone for as long are never cut in front of. */
const MAX_MARKS = 80

/** What behind a cut would be read as more than words. */
const MARK =
  /^(?:>|[-+*](?:\s|$)|#{1,6}(?:\s|$)|\d{1,9}[.)](?:\s|$)|`{3}|~{3}|[-=]+[ \t]*$|([-*_])[ \t]*(?:\1[ \t]*){2,}$)/

/** Whether what stands behind the cut reads as it did. */
function isReadable(
  window: string,
  lines: readonly SourceLine[],
  at: number,
  rank: number,
): boolean {
  const line = lastAt(lines, at, ({from}) => from)
  if (line === undefined) return false
  const leaf = at === line.from ? line.before.leaf : line.after.leaf
  // Inside a fence a blank line is code like any other; outside it is where a reader pauses.
  if (leaf.kind === 'fence') return rank !== PARAGRAPH
  if (at === line.from) {
    if (line.kind === 'underline' || line.kind === 'delimiter') return false
    if (leaf.kind !== 'paragraph') return true
    // Nobody knows yet what the next line makes of this one.
    if (at === window.length) return false
    return line.kind !== 'text' || !MARK.test(window.slice(line.from + line.at, line.to))
  }
  if (line.kind === 'code') return true
  if (line.kind === 'row' || line.kind === 'delimiter' || line.kind === 'rule') return false
  // A mark without its words is none.
  if (at - line.from <= line.at || at === window.length) return false
  if (line.kind === 'heading') return false
  return !MARK.test(window.slice(at, Math.min(line.to, at + MAX_MARKS)))
}

function wholesIn(
  window: string,
  lines: readonly SourceLine[],
  from: number,
): {hard: Stretch[]; soft: Stretch[]} {
  const half = Math.floor(window.length / 2)
  // Where the text begins with what costs much, the last stretch begins in the first half.
  const first = Math.min(from, half)
  const hard: Stretch[] = []
  const soft: Stretch[] = []
  for (const it of wordsOf(window, lines)) {
    if (!/[*_~[`<:]|www\./.test(it.text)) continue
    const toSource = sourceOf(it)
    const end = toSource(it.text.length)
    if (end < first) continue
    const wholes = wholesOf(it, end === window.length)
    const inWindow = ({from, to}: Stretch): Stretch => ({
      from: toSource(from),
      to: toSource(to - 1) + 1,
    })
    hard.push(...wholes.hard.map(inWindow))
    soft.push(...wholes.soft.map(inWindow))
  }
  const isShort = (it: Stretch): boolean => it.to > first && it.to - it.from <= half
  return {hard: hard.filter(isShort), soft: soft.filter(isShort)}
}

const BARE = /(?:https?:\/\/|www\.|mailto:)[^\s<]+/gi

/** `isCut`: the window ends in these words, so that what stands open in them may go on behind it. */
function wholesOf({text}: Words, isCut: boolean): {hard: Stretch[]; soft: Stretch[]} {
  const {found, unclosed} = readInlines(text)
  const bare = [...text.matchAll(BARE)].map(({index, 0: all}) => ({
    from: index,
    to: index + all.length,
  }))
  const opaque = merge(opaqueOf(found))
  const isTaken = (at: number): boolean => isCovered(opaque, at)
  const {pairs, unclosed: marks} = pairEmphasis(text, isTaken)
  const toEnd = (places: readonly number[]): Stretch[] =>
    isCut ? places.map((from) => ({from, to: text.length + 1})) : []
  return {
    hard: [...found, ...bare, ...toEnd([...unclosed, ...openTargets(text)])],
    soft: [
      ...pairs.map(({openAt, closeAt, size}) => ({from: openAt, to: closeAt + size})),
      ...toEnd(marks),
    ],
  }
}

/** A link whose label is closed and whose address goes on, or may begin, behind the window. */
function openTargets(text: string): number[] {
  const open = /!?\[[^[\]]*\](?:\([^\s()]*)?$/.exec(text)
  return open === null ? [] : [open.index]
}

/**
 * Never between the code points of one visible character, which may go on behind the window, and not
 * inside an entity.
 */
function lastGrapheme(window: string, graphemes: Intl.Segments, hard: readonly Stretch[]): number {
  const last = graphemes.containing(window.length - 1)?.index ?? 0
  const whole = stretchAround(hard, last)?.from ?? last
  const start = whole > window.length / 2 ? whole : last
  const entity = /&#?\w{0,31}$/.exec(window.slice(0, start))?.index ?? 0
  return entity || start || window.length
}
