import {type Inline, type Link, opaqueOf, readInlines} from '../inlines.ts'
import {type Words, layOut, sourceOf} from '../paragraphs.ts'
import {type Stretch, merge, stretchAround} from '../stretches.ts'
import {isDisguise, isPlainAddress} from './addresses.ts'
import {breakAmbiguousLinks} from './ambiguous-links.ts'
import {type Edit, applyEdits, insert} from '../edits.ts'

/**
 * Markdown with which nothing lies and nobody is called, whoever wrote it. It is changed at places and
 * never written anew, so all else stays as it is: `<` is escaped everywhere, which leaves no token of
 * Slack's; a link stays one where its label does not pretend to be another address; whatever else some
 * parser could take for a link is broken by a backslash; code stays as a reader saw it. Parsers disagree about
 * backticks in addresses: so in a broken link they are escaped or left out, and a bare address gets a space in front of one.
 */
export function toSafeMarkdown(markdown: string): string {
  const {lines, words, code} = layOut(markdown)
  const infos = lines.filter(({kind}) => kind === 'fence')
  const edits = [
    ...words.flatMap(editWords),
    ...code.flatMap((it) => keepEntities(markdown, it)),
    ...infos.flatMap(({from, to}) => breakLinks(markdown.slice(from, to), from)),
  ]
  const honest = applyEdits(markdown, edits, (text) => text.replaceAll('<', '&lt;'))
  return breakAmbiguousLinks(honest)
}

/** Slack decodes entities in code too. */
function keepEntities(text: string, {from, to}: Stretch): Edit[] {
  return [...text.slice(from, to).matchAll(/&(?=#?\w{1,32};)/g)].map(({index}) =>
    insert(from + index + 1, 'amp;'),
  )
}

function breakLinks(text: string, from: number): Edit[] {
  return [...text.matchAll(/\]\(/g)].map(({index}) => insert(from + index + 1, '\\'))
}

function editWords(words: Words): Edit[] {
  const {text} = words
  if (!/[[\]<&`]/.test(text)) return []
  const {found} = readInlines(text)
  const opaque = merge(opaqueOf(found))
  const isOutside = ({from}: Edit): boolean => stretchAround(opaque, from) === undefined
  const edits = [
    ...found.flatMap((it) => editInline(text, it)),
    ...[
      ...breakLinks(text, 0),
      ...breakDefinitions(words, isOutside),
      ...endAddresses(text),
    ].filter(isOutside),
  ]
  const toSource = sourceOf(words)
  return edits.map(({from, to, put}) => ({
    from: toSource(from),
    to: to > from ? toSource(to - 1) + 1 : toSource(from),
    put,
  }))
}

/** Some take a backtick that touches an address for more of it, others for the beginning of code. */
function endAddresses(text: string): Edit[] {
  return [...text.matchAll(/(?:https?:\/\/|www\.)[^\s<`]*/gi)].flatMap(({0: all, index}) => {
    const end = index + all.length
    return text[end] === '`' ? [insert(end, ' ')] : []
  })
}

/** A link in the label may lose its brackets. It begins in its own line, or each line would read those below it. */
const DEFINITION = /[^\S\n]*\[(?:\\[^]|[^\\[\]]|\[(?:\\[^]|[^\\[\]])*\]\()+\](?=:)/y

function breakDefinitions({text, lines}: Words, isOutside: (edit: Edit) => boolean): Edit[] {
  const colons = lines.flatMap(({at}) => {
    DEFINITION.lastIndex = at
    return DEFINITION.test(text) ? [insert(DEFINITION.lastIndex, '\\')] : []
  })
  if (colons.every(isOutside)) return colons
  // A backtick in a name begins code for whoever sees no definition: that code stays as it is.
  return lines.flatMap(({at}) => {
    const space = /^\s*(?=\[)/.exec(text.slice(at, at + MAX_INDENT))?.[0]
    return space === undefined ? [] : [insert(at + space.length, '\\')]
  })
}

const MAX_INDENT = 100

function editInline(text: string, inline: Inline): Edit[] {
  if (inline.kind === 'code') return keepEntities(text, inline)
  if (inline.kind === 'address') {
    const {from, to} = inline
    return [
      {from, to: from + 1, put: isBehindWord(text, from) ? ' ' : ''},
      {from: to - 1, to, put: /^(?:$|[\s.,;:!?)*_~])/.test(text.slice(to, to + 1)) ? '' : ' '},
    ]
  }
  return editLink(text, inline)
}

/** Looks at the one character in front of it: what is further away may be long, and is none of its business. */
function isBehindWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at))
}

function editLink(text: string, link: Link): Edit[] {
  const {labelFrom, labelTo, targetFrom, targetTo, from, to, title} = link
  const label = text.slice(labelFrom, labelTo)
  const target = text.slice(targetFrom, targetTo)
  if (label.trim() !== '' && isKept(link, label, target)) {
    return [
      {from, to: labelFrom, put: '['},
      {from: labelTo, to: targetFrom, put: ']('},
      ...(title === '' ? [{from: targetTo, to, put: ')'}] : []),
    ]
  }
  const isPointed = text[targetTo] === '>'
  return [
    ...(label.trim() === '' ? editUnnamed(text, link, target) : editNamed(link, label, target)),
    ...(isPointed ? [{from: targetTo, to: targetTo + 1, put: ''}] : []),
    // What was part of an address must begin neither code nor a link.
    ...dropTicks(text.slice(labelTo, to), labelTo),
    ...breakLinks(text.slice(targetFrom, to), targetFrom),
  ]
}

function dropTicks(text: string, from: number): Edit[] {
  return [...text.matchAll(/(?<!\\)`+/g)].map(({0: ticks, index}) => {
    const at = from + index
    return {from: at, to: at + ticks.length, put: ticks === '`' ? '\\`' : ''}
  })
}

function editNamed(link: Link, label: string, target: string): Edit[] {
  const {from, to, labelFrom, labelTo, targetFrom} = link
  // What begins a line must not become a list, a heading or a fence of it.
  const isWord = /^[\p{L}\p{N}]/u.test(label) && !/^\d+[.)]/.test(label)
  const opening = {from, to: labelFrom, put: isWord ? '' : '\\['}
  if (label === target && isWord) return [opening, {from: labelTo, to, put: ''}]
  return [opening, {from: labelTo, to: targetFrom, put: isWord ? ' (' : '] ('}]
}

/** A link that nobody could press shows its address. */
function editUnnamed(text: string, {from, to, targetFrom, targetTo}: Link, target: string): Edit[] {
  const isBare = isPlainAddress(target)
  const gap = isBehindWord(text, from) ? ' ' : ''
  const end = text[targetTo] === '>' ? targetTo + 1 : targetTo
  return [
    {from, to: targetFrom, put: isBare ? gap : '('},
    ...(isBare && to === end + 1
      ? [{from: end, to, put: /^(?:$|\s)/.test(text.slice(to, to + 1)) ? '' : ' '}]
      : []),
  ]
}

function isKept({title}: Link, label: string, target: string): boolean {
  const isPlainTitle = title === '' || /^"[^"\\`[\]<>&|]*"$/.test(title)
  return isPlainTitle && isPlainAddress(target) && !isDisguise(label, target)
}
