import {type CodeLine, type Words, layOut, sourceOf} from '../markdown/paragraphs.ts'
import {type Inline, type Link, readInlines} from '../markdown/inlines.ts'
import {isDisguise, isPlainAddress} from './addresses.ts'
import {type Edit, applyEdits} from './edits.ts'

/**
 * Markdown with which nothing lies and nobody is called, whoever wrote it. It is changed at places and
 * never written anew, so all else stays as it is: `<` is escaped everywhere, which leaves no token of
 * Slack's; a link stays one where its label does not pretend to be another address; whatever else
 * some parser could take for a link is broken by a backslash; code stays as a reader saw it.
 */
export function toHonest(markdown: string): string {
  const {lines, words, code} = layOut(markdown)
  const infos = lines.filter(({kind}) => kind === 'fence')
  const edits = [
    ...words.flatMap(editWords),
    ...code.flatMap((it) => keepEntities(markdown, it)),
    ...infos.flatMap(({from, to}) => breakLinks(markdown.slice(from, to), from)),
  ]
  const honest = applyEdits(markdown, edits, (text) => text.replaceAll('<', '&lt;'))
  return breakCareless(honest)
}

/**
 * A careless parser takes as a label all since a bracket that nothing closed, wherever it stands: what
 * lies in that reading is broken too.
 */
function breakCareless(honest: string): string {
  if (!honest.includes('](')) return honest
  const words = withoutCode(honest)
  const lies = [...words.matchAll(/\]\(([^)\s]*)/g)].flatMap(({index, 1: target = ''}) => {
    const label = labelBefore(words, index)
    const at = index + 1
    return label !== undefined && isDisguise(label, target) ? [{from: at, to: at, put: '\\'}] : []
  })
  return applyEdits(honest, lies, (text) => text)
}

/** The same text with spaces where there is code. */
function withoutCode(markdown: string): string {
  const {code, words} = layOut(markdown)
  const spans = words.flatMap((it) => {
    if (!it.text.includes('`')) return []
    const toSource = sourceOf(it)
    return readInlines(it.text, NOWHERE)
      .found.filter(({kind}) => kind === 'code')
      .map(({from, to}) => ({from: toSource(from), to: toSource(to - 1) + 1}))
  })
  const blanks = [...code, ...spans].map(({from, to}) => ({from, to, put: ' '.repeat(to - from)}))
  return applyEdits(markdown, blanks, (text) => text)
}

const NOWHERE: ReadonlySet<number> = new Set()

function labelBefore(text: string, at: number): string | undefined {
  const open = text.indexOf('[', text.lastIndexOf(']', at - 1) + 1)
  return open === -1 || open >= at ? undefined : text.slice(open + 1, at)
}

