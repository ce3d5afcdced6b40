import type {Nodes} from 'mdast'
import {fromMarkdown} from 'mdast-util-from-markdown'
import {gfmFromMarkdown} from 'mdast-util-gfm'
import {gfm} from 'micromark-extension-gfm'

const GFM = [gfm()]
/** GitHub takes a backtick that touches a bare address for more of it; the standard begins code there. */
const STANDARD = [...GFM, without('wwwAutolink', 'protocolAutolink', 'emailAutolink')]
/** Definitions and images go out as words: so there may be code in them. */
const AS_WORDS = [
  ...STANDARD,
  without('definition', 'labelStartImage'),
  without('gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'),
]

/** A stand-in for `<` while Markdown is read: what goes out holds none, so nothing is HTML. */
const LESS = '\uE000'

interface Stretch {
  from: number
  to: number
}

interface Code extends Stretch {
  value: string
}

/** What is wrong with what goes out in a `markdown` block for this Markdown, whoever drew it. */
export function dangersOf(written: string, sent: string): string[] {
  const text = sent.replaceAll('&lt;', LESS)
  const before = written.replaceAll('<', LESS)
  // What goes out as it came, without a bracket or an entity, can neither link nor read otherwise.
  if (text === before && !/[[&]/.test(text)) return oddities(sent)
  if (isMisread(before)) {
    return [...oddities(sent), ...careless(text, [{from: 0, to: text.length, value: text}])]
  }
  const root = read(text, STANDARD)
  const codes = codesOf(root)
  const dangers = [...oddities(sent), ...linksOf(text, root), ...careless(text, codes)]
  if (/(?:https?:\/\/|www\.)[^\s`]*`/i.test(text)) dangers.push(...linksOf(text, read(text, GFM)))
  const codesBefore = codesOf(read(before, AS_WORDS))
  // A link in what not everybody takes for code may be broken by a backslash.
  const isDisputed = breaksCode(text, codes)
  const toCode = (code: string): string => (isDisputed ? code.replaceAll(']\\(', '](') : code)
  const should = toCode(readingOf(before, codesBefore))
  const does = toCode(readingOf(text, codes, (code) => code.replaceAll('&amp;', '&')))
  if (should !== does) dangers.push(`it reads otherwise: ${should} is now ${does}`)
  return dangers
}

/**
 * Where this parser is not the measure: marks beyond the depth at which Bosun takes them for words; an item
 * that is empty, or whose number is not 1, right behind indented code, which it takes for words, against the
 * standard; and a link around a target in `<>` that has a space, which is none once `<` has its stand-in.
 */
function isMisread(text: string): boolean {
  return (
    /(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*){25}/.test(text) ||
    /^[ >]*(?: {4}|\t).*\n(?:[ >\t]*\n)*[ >]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]*$|(?!1[.)])\d{1,9}[.)][ \t])/m.test(
      text,
    ) ||
    new RegExp(`\\]\\(\\s*${LESS}[^<>\\n]* [^<>\\n]*>\\)[^]*\\]\\(`).test(text)
  )
}

function breaksCode(text: string, codes: readonly Code[]): boolean {
  const broken = blank(text, carelessCodes(text)).matchAll(/\]\\\(\s*(?:[a-z][a-z\d+.-]*:|\/\/)/gi)
  return [...broken].some(({index}) => codes.some(({from, to}) => from <= index && index < to))
}

function oddities(sent: string): string[] {
  const odd: string[] = []
  if (sent.includes('<')) odd.push('a token of Slack’s could begin')
  if (/[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069]/.test(sent)) odd.push('invisible')
  if (!sent.isWellFormed()) odd.push('half a character')
  if (!/[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(sent)) odd.push('it shows nothing')
  return odd
}

function linksOf(text: string, root: Nodes): string[] {
  const dangers: string[] = []
  walk(root, (node) => {
    if ((node.type === 'link' && isWritten(text, node)) || node.type === 'image') {
      const label = 'alt' in node ? (node.alt ?? '') : wordsOf(node)
      if (isLie(label, node.url)) dangers.push(`by the standard: [${label}](${node.url})`)
    }
    if (/^(?:definition|linkReference|imageReference)$/.test(node.type)) dangers.push(node.type)
  })
  return dangers
}

function careless(text: string, codes: readonly Code[]): string[] {
  return carelessLinks(text, codes).flatMap(({label, target}) =>
    isLie(label, target) ? [`carelessly: [${label}](${target})`] : [],
  )
}

/**
 * What a parser that knows brackets and little else would make of it: of code it knows fences at the
 * beginning of a line, and backticks within one. In what is code by the standard only a link that could be
 * followed counts.
 */
function carelessLinks(text: string, codes: readonly Code[]): {label: string; target: string}[] {
  const blanked = blank(text, carelessCodes(text))
  return [...blanked.matchAll(/\[([^\]]*)\]\((?=\s*([^)\s]*))/g)].flatMap(
    ({index, 1: label = '', 2: target = ''}) => {
      const at = index + 1 + label.length
      const isCode = codes.some(({from, to}) => from <= at && at < to)
      const isLive = !isCode || /^(?:[a-z][a-z\d+.-]*:[^:]|\/\/)/i.test(target)
      return isLive ? [{label, target}] : []
    },
  )
}

