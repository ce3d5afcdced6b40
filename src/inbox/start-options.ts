/** What may be said in front of a task: `project=web title="Fix the login"`. */
export const OPTION_NAMES = ['project', 'repo', 'model', 'effort', 'size', 'title'] as const
export type OptionName = (typeof OPTION_NAMES)[number]

/** As they were written; none is empty. */
export type StartOptions = {readonly [Name in OptionName]?: string | undefined}

/** Curly quotes come from keyboards that mean well; any of a family closes any other of it. */
const QUOTES = ['"“”„‟', "'‘’‚‛", '«»']

/**
 * Takes the options off the front of a text: bare ones before the first other word, and those inside `[ ]`. What
 * is no option of ours stays part of the task, also in brackets.
 */
export function readOptions(text: string): {options: StartOptions; task: string} {
  let options: StartOptions = {}
  let rest = text.trimStart()
  for (;;) {
    const found = readOption(rest, '') ?? readBracket(rest)
    if (found === undefined) return {options, task: rest.trim()}
    options = {...options, ...found.options}
    rest = found.rest.trimStart()
    if (found.isLast === true) return {options, task: rest.trim()}
  }
}

interface Found {
  options: StartOptions
  /** What stands behind it. */
  rest: string
  /** Something else stood beside the options. */
  isLast?: true
}

/** What ends a value besides a blank: in brackets, the closing one. */
type Closing = ']' | ''

/** One option at the very beginning. */
function readOption(text: string, closing: Closing): Found | undefined {
  const [head = '', word = ''] = /^(\w+)=/.exec(text) ?? []
  const name = OPTION_NAMES.find((one) => one === word.toLowerCase())
  if (name === undefined) return undefined
  const behind = text.slice(head.length)
  const value = readQuoted(behind, closing) ?? readBare(behind, closing)
  if (value === undefined) return undefined
  return {options: {[name]: value.words}, rest: behind.slice(value.length)}
}

/** Its words, and how long it is as it is written. */
interface Value {
  words: string
  length: number
}

function readQuoted(text: string, closing: Closing): Value | undefined {
  const family = QUOTES.find((quotes) => text !== '' && quotes.includes(text.charAt(0)))
  if (family === undefined) return undefined
  for (let at = 1; at < text.length; at += 1) {
    if (!family.includes(text.charAt(at))) continue
    const next = text.charAt(at + 1)
    const isEnd = next === '' || /\s/.test(next) || next === closing
    const words = text.slice(1, at).trim()
    // An apostrophe inside the words closes nothing.
    if (isEnd) return words === '' ? undefined : {words, length: at + 1}
  }
  return undefined
}

function readBare(text: string, closing: Closing): Value | undefined {
  const [words = ''] = (closing === ']' ? /^[^\s\]]+/ : /^\S+/).exec(text) ?? []
  // A quote that nobody closed: where the value ends cannot be known.
  const isOpen = QUOTES.some((quotes) => words !== '' && quotes.includes(words.charAt(0)))
  return words === '' || isOpen ? undefined : {words, length: words.length}
}

function readBracket(text: string): Found | undefined {
  if (!text.startsWith('[')) return undefined
  let options: StartOptions = {}
  let others = ''
  let rest = text.slice(1)
  for (;;) {
    const blank = /^\s*/.exec(rest)?.[0] ?? ''
    rest = rest.slice(blank.length)
    if (rest === '') return undefined // it is never closed
    if (rest.startsWith(']')) break
    const found = readOption(rest, ']')
    const [word = ''] = /^[^\s\]]+/.exec(rest) ?? []
    if (found === undefined) others += (others === '' ? '' : blank) + word
    options = {...options, ...found?.options}
    rest = found?.rest ?? rest.slice(word.length)
  }
  if (Object.keys(options).length === 0) return undefined
  const behind = rest.slice(1)
  return others === ''
    ? {options, rest: behind}
    : {options, rest: `[${others}]${behind}`, isLast: true}
}

/** The most similar ones first, without what is hardly similar; where all are so, the least unlike of them. */
export function nearest(names: readonly string[], wanted: string, count = 3): string[] {
  const word = wanted.toLowerCase()
  const all = [...new Set(names)]
    .map((name) => ({name, distance: distanceBetween(name.toLowerCase(), word)}))
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  const near = all.filter(
    ({name, distance}) => distance <= Math.ceil(Math.max(name.length, word.length) / 2),
  )
  return (near.length > 0 ? near : all).slice(0, count).map(({name}) => name)
}

const MAX_COMPARED = 60

/** Letters to put in, take out, change or swap with their neighbour until the one is the other. */
function distanceBetween(long: string, other: string): number {
  const a = Array.from(long.slice(0, MAX_COMPARED))
  const b = Array.from(other.slice(0, MAX_COMPARED))
  const rows: number[][] = [b.map((_, index) => index)]
  rows[0]?.push(b.length)
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i])
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)]
      rows[i]?.push(Math.min(...steps, isSwap ? at(i - 2, j - 2) + 1 : Infinity))
    }
  }
  return at(a.length, b.length)
}