/** Slack decodes entities in code too. */
function keepEntities(text: string, {from, to}: CodeLine): Edit[] {
  return [...text.slice(from, to).matchAll(/&(?=#?\w{1,32};)/g)].map(({index}) => {
    const at = from + index + 1
    return {from: at, to: at, put: 'amp;'}
  })
}

function breakLinks(text: string, from: number): Edit[] {
  return [...text.matchAll(/\]\(/g)].map(({index}) => {
    const at = from + index + 1
    return {from: at, to: at, put: '\\'}
  })
}

function editWords(words: Words): Edit[] {
  const {text} = words
  if (!/[[\]<&]/.test(text)) return []
  const lineStarts = words.lines.map(({at}) => at)
  const {found, definitions} = readInlines(text, new Set(lineStarts))
  const edits = isAmbiguous(text, found)
    ? breakLinks(text, 0)
    : [...found.flatMap((it) => editInline(text, it)), ...breakRest(text, found)]
  const colons = new Set([...definitions, ...lineStarts.flatMap((at) => namedAt(text, at))])
  const defused = [...colons].map((at) => ({from: at, to: at, put: '\\'}))
  const toSource = sourceOf(words)
  return [...edits, ...defused].map(({from, to, put}) => ({
    from: toSource(from),
    to: to > from ? toSource(to - 1) + 1 : toSource(from),
    put,
  }))
}

/** What looks like the beginning of a link outside of code, and is none of ours. */
function breakRest(text: string, found: readonly Inline[]): Edit[] {
  const isDone = new Set(found.flatMap((it) => (it.kind === 'link' ? [it.labelTo + 1] : [])))
  const codes = found.filter(({kind}) => kind === 'code')
  let code = 0
  return breakLinks(text, 0).filter(({from}) => {
    while ((codes[code]?.to ?? Infinity) < from) code += 1
    return !isDone.has(from) && from <= (codes[code]?.from ?? Infinity)
  })
}

/** Some take a backtick that follows an address for a part of it: nobody knows then what is code. */
function isAmbiguous(text: string, found: readonly Inline[]): boolean {
  const codes = found.filter(({kind}) => kind === 'code')
  let code = 0
  for (const {index} of text.matchAll(/(?:https?:\/\/|www\.)[^\s<`]*`/gi)) {
    while ((codes[code]?.to ?? Infinity) <= index) code += 1
    if (index < (codes[code]?.from ?? Infinity)) return true
  }
  return false
}

/** The colon of `[name]:` at the start of a line, where backticks in the name may be no code. */
function namedAt(text: string, at: number): number[] {
  if (text[at] !== '[') return []
  const end = text.indexOf(']:', at)
  const name = text.slice(at + 1, end)
  return end !== -1 && name.includes('`') && !name.includes(']') ? [end + 1] : []
}

function editInline(text: string, inline: Inline): Edit[] {
  if (inline.kind === 'code') return keepEntities(text, inline)
  if (inline.kind === 'address') {
    const {from, to} = inline
    return [
      {from, to: from + 1, put: /[\p{L}\p{N}]$/u.test(text.slice(0, from)) ? ' ' : ''},
      {from: to - 1, to, put: /^(?:$|[\s.,;:!?)*_~])/.test(text.slice(to, to + 1)) ? '' : ' '},
    ]
  }
  const {labelFrom, labelTo, targetFrom, targetTo, from, to} = inline
  const label = text.slice(labelFrom, labelTo)
  const target = text.slice(targetFrom, targetTo)
  if (label.trim() === '') return editUnnamed(text, inline, target)
  if (isKept(inline, label, target)) {
    return [
      {from, to: labelFrom, put: '['},
      {from: labelTo, to: targetFrom, put: ']('},
      ...(inline.title === '' ? [{from: targetTo, to, put: ')'}] : []),
    ]
  }
  // What begins a line must not become a list, a heading or a fence of it.
  const isWord = /^[\p{L}\p{N}]/u.test(label) && !/^\d+[.)]/.test(label)
  const opening = {from, to: labelFrom, put: isWord ? '' : '\\['}
  if (label === target && isWord) return [opening, {from: labelTo, to, put: ''}]
  const isPointed = text[targetTo] === '>'
  return [
    opening,
    {from: labelTo, to: targetFrom, put: isWord ? ' (' : '] ('},
    ...(isPointed ? [{from: targetTo, to: targetTo + 1, put: ''}] : []),
    // Some take what follows an address without a space for more of it.
    ...(text[to] === '`' ? [{from: to - 1, to, put: ') '}] : []),
  ]
}

/** A link that nobody could press shows its address. */
function editUnnamed(text: string, {from, to, targetFrom, targetTo}: Link, target: string): Edit[] {
  const isBare = isPlainAddress(target)
  const gap = /[\p{L}\p{N}]$/u.test(text.slice(0, from)) ? ' ' : ''
  return [
    {from, to: targetFrom, put: isBare ? gap : '('},
    ...(text[targetTo] === '>' ? [{from: targetTo, to: targetTo + 1, put: ''}] : []),
    ...(isBare && to === targetTo + 1
      ? [{from: targetTo, to, put: /^(?:$|\s)/.test(text.slice(to, to + 1)) ? '' : ' '}]
      : []),
  ]
}

function isKept({holdsLink, title}: Link, label: string, target: string): boolean {
  const isPlainTitle = title === '' || /^"[^"\\`[\]<>&|]*"$/.test(title)
  return !holdsLink && isPlainTitle && isPlainAddress(target) && !isDisguise(label, target)
}