function carelessCodes(text: string): Stretch[] {
  const codes: Stretch[] = []
  let fence: string | undefined
  let from = 0
  for (const line of text.split('\n')) {
    const [, mark, info = ''] =
      /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})([^]*)$/.exec(line) ?? []
    if (fence !== undefined) {
      codes.push({from, to: from + line.length})
      if (mark?.startsWith(fence) === true && info.trim() === '') fence = undefined
    } else if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) {
      fence = mark
    } else {
      for (const span of line.matchAll(/(?<!`)(`+)(?!`)[^`]+(?<!`)\1(?!`)/g))
        codes.push({from: from + span.index, to: from + span.index + span[0].length})
    }
    from += line.length + 1
  }
  return codes
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
  const scheme = /^https?:\/\/([^/?#\s()]*)/.exec(words.trim())?.[1]
  return scheme === undefined ? names.some(isLying) : isLying(scheme)
}

/** Not a bare address, which is its own label. */
function isWritten(text: string, {position}: Nodes): boolean {
  return position !== undefined && text.charAt(position.start.offset ?? 0) === '['
}

function without(...names: string[]): {disable: {null: string[]}} {
  return {disable: {null: names}}
}

function read(text: string, extensions: typeof GFM | typeof STANDARD): Nodes {
  return fromMarkdown(text, {extensions, mdastExtensions: [gfmFromMarkdown()]})
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

function codesOf(root: Nodes): Code[] {
  const codes: Code[] = []
  walk(root, (node) => {
    if (node.type !== 'code' && node.type !== 'inlineCode') return
    const {start, end} = node.position ?? {}
    codes.push({from: start?.offset ?? 0, to: end?.offset ?? 0, value: node.value})
  })
  return codes
}

function blank(text: string, stretches: readonly Stretch[]): string {
  let rest = ''
  let end = 0
  for (const {from, to} of stretches) {
    rest += text.slice(end, from) + ' '.repeat(to - from)
    end = to
  }
  return rest + text.slice(end)
}

/** Letters and digits in order, and code as it is but for line ends: what must be the same before and after. */
function readingOf(
  text: string,
  codes: readonly Code[],
  toCode: (value: string) => string = (value) => value,
): string {
  let reading = ''
  let end = 0
  for (const {from, to, value} of codes) {
    reading += `${lettersOf(text.slice(end, from))}‹${toCode(value).replaceAll(/[\r\n]/g, '')}›`
    end = to
  }
  return reading + lettersOf(text.slice(end))
}

/** What a reader reads but for white space: code exactly, wherever it is cut. */
export function readMarkdown(markdown: string): string {
  const text = markdown.replaceAll('<', LESS)
  return readingOf(text, codesOf(read(text, AS_WORDS))).replaceAll(/[\s‹›]/g, '')
}

/** Whether plain words hold the letters of what was written; a link that is its own label may count once. */
export function isSameWords(written: string, plain: string): boolean {
  return rawLetters(written) === rawLetters(plain) || lettersOf(written) === lettersOf(plain)
}

/** A link that is its own label, with or without `<>` around either. */
const OWN_LABEL = /\[[\s\uE000]*([^[\]]*?)[\s>]*\]\\?\([\s\uE000]*\1[\s>]*\)/g

function lettersOf(text: string): string {
  return rawLetters(text.replaceAll(OWN_LABEL, '$1'))
}

/** Letters and digits alone. */
export function rawLetters(text: string): string {
  return text.replaceAll(/&(?:amp;)*(?:lt|gt|amp);/g, '').replaceAll(/[^\p{L}\p{N}]/gu, '')
}
