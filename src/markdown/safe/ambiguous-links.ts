import type {Stretch} from '../stretches.ts'
import {isDisguise} from './addresses.ts'
import {type Edit, applyEdits, insert} from '../edits.ts'

/**
 * Breaks the links that lie to a careless parser: one that takes as a label all since a bracket that nothing closed,
 * and as code only fences, wherever they begin, and backticks within one line. Given up for it: in code that
 * such a parser does not see (indented, or a span over several lines), a link that lies and could be
 * followed gets a backslash. All other code stays character for character.
 */
export function breakAmbiguousLinks(markdown: string): string {
  if (!markdown.includes('](')) return markdown
  const words = applyEdits(markdown, codesOf(markdown).map(blank), (text) => text)
  const lies = [...words.matchAll(TARGETS)].flatMap(({index, 1: target = ''}) =>
    isLie(labelBefore(words, index), target) ? [insert(index + 1, '\\')] : [],
  )
  return applyEdits(markdown, lies, (text) => text)
}

/** From the end of each label to where its address ends, or another one begins: no character is read twice. */
const TARGETS = /\]\(\s*((?:[^)\s\]]|\](?!\())*)/g
const TARGET = /^(?:[a-z][a-z\d+.-]*:[^:]|\/\/)/i

function isLie(label: string | undefined, target: string): boolean {
  if (label === undefined || !TARGET.test(target)) return false
  return !/^(?:https?:\/\/|mailto:)/i.test(target) || isDisguise(label, target)
}

function labelBefore(text: string, at: number): string | undefined {
  const before = text.slice(text.lastIndexOf(']', at - 1) + 1, at)
  const open = before.indexOf('[')
  return open === -1 ? undefined : before.slice(open + 1)
}

function blank({from, to}: Stretch): Edit {
  return {from, to, put: ' '.repeat(to - from)}
}

const FENCE = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})([^]*)$/

function codesOf(text: string): Stretch[] {
  const codes: Stretch[] = []
  let fence: string | undefined
  let from = 0
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = FENCE.exec(line) ?? []
    if (fence !== undefined) {
      codes.push({from, to: from + line.length})
      if (mark.startsWith(fence) && info.trim() === '') fence = undefined
    } else if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) fence = mark
    else codes.push(...spansOf(line, from))
    from += line.length + 1
  }
  return codes
}

/** Between two runs of as many backticks. */
function spansOf(line: string, from: number): Stretch[] {
  const spans: Stretch[] = []
  let open: {at: number; length: number} | undefined
  for (const {0: run, index} of line.matchAll(/`+/g)) {
    const isClosed = open?.length === run.length
    if (open !== undefined && isClosed) {
      spans.push({from: from + open.at, to: from + index + run.length})
    }
    open = isClosed ? undefined : {at: index, length: run.length}
  }
  return spans
}
