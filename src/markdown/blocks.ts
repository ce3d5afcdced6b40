/**
 * What Markdown's blocks are around a line, read line by line from the top. It knows no HTML: what goes
 * out has no `<`. Each line costs its own length, however hostile it is.
 */
export interface Block {
  /** The quotes and list items that are open, outermost first. */
  containers: readonly Container[]
  leaf: Leaf
}

/** An item holds what is indented by its width. */
export type Container = {kind: 'quote'} | {kind: 'item'; width: number}

type Leaf =
  /** `isNew`: in an item that has nothing yet, and ends at the next blank line. */
  | {kind: 'none'; isNew?: true}
  | {kind: 'paragraph'; line: string}
  | {kind: 'code'}
  /** `mark` is what closes it. */
  | {kind: 'fence'; mark: string; info: string; indent: number}
  /** The header and delimiter rows. */
  | {kind: 'table'; head: string; delimiter: string}

type LineKind =
  | 'text'
  | 'heading'
  /** The line that makes a heading of those above it. */
  | 'underline'
  | 'rule'
  | 'blank'
  | 'code'
  /** The line that opens or closes a fence. */
  | 'fence'
  /** The second line of a table. */
  | 'delimiter'
  | 'row'

export interface Line {
  kind: LineKind
  /** Where in the line its own content begins. */
  at: number
  /** Its words go on with those of the line above. */
  goesOn?: true
  /** What is open behind it. */
  after: Block
}

const NONE: Leaf = {kind: 'none'}
export const START: Block = {containers: [], leaf: NONE}

/** Deeper than this, marks are words: nobody means them, and each costs time on each line. */
const MAX_DEPTH = 24

export function readLine(before: Block, whole: string): Line {
  const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
  const {at, matched} = enter(before.containers, line)
  const isWhole = matched === before.containers.length
  if (isWhole && before.leaf.kind === 'fence') return readFenced(before, before.leaf, line, at)
  const containers = before.containers.slice(0, matched)
  const leaf = isWhole ? before.leaf : NONE
  // The words of a paragraph may leave out the marks of what is around it.
  const lazy = !isWhole && before.leaf.kind === 'paragraph' ? before : undefined
  return readOpen({containers, leaf, lazy}, line, at)
}

interface Entry {
  /** Where in the line the rest begins. */
  at: number
  /** How many of what is open the line continues. */
  matched: number
  /** The marks of quotes on the way. */
  quotes: string
}

export function enter(containers: readonly Container[], line: string): Entry {
  let at = 0
  let matched = 0
  let quotes = ''
  for (const container of containers) {
    const {columns, end} = indentAt(line, at)
    if (container.kind === 'quote') {
      if (columns > 3 || line[end] !== '>') break
      const from = at
      at = isSpace(line[end + 1]) ? end + 2 : end + 1
      quotes += line.slice(from, at)
    } else if (end >= line.length) at = end
    else if (columns >= container.width) at = skipColumns(line, at, container.width)
    else break
    matched += 1
  }
  return {at, matched, quotes}
}

function readFenced(
  before: Block,
  fence: Extract<Leaf, {kind: 'fence'}>,
  line: string,
  at: number,
): Line {
  const {columns, end} = indentAt(line, at)
  const [, mark = '', rest = ''] = FENCE.exec(line.slice(end)) ?? []
  if (columns < 4 && mark.startsWith(fence.mark) && rest.trim() === '') {
    return {kind: 'fence', at: end, after: {...before, leaf: NONE}}
  }
  return {kind: 'code', at: skipColumns(line, at, Math.min(columns, fence.indent)), after: before}
}

