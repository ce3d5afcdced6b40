import {type TimeSlices, createTimeSlices} from '../../async/time-slices.ts'
import {MAX_NAME, oneLine} from '../markup/lines.ts'
import {type Names, toReadable} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {FetchedFile} from './file-addresses.ts'

const {about} = texts.quoting

/** A message as it is passed on to an agent: readable words. */
export interface QuotedMessage {
  author: string
  text: string
  /** Names of files that it carried. */
  files: readonly string[]
  forwarded: readonly {author: string; text: string}[]
}

export interface TextFile {
  name: string
  text: string
}

/** A clip, and what is said in it. */
export interface SaidFile {
  name: string
  words: string
}

/** Whatever some reader takes for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** Of one message: a wall of text must not drown the task. */
const MAX_TEXT = 8000

/** What somebody wrote in words that can be read without Slack, as far as it is quoted. */
export type QuotedReader = (text: string, names: Names) => Promise<string>

/** Twenty long messages may come at once, full of names and links: together they take a slice of a turn of the event loop. */
export function createQuotedReader(turns: TimeSlices = createTimeSlices()): QuotedReader {
  return (text, names) => toReadable(text, names, {most: MAX_TEXT, turns})
}

/**
 * Messages as context: a heading of ours, and below it nothing but lines that begin with `>`, so that no
 * message can end its quote. What is said is set in one step further than who said it, so that none can
 * speak for another one either.
 */
export function quote(heading: string, messages: readonly QuotedMessage[]): string {
  return [heading, '', ...messages.flatMap(linesOf).map((line) => `> ${line}`.trimEnd())].join('\n')
}

function linesOf({author, text, files, forwarded}: QuotedMessage): string[] {
  return [
    `${oneLine(author, MAX_NAME)}:`,
    ...inset(text),
    ...files.map((name) => `  ${about.file(oneLine(name, MAX_NAME))}`),
    ...forwarded.flatMap((one) => [
      `  ${about.forwardedFrom(oneLine(one.author, MAX_NAME) || about.somebody)}`,
      ...inset(one.text).map((line) => `  ${line}`),
    ]),
  ]
}

function inset(text: string): string[] {
  if (text.trim() === '') return []
  const words = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} […]` : text
  return words.split(LINE_END).map((line) => `  ${line}`)
}

/** A file's text between fences that are longer than any in it. */
export function fence({name, text}: TextFile): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const marks = '`'.repeat(longest + 1)
  const end = text.endsWith('\n') ? '' : '\n'
  const heading = about.fileHeading(shownName(name))
  return `${heading}\n${marks}\n${text}${end}${marks}`
}

/** What somebody said in a clip, as other people's words are quoted. */
export function quoteClip({name, words}: SaidFile): string {
  const lines = words.slice(0, MAX_TEXT).split(LINE_END)
  return [about.clip(shownName(name)), '', ...lines.map((line) => `> ${line}`.trimEnd())].join('\n')
}

/** Files that the agent fetches from us, each with the line that does it. */
export function fetchLines(files: readonly FetchedFile[]): string {
  const each = files.map(({file: {name, mimetype, size}, command}) => {
    const what = [mimetype === '' ? [] : shownName(mimetype), sizeText(size)].flat().join(', ')
    return `${shownName(name)} (${what}):\n\`\`\`sh\n${command}\n\`\`\``
  })
  return [about.fetched, ...each].join('\n\n')
}

function shownName(name: string): string {
  return oneLine(name, MAX_NAME).replaceAll('`', 'ˋ')
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Who says it, and where: the platform does not know. One line, whatever people call themselves and their channels. */
export async function senderLine(
  names: Names,
  {user, channel}: {user: string; channel: string},
): Promise<string> {
  const name = oneLine(await names.user(user), MAX_NAME)
  if (channel.startsWith('D')) return texts.quoting.sender.direct(name)
  const place = oneLine(await names.place(channel), MAX_NAME)
  return isGroupMessage(place)
    ? texts.quoting.sender.group(name)
    : texts.quoting.sender.channel(name, place)
}

/** Slack makes the name of a group direct message of the names of all who are in it. */
function isGroupMessage(channelName: string): boolean {
  return channelName.startsWith('mpdm-')
}
