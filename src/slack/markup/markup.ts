import {toVisible, trimmed} from '../../markdown/visible.ts'
import type {TimeSlices} from '../../async/time-slices.ts'
import {texts} from '../texts.ts'
import {toSafeMarkdown} from '../../markdown/safe/safe-markdown.ts'
import {toPlain} from './plain.ts'

/**
 * Escapes what means something in Slack's mrkdwn, so that nothing in it can. Half a
 * character cannot be sent at all: Slack's client throws on it.
 */
export function escapeMrkdwn(text: string): string {
  return toVisible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The same for a `markdown` block, which reads entities and Slack's `<…>` tokens besides Markdown. */
export function escapeMarkdown(text: string): string {
  return toSafeMarkdown(toVisible(text))
}

/** The words of Markdown without its marks, escaped for mrkdwn. Never longer than {@link escapedLength} says. */
export function plainMrkdwn(markdown: string): string {
  return escapeMrkdwn(toPlain(toVisible(markdown)))
}

/** The longest that a text can be once escaped for mrkdwn: what Slack's limits are measured on. */
export function escapedLength(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === 38) length += 4
    else if (char === 60 || char === 62) length += 3
  }
  return length
}

/** Who and what a text points at. */
export interface Names {
  user(id: string): Promise<string>
  /** `undefined`: one that not all may look into, so that its name is nothing for who reads of it elsewhere. */
  channel(id: string): Promise<string | undefined>
  /** The same of the channel in which something is said, whatever it is. */
  place(id: string): Promise<string>
}

/** Of one message, or of what goes along with one, so many are looked up; whoever else it points at is told by their id. */
const MAX_NAMES = 30

/** The first of them alone, however many a text points at: each may cost a call. */
export function firstOf(names: Names, most = MAX_NAMES): Names {
  const asked = new Set<string>()
  const mayAsk = (id: string): boolean => {
    if (asked.size < most) asked.add(id)
    return asked.has(id)
  }
  return {
    user: async (id) => (mayAsk(id) ? names.user(id) : id),
    channel: async (id) => (mayAsk(id) ? names.channel(id) : id),
    place: (id) => names.place(id),
  }
}

/**
 * What a person wrote, with Slack's tokens as words: names instead of ids, plain addresses. What is longer than `most`
 * may end anywhere behind it; with `turns`, each token waits for a turn of the event loop that has time for it.
 */
export async function toReadable(
  text: string,
  all: Names,
  {most = Infinity, turns}: {most?: number; turns?: TimeSlices} = {},
): Promise<string> {
  const names = firstOf(all)
  let readable = ''
  let end = 0
  for (const match of text.matchAll(/<([^<>]+)>/g)) {
    if (readable.length > most) return readable
    const turn = turns?.()
    if (turn !== undefined) await turn
    readable += asTyped(text.slice(end, match.index)) + (await readToken(match[1] ?? '', names))
    end = match.index + match[0].length
  }
  return readable + asTyped(text.slice(end))
}

/** The same of a whole message, without what stands around it and around its lines. */
export async function readWritten(text: string, names: Names): Promise<string> {
  return trimmed((await toReadable(text, names)).replace(/^[ \t]+|(?<![ \t])[ \t]+$/gm, ''))
}

/** Without mentions of this user, each with the space before it. */
export function withoutMentions(text: string, user: string): string {
  return text.replaceAll(new RegExp(` ?<@${user}(\\|[^<>]*)?>`, 'g'), '')
}

async function readToken(token: string, names: Names): Promise<string> {
  const bar = token.indexOf('|')
  const target = bar === -1 ? token : token.slice(0, bar)
  // A private channel comes with an empty label: Slack keeps its name from who is not in it, and so do we.
  const words = bar === -1 ? undefined : asTyped(token.slice(bar + 1)) || undefined
  const id = target.slice(1)
  if (target.startsWith('@')) return `@${words ?? (await names.user(id))}`
  if (target.startsWith('#')) {
    const name = words ?? (await names.channel(id))
    return name === undefined ? texts.privateChannel : `#${name}`
  }
  if (target.startsWith('!date^')) return words ?? ''
  if (target.startsWith('!subteam^')) return words ?? texts.group
  if (target.startsWith('!')) return `@${id}`
  const address = asTyped(target).replace(/^mailto:/, '')
  return words === undefined || words === address ? address : `${words} (${address})`
}

/** The three characters that Slack escapes in whatever people write, as they were typed; its tokens stay. */
export function asTyped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
