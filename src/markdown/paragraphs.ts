import {type Block, type Line, cellEnds, readLine, START} from './blocks.ts'
import {type Stretch, lastAt} from './stretches.ts'

/** Words that are read as one: the lines of a paragraph, a heading, a cell. */
export interface Words {
  text: string
  /** Where each of its lines begins: in the words, and in the whole text. */
  lines: {at: number; source: number}[]
}

export interface SourceLine extends Line {
  from: number
  /** Its line end is not part of it. */
  to: number
  before: Block
}

interface Layout {
  lines: SourceLine[]
  words: Words[]
  /** Code outside of words, line ends included. */
  code: Stretch[]
}

export function layOut(text: string): Layout {
  const lines = readLines(text, START, 'at a line')
  return {lines, words: wordsOf(text, lines), code: codeOf(text, lines)}
}

/** `before`: what is open where the text begins. */
export function readLines(
  text: string,
  before: Block,
  start: 'at a line' | 'inside a line',
): SourceLine[] {
  const lines: SourceLine[] = []
  let block = before
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    const source = text.slice(from, to)
    const line =
      from === 0 && start === 'inside a line' ? readRest(block, source) : readLine(block, source)
    lines.push({...line, from, to, before: block})
    block = line.after
    from = to + 1
  }
  return lines
}

/** What stands behind a cut in a line goes on with what the line was. */
function readRest(block: Block, source: string): Line {
  const {leaf} = block
  if (leaf.kind === 'fence' || leaf.kind === 'code') return {kind: 'code', at: 0, after: block}
  if (source.trim() === '') return {kind: 'blank', at: source.length, after: block}
  const after: Block = {...block, leaf: {kind: 'paragraph', line: source}}
  return {kind: 'text', at: 0, goesOn: true, after}
}

function codeOf(text: string, lines: readonly SourceLine[]): Stretch[] {
  return lines.flatMap(({kind, from, at, to}) =>
    kind === 'code' ? [{from: from + at, to: Math.min(to + 1, text.length)}] : [],
  )
}

export function wordsOf(text: string, lines: readonly SourceLine[]): Words[] {
  const words: Words[] = []
  let current: Words | undefined
  lines.forEach((line, index) => {
    const {kind, from, at, to} = line
    const row = kind === 'row' || lines[index + 1]?.kind === 'delimiter'
    if (row) words.push(...cellsOf(text.slice(from + at, to), from + at))
    // The second line of a table has no words, and neither have rules and blank lines.
    if (row || (kind !== 'text' && kind !== 'heading')) {
      current = undefined
      return
    }
    if (line.goesOn === undefined || current === undefined) {
      current = {text: '', lines: []}
      words.push(current)
    }
    addLine(current, text.slice(from + at, to), from + at)
    if (kind !== 'text') current = undefined
  })
  return words
}

function addLine(words: Words, content: string, source: number): void {
  if (words.lines.length > 0) words.text += '\n'
  words.lines.push({at: words.text.length, source})
  words.text += content
}

function cellsOf(row: string, source: number): Words[] {
  let from = 0
  return cellEnds(row).map((end) => {
    const text = row.slice(from, end)
    const cell = {text, lines: [{at: 0, source: source + from}]}
    from = end + 1
    return cell
  })
}

/** Where a place in the words is in the whole text. */
export function sourceOf({lines}: Words): (at: number) => number {
  return (at) => {
    const line = lastAt(lines, at, (it) => it.at)
    return line === undefined ? at : line.source + at - line.at
  }
}
