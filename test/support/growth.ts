import type {Nodes} from 'mdast'
import {fromMarkdown} from 'mdast-util-from-markdown'
import {gfmFromMarkdown} from 'mdast-util-gfm'
import {gfm} from 'micromark-extension-gfm'
import {readableLength} from '../../src/markdown/readable.ts'
import {escapeMarkdown} from '../../src/slack/markup/markup.ts'

/** What goes wrong from one state of a growing text to the next. */
interface Jump {
  /** Less is shown; what is sent does not begin with what was; a reader sees something else than before. */
  kind: 'falls' | 'rewrites' | 'flickers'
  before: string
  after: string
}

/** How a text is shown as it grows. A reader sees all of it at its end: earlier words and blocks stay. */
export function jumpsOf(states: readonly string[]): Jump[] {
  const jumps: Jump[] = []
  let before = {length: 0, sent: '', structure: ''}
  for (const state of states) {
    const length = readableLength(state)
    const sent = escapeMarkdown(state.slice(0, length))
    const structure = structureOf(sent)
    const note = (kind: Jump['kind']): void => {
      jumps.push({kind, before: before.sent, after: sent})
    }
    if (length < before.length) note('falls')
    if (!sent.startsWith(before.sent)) note('rewrites')
    if (!structure.startsWith(before.structure)) note('flickers')
    before = {length, sent, structure}
  }
  return jumps
}

/**
 * What a reader sees, in order, as one string: each block when it begins, with its type; then each character
 * with how it looks. A text that only grows at its end has a structure that only grows at its end.
 */
function structureOf(markdown: string): string {
  const root = fromMarkdown(markdown.replaceAll('&lt;', '\uE000'), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  })
  return looksOf(root, '').join('')
}

const BLOCKS =
  /^(?:paragraph|heading|code|list|listItem|blockquote|table|tableRow|tableCell|thematicBreak)$/
const STYLES: Readonly<Record<string, string>> = {
  strong: 'b',
  emphasis: 'i',
  delete: 's',
  inlineCode: 'c',
}

function looksOf(node: Nodes, style: string): string[] {
  const own = BLOCKS.test(node.type) ? [`\n<${nameOf(node)}>`] : []
  const styled = style + (STYLES[node.type] ?? linkStyle(node))
  if ('value' in node) return [...own, ...Array.from(node.value).map((char) => char + styled)]
  if ('children' in node) return [...own, ...node.children.flatMap((it) => looksOf(it, styled))]
  return [...own, ...(node.type === 'break' ? [`\n${styled}`] : [])]
}

function nameOf(node: Nodes): string {
  if (node.type === 'heading') return `heading ${node.depth}`
  if (node.type === 'code') return `code ${node.lang ?? ''}`
  if (node.type === 'list') return `list ${node.ordered === true ? 'by number' : ''}`
  if (node.type === 'listItem') return `item ${node.checked ?? ''}`
  return node.type
}

/** A bare mail address is words for who reads it. */
function linkStyle(node: Nodes): string {
  return node.type === 'link' && !node.url.startsWith('mailto:') ? `(${node.url})` : ''
}
