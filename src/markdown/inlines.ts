/** Something inside words that is one thing. Positions are those of the text that was read. */
export type Inline = Code | Address | Link

/** A code span, with its backticks. */
interface Code {
  kind: 'code'
  from: number
  to: number
  ticks: number
}

/** `<https://…>` or `<a@b.c>`. */
interface Address {
  kind: 'address'
  from: number
  to: number
}

/** `[label](target "title")`, or the same with `!` in front. */
export interface Link {
  kind: 'link'
  from: number
  to: number
  isImage: boolean
  /** Another link is in the label, which makes this none. */
  holdsLink: boolean
  labelFrom: number
  labelTo: number
  /** Without the `<` and `>` that may be around it. */
  targetFrom: number
  targetTo: number
  title: string
}

interface Inlines {
  /** In the order of where they begin; a link may hold others. */
  found: Inline[]
  /** Colons of what could be definitions, `[name]: …`: the bracket is the first in its line. */
  definitions: number[]
  /** Where something begins that did not end: it might, behind the text. */
  unclosed: number[]
}

/** What the words of one block hold. `lineStarts`: where its lines begin in `text`. */
export function readInlines(text: string, lineStarts: ReadonlySet<number>): Inlines {
  const {codes, unclosed} = codesOf(text)
  const found: Inline[] = [...codes]
  const definitions: number[] = []
  const open: Opener[] = []
  let code = 0
  for (const match of text.matchAll(MARK)) {
    if (match[0].startsWith('\\')) continue
    const from = match.index
    while ((codes[code]?.to ?? Infinity) <= from) code += 1
    if (from >= (codes[code]?.from ?? Infinity)) continue
    if (match[0] === '<') {
      const to = addressEnd(text, from)
      if (to > from) found.push({kind: 'address', from, to})
    } else if (match[0].endsWith('[')) {
      open.push({from, isImage: match[0].startsWith('!'), holdsLink: false})
    } else if (match[0] === ']') {
      const opener = open.pop()
      if (opener === undefined) continue
      if (text[from + 1] === ':' && lineStarts.has(opener.from)) definitions.push(from + 1)
      const link = text[from + 1] === '(' ? readLink(text, opener, from) : undefined
      if (link !== undefined) found.push(link)
      const outer = open.at(-1)
      if (outer !== undefined && (link !== undefined || opener.holdsLink)) outer.holdsLink = true
    }
  }
  found.sort((a, b) => a.from - b.from)
  return {found, definitions, unclosed: [...unclosed, ...open.map((it) => it.from)]}
}

interface Opener {
  from: number
  isImage: boolean
  holdsLink: boolean
}

const MARK = /\\[^]|!?\[|\]|</g
const ADDRESS = /<(?:(?:https?:\/\/|mailto:)[^\s<>|\\`[\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/iy

function addressEnd(text: string, from: number): number {
  ADDRESS.lastIndex = from
  return ADDRESS.test(text) ? ADDRESS.lastIndex : from
}

/** Spans of code: a run of backticks up to the next one of the same length. */
function codesOf(text: string): {codes: Code[]; unclosed: number[]} {
  const openers = [...text.matchAll(/\\[^]|`+/g)]
    .filter(([run]) => run.startsWith('`'))
    .map(({0: run, index}) => ({at: index, length: run.length}))
  // Inside code a backslash is only that, so a run that closes may stand behind one.
  const all = [...text.matchAll(/`+/g)].map(({0: run, index}) => ({at: index, length: run.length}))
  const byLength = Map.groupBy(all, ({length}) => length)
  const codes: Code[] = []
  const unclosed: number[] = []
  const next = new Map<number, number>()
  let end = 0
  for (const {at, length} of openers) {
    if (at < end) continue
    const same = byLength.get(length) ?? []
    let index = next.get(length) ?? 0
    while ((same[index]?.at ?? Infinity) <= at) index += 1
    next.set(length, index)
    const closer = same[index]
    if (closer === undefined) unclosed.push(at)
    else {
      end = closer.at + length
      codes.push({kind: 'code', from: at, to: end, ticks: length})
    }
  }
  return {codes, unclosed}
}

function readLink(text: string, opener: Opener, labelTo: number): Link | undefined {
  const start = skipSpace(text, labelTo + 2)
  const end = targetEnd(text, start)
  const gap = skipSpace(text, end)
  const titleTo = gap > end ? titleEnd(text, gap) : gap
  const close = skipSpace(text, titleTo)
  // Once a link is broken, a backtick in its address could begin code: so it is none in the first place.
  if (text[close] !== ')' || text.slice(start, close).includes('`')) return undefined
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
    const char = text.charAt(at)
    if (char <= ' ' || (char === ')' && depth === 0)) break
    if (char === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))) at += 1
    else if (char === '(') depth += 1
    else if (char === ')') depth -= 1
    if (depth > MAX_PARENTHESES) return from
  }
  return depth === 0 ? Math.min(at, text.length) : from
}

const POINTED = /<(?:\\[^\n]|[^<>\n\\])*>/y
const TITLES = [/"(?:\\[^]|[^"\\])*"/y, /'(?:\\[^]|[^'\\])*'/y, /\((?:\\[^]|[^()\\])*\)/y] as const

function titleEnd(text: string, from: number): number {
  for (const title of TITLES) {
    title.lastIndex = from
    if (title.test(text)) return title.lastIndex
  }
  return from
}
