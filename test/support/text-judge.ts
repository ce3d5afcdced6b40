import type {Nodes} from 'mdast'
import {fromMarkdown} from 'mdast-util-from-markdown'
import {gfmFromMarkdown} from 'mdast-util-gfm'
import {gfm} from 'micromark-extension-gfm'

const syntax = {extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()]}

/** A stand-in for `<` while Markdown is read: what goes out holds none, so nothing is HTML. */
const LESS = '\uE000'

interface Code {
  from: number
  to: number
  value: string
}

/** What is wrong with the text of a `markdown` block, whoever drew it. */
export function dangersOf(sent: string): string[] {
  const dangers: string[] = []
  if (sent.includes('<')) dangers.push('a token of Slack’s could begin')
  if (/[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069]/.test(sent))
    dangers.push('invisible')
  if (!sent.isWellFormed()) dangers.push('half a character')
  if (!/[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(sent)) dangers.push('it shows nothing')
  const text = sent.replaceAll('&lt;', LESS)
  const codes: Code[] = []
  walk(fromMarkdown(text, syntax), (node) => {
    if ((node.type === 'link' && isWritten(text, node)) || node.type === 'image') {
      const label = 'alt' in node ? (node.alt ?? '') : wordsOf(node)
      if (isLie(label, node.url)) dangers.push(`by the standard: [${label}](${node.url})`)
    }
    if (/^(?:definition|linkReference|imageReference)$/.test(node.type)) dangers.push(node.type)
    collectCode(node, codes)
  })
  dangers.push(...careless(withoutCode(text, codes)))
  return dangers
}

/** What a parser that knows brackets and little else would make of it. */
function careless(text: string): string[] {
  return [...text.matchAll(/\[([^\]]*)\]\(\s*([^)\s]*)/g)].flatMap(
    ([all, label = '', target = '']) => (isLie(label, target) ? [`carelessly: ${all}`] : []),
  )
}

function isLie(label: string, target: string): boolean {
  if (!/^(?:https?:\/\/|mailto:)/i.test(target)) return true
  const words = label
    .normalize('NFKC')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/%2E/gi, '.')
    .replaceAll(/[\u200B-\u200F\u2060\uFEFF\u00AD*_~`\\]/g, '')
    .replaceAll(/[。｡．․]/g, '.')
    .toLowerCase()
  const host =
    /^(?:https?:\/\/(?:[^/?#@]*@)?|mailto:[^@]*@)([^/?#:]*)/i.exec(target)?.[1]?.toLowerCase() ?? ''
  const file = target
    .replace(/[?#].*/, '')
    .split('/')
    .at(-1)
    ?.toLowerCase()
    .replaceAll('_', '')
  const isLying = (name: string): boolean => name !== host && name !== file
  const names = words.match(/(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu) ?? []
  if (/https?:\/\/|www\./.test(words) && names.length === 0) return true
  const scheme = /^https?:\/\/([^/?#\s]*)/.exec(words.trim())?.[1]
  return scheme === undefined ? names.some(isLying) : isLying(scheme)
}

/** Not a bare address, which is its own label. */
function isWritten(text: string, {position}: Nodes): boolean {
  return position !== undefined && text.charAt(position.start.offset ?? 0) === '['
}

function walk(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node)
  if ('children' in node) for (const child of node.children) walk(child, visit)
}

function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value
  if ('alt' in node) return node.alt ?? ''
  return 'children' in node ? node.children.map(wordsOf).join('') : ''
}

function collectCode(node: Nodes, codes: Code[]): void {
  if (node.type !== 'code' && node.type !== 'inlineCode') return
  const {start, end} = node.position ?? {}
  codes.push({from: start?.offset ?? 0, to: end?.offset ?? 0, value: node.value})
}

function withoutCode(text: string, codes: readonly Code[]): string {
  let rest = ''
  let end = 0
  for (const {from, to} of codes) {
    rest += `${text.slice(end, from)} `
    end = to
  }
  return rest + text.slice(end)
}

/** Letters and digits in order, and code as it is but for line ends: what must be the same before and after. */
export function readingOf(markdown: string, form: 'written' | 'sent'): string {
  const text =
    form === 'sent'
      ? markdown.replaceAll('&lt;', LESS)
      : withoutAsides(markdown.replaceAll('<', LESS))
  const codes: Code[] = []
  walk(fromMarkdown(text, syntax), (node) => collectCode(node, codes))
  let reading = ''
  let end = 0
  for (const {from, to, value} of codes) {
    reading += lettersOf(text.slice(end, from))
    reading += (form === 'sent' ? value.replaceAll('&amp;', '&') : value).replaceAll(/[\r\n]/g, '')
    end = to
  }
  return reading + lettersOf(text.slice(end))
}

/** Definitions and images are words in what is sent: so there may be code in them. */
function withoutAsides(text: string): string {
  const places: number[] = []
  walk(fromMarkdown(text, syntax), ({type, position}) => {
    if (/efinition$/.test(type)) places.push(position?.start.offset ?? 0)
    if (type === 'image') places.push(1 + (position?.start.offset ?? 0))
  })
  if (places.length === 0) return text
  let words = ''
  let end = 0
  for (const at of places) {
    words += text.slice(end, at) + (text.charAt(at - 1) === '!' ? ' ' : '\\')
    end = at
  }
  return withoutAsides(words + text.slice(end))
}

/** Whether plain words hold the letters of what was written; a link that is its own label may count once. */
export function isSameWords(written: string, plain: string): boolean {
  return rawLetters(written) === rawLetters(plain) || lettersOf(written) === lettersOf(plain)
}

function lettersOf(text: string): string {
  return rawLetters(text.replaceAll(/\[([^[\]]*)\]\(\s*\1\s*\)/g, '$1'))
}

function rawLetters(text: string): string {
  return text.replaceAll(/&(?:amp;)*(?:lt|gt|amp);/g, '').replaceAll(/[^\p{L}\p{N}]/gu, '')
}