/** What a line begins with that may be more than words. */
const MARK = /[>#`~=|:+*_\d-]/
const FENCE = /^(`{3,}|~{3,})([^]*)$/
const RULE = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const ITEM = /^([-+*]|(\d{1,9})[.)])(?=[ \t]|$)/

interface Open {
  containers: readonly Container[]
  leaf: Leaf
  /** The block whose paragraph the line may go on with though it is outside of it. */
  lazy: Block | undefined
}

function readOpen(open: Open, line: string, from: number): Line {
  let {containers, leaf, lazy} = open
  let at = from
  for (;;) {
    const {columns, end} = indentAt(line, at)
    if (end >= line.length) {
      if (leaf.kind === 'none' && leaf.isNew) containers = containers.slice(0, -1)
      const isNew = at > from && containers.at(-1)?.kind === 'item'
      const empty: Leaf = isNew ? {kind: 'none', isNew} : NONE
      return {
        kind: 'blank',
        at: end,
        after: {containers, leaf: leaf.kind === 'code' ? leaf : empty},
      }
    }
    if (columns >= 4) {
      if (leaf.kind === 'paragraph' || lazy !== undefined) {
        return indented(text({containers, leaf, lazy}, line, end))
      }
      const code = {containers, leaf: {kind: 'code' as const}}
      return {kind: 'code', at: skipColumns(line, at, 4), after: code}
    }
    if (leaf.kind !== 'table' && !MARK.test(line.charAt(end))) {
      return text({containers, leaf, lazy}, line, end)
    }
    const rest = line.slice(end)
    const inner = containers.length < MAX_DEPTH ? openContainer(rest, columns, leaf) : undefined
    if (inner === undefined) return readLeaf({containers, leaf, lazy}, line, {columns, end})
    containers = [...containers, inner.container]
    at = end + inner.length
    leaf = NONE
    lazy = undefined
  }
}

/** The quote or list item that begins here, and how many characters its mark has. */
function openContainer(
  rest: string,
  columns: number,
  leaf: Leaf,
): {container: Container; length: number} | undefined {
  if (rest.startsWith('>')) {
    return {container: {kind: 'quote'}, length: isSpace(rest[1]) ? 2 : 1}
  }
  const [, mark, number] = ITEM.exec(rest) ?? []
  if (mark === undefined || RULE.test(rest)) return undefined
  const {columns: space, end} = indentAt(rest, mark.length)
  const isEmpty = end >= rest.length
  if (leaf.kind === 'paragraph') {
    if (isEmpty || (number !== undefined && Number(number) !== 1)) return undefined
  }
  const gap = isEmpty || space > 4 ? 1 : space
  return {
    container: {kind: 'item', width: columns + mark.length + gap},
    length: isEmpty ? rest.length : skipColumns(rest, mark.length, gap),
  }
}

function readLeaf(open: Open, line: string, {columns, end}: {columns: number; end: number}): Line {
  const {containers, leaf} = open
  const rest = line.slice(end)
  const none = {containers, leaf: NONE}
  const [, mark, info = ''] = FENCE.exec(rest) ?? []
  if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) {
    const fence = {kind: 'fence' as const, mark, info, indent: columns}
    return {kind: 'fence', at: end, after: {containers, leaf: fence}}
  }
  if (/^#{1,6}(?:[ \t]|$)/.test(rest)) return {kind: 'heading', at: end, after: none}
  if (leaf.kind === 'paragraph') {
    if (/^(?:=+|-+)[ \t]*$/.test(rest)) return {kind: 'underline', at: end, after: none}
    if (isDelimiter(rest) && cellsOf(rest) === cellsOf(leaf.line)) {
      const table = {kind: 'table' as const, head: leaf.line, delimiter: rest}
      return {kind: 'delimiter', at: end, after: {containers, leaf: table}}
    }
  }
  if (RULE.test(rest)) return {kind: 'rule', at: end, after: none}
  if (leaf.kind === 'table') return {kind: 'row', at: end, after: {containers, leaf}}
  return text(open, line, end)
}

function text({containers, leaf, lazy}: Open, line: string, at: number): Line {
  const around = lazy?.containers ?? containers
  return {
    kind: 'text',
    at,
    ...((lazy !== undefined || leaf.kind === 'paragraph') && {goesOn: true}),
    after: {containers: around, leaf: {kind: 'paragraph', line: line.slice(at)}},
  }
}

/** What is indented like code is no table's first line. */
function indented(line: Line): Line {
  return {...line, after: {...line.after, leaf: {kind: 'paragraph', line: ''}}}
}

/** Whether a line could be the second one of a table. */
function isDelimiter(line: string): boolean {
  return line.includes('-') && /^\s*[|:-][\s|:-]*$/.test(line) && /[|:]/.test(line)
}

function cellsOf(row: string): number {
  return cellEnds(row).length
}

/** Where the cells of a row end: at each bar that no backslash is in front of, and at the row's end. */
export function cellEnds(row: string): number[] {
  const ends: number[] = []
  const first = /^\s*\|/.exec(row)?.[0].length ?? 0
  for (let at = first; at < row.length; at += 1) {
    if (row[at] === '\\') at += 1
    else if (row[at] === '|') ends.push(at)
  }
  if (row.slice((ends.at(-1) ?? -1) + 1).trim() !== '') ends.push(row.length)
  return ends
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

/** The white space from `at` on: how wide it is, and where it ends. */
function indentAt(line: string, at: number): {columns: number; end: number} {
  const start = columnAt(line, at)
  let column = start
  let end = at
  for (; isSpace(line[end]); end += 1) column = columnBehind(line[end], column)
  return {columns: column - start, end}
}

function skipColumns(line: string, at: number, count: number): number {
  const start = columnAt(line, at)
  let column = start
  let end = at
  for (; column - start < count && isSpace(line[end]); end += 1) {
    column = columnBehind(line[end], column)
  }
  return end
}

/** A tab reaches to the next column that four divides. */
function columnBehind(char: string | undefined, column: number): number {
  return char === '\t' ? column + 4 - (column % 4) : column + 1
}

function columnAt(line: string, at: number): number {
  if (!line.slice(0, at).includes('\t')) return at
  let column = 0
  for (let index = 0; index < at; index += 1) column = columnBehind(line[index], column)
  return column
}
