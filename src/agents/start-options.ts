import {trimmed} from '../markdown/visible.ts'

/** What may be said in front of a task: `project=web title="Fix the login"`. */
export const OPTION_NAMES = [
  ...(['project', 'repo', 'model', 'effort', 'modes', 'size', 'title', 'plan'] as const),
] as const
type OptionName = (typeof OPTION_NAMES)[number]

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
  let rest = trimmed(text)
  for (;;) {
    const found = readOption(rest, '') ?? readBracket(rest)
    if (found === undefined) return {options, task: rest}
    options = {...options, ...found.options}
    rest = found.rest.trimStart()
    if (found.isLast === true) return {options, task: rest}
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
  const found = readAssignment(text, OPTION_NAMES, closing)
  return found && {options: {[found.name]: found.value}, rest: found.rest}
}

/** `name=value` at the very beginning, of one of these names, with the value in quotes or without; `rest`: what is behind. */
export function readAssignment<Name extends string>(
  text: string,
  names: readonly Name[],
  closing: Closing = '',
): {name: Name; value: string; rest: string} | undefined {
  const [head = '', word = ''] = /^(\w+)=/.exec(text) ?? []
  const name = names.find((one) => one === word.toLowerCase())
  if (name === undefined) return undefined
  const behind = text.slice(head.length)
  const value = readQuoted(behind, closing) ?? readBare(behind, closing)
  return value && {name, value: value.words, rest: behind.slice(value.length)}
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
    // An apostrophe inside the words closes nothing.
    if (next !== '' && !/\s/.test(next) && next !== closing) continue
    const words = trimmed(text.slice(1, at))
    return words === '' ? undefined : {words, length: at + 1}
  }
  return undefined
}

function readBare(text: string, closing: Closing): Value | undefined {
  const [words = ''] = (closing === ']' ? /^[^\s\]]+/ : /^\S+/).exec(text) ?? []
  // A quote that nobody closed: where the value ends cannot be known.
  const isOpen = QUOTES.some((quotes) => words !== '' && quotes.includes(words.charAt(0)))
  return words === '' || isOpen ? undefined : {words, length: words.length}
}

/** What stands in brackets for longer is the task: each quote in it that nobody closed is sought to the end. */
const MAX_BRACKET = 4000

function readBracket(text: string): Found | undefined {
  if (!text.startsWith('[')) return undefined
  const inside = text.slice(1, MAX_BRACKET)
  let options: StartOptions = {}
  let others = ''
  let rest = inside
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
  const behind = text.slice(inside.length - rest.length + 2)
  return others === ''
    ? {options, rest: behind}
    : {options, rest: `[${others}]${behind}`, isLast: true}
}
