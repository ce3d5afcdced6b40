import type {Stretch} from './stretches.ts'

/** Something inside words that is one thing. Positions are those of the text that was read. */
export type Inline = Code | Address | Link

/** A code span, with its backticks. */
interface Code extends Stretch {
  kind: 'code'
}

/** `<https://…>` or `<a@b.c>`. */
interface Address extends Stretch {
  kind: 'address'
}

/** `[label](target "title")`, or the same with `!` in front. */
export interface Link extends Stretch {
  kind: 'link'
  isImage: boolean
  labelFrom: number
  labelTo: number
  /** Without the `<` and `>` that may be around it. */
  targetFrom: number
  targetTo: number
  title: string
}

export interface Inlines {
  /** In the order of where they begin; a link may hold others. */
  found: Inline[]
  /** Where something begins that did not end: it might, behind the text. */
  unclosed: number[]
}

/** Where marks are no marks: in code and in addresses. */
export function opaqueOf(found: readonly Inline[]): Stretch[] {
  return found.map((it) => (it.kind === 'link' ? {from: it.labelTo, to: it.to} : it))
}

interface Opener {
  from: number
  isImage: boolean
}

const MARK = /\\[^]|`+|!?\[|\]|</g

/** What the words of one block hold, in one pass: what begins first goes before what begins in it. */
export function readInlines(text: string): Inlines {
  const found: Inline[] = []
  const unclosed: number[] = []
  let open: Opener[] = []
  const closerOf = createClosers(text)
  MARK.lastIndex = 0
  for (let match = MARK.exec(text); match !== null; match = MARK.exec(text)) {
    const {0: mark, index: from} = match
    if (mark.startsWith('`')) {
      const to = closerOf(from, mark.length)
      if (to === undefined) unclosed.push(from)
      else found.push({kind: 'code', from, to})
      MARK.lastIndex = to ?? MARK.lastIndex
    } else if (mark === '<') {
      const to = addressEnd(text, from)
      if (to > from) found.push({kind: 'address', from, to})
      MARK.lastIndex = Math.max(to, MARK.lastIndex)
    } else if (mark === '[' || mark === '![') {
      open.push({from, isImage: mark === '!['})
    } else if (mark === ']') {
      const opener = open.pop()
      if (opener === undefined || text[from + 1] !== '(') continue
      const link = readLink(text, opener, from)
      if (link === undefined) continue
      found.push(link)
      MARK.lastIndex = link.to
      // What holds a link is none, however many brackets are around it; an image goes out as a link.
      open = []
    }
  }
  found.sort((a, b) => a.from - b.from)
  return {found, unclosed: [...unclosed, ...open.map((it) => it.from)]}
}

const ADDRESS = /<(?:(?:https?:\/\/|mailto:)[^\s<>|\\`[\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/iy

function addressEnd(text: string, from: number): number {
  ADDRESS.lastIndex = from
  return ADDRESS.test(text) ? ADDRESS.lastIndex : from
}

/** Tells where the span of code ends that a run of backticks begins: behind the next run of the same length. */
function createClosers(text: string): (from: number, length: number) => number | undefined {
  const runs = new Map<number, {places: number[]; next: number}>()
  for (const {0: run, index} of text.matchAll(/`+/g)) {
    const same = runs.get(run.length)
    if (same === undefined) runs.set(run.length, {places: [index], next: 0})
    else same.places.push(index)
  }
  return (from, length) => {
    const same = runs.get(length)
    if (same === undefined) return undefined
    while ((same.places[same.next] ?? Infinity) <= from) same.next += 1
    const closer = same.places[same.next]
    return closer === undefined ? undefined : closer + length
  }
}

function readLink(text: string, opener: Opener, labelTo: number): Link | undefined {
  const start = skipSpace(text, labelTo + 2)
  const end = targetEnd(text, start)
  const gap = skipSpace(text, end)
  const titleTo = gap > end ? titleEnd(text, gap) : gap
  const close = skipSpace(text, titleTo)
  if (text[close] !== ')') return undefined
  const pointed = text[start] === '<' && end > start ? 1 : 0
  return {
    kind: 'link',
    ...opener,
    to: close + 1,
    labelFrom: opener.from + (opener.isImage ? 2 : 1),
    labelTo,
    targetFrom: start + pointed,
    targetTo: end - pointed,
    title: text.slice(gap, titleTo),
  }
}

/** White space with at most one line end in it. */
function skipSpace(text: string, from: number): number {
  let at = from
  for (let lines = 0; /\s/.test(text.charAt(at)); at += 1) {
    if (text[at] === '\n') lines += 1
    if (lines > 1) break
  }
  return at
}

/** Parentheses deeper than this are no address: other parsers draw the same line. */
const MAX_PARENTHESES = 32

function targetEnd(text: string, from: number): number {
  if (text[from] === '<') {
    POINTED.lastIndex = from
    if (POINTED.test(text)) return POINTED.lastIndex
  }
  let depth = 0
  let at = from
  for (; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char <= SPACE) break
    if (char === OPEN) depth += 1
    else if (char === CLOSE && depth === 0) break
    else if (char === CLOSE) depth -= 1
    else if (char === BACKSLASH && /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))) at += 1
    if (depth > MAX_PARENTHESES) return from
  }
  return depth === 0 ? Math.min(at, text.length) : from
}

/** As codes: this is the innermost loop of a hostile text. */
const [SPACE, OPEN, CLOSE, BACKSLASH] = [32, 40, 41, 92]

const POINTED = /<(?:\\[^\n`]|[^<>\n\\`])*>/y
const TITLES = [/"(?:\\[^]|[^"\\])*"/y, /'(?:\\[^]|[^'\\])*'/y, /\((?:\\[^]|[^()\\])*\)/y] as const

function titleEnd(text: string, from: number): number {
  for (const title of TITLES) {
    title.lastIndex = from
    if (title.test(text)) return title.lastIndex
  }
  return from
}
