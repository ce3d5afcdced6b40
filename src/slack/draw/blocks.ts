import type {Button, KnownBlock} from '@slack/types'
import type {Link} from '../../store/tables/work/link.ts'
import {ACTIONS} from '../ids.ts'
import {texts} from '../texts.ts'

/** What one person is told. */
export interface Message {
  text: string
  blocks?: KnownBlock[]
  /** In place of blocks that not every Slack takes. */
  plain?: KnownBlock[]
}

/** A message as `chat.postMessage` and `chat.update` take it. */
export interface DrawnMessage extends Message {
  /** What notifications and screen readers say; also what shows when there are no blocks. */
  text: string
  blocks: KnownBlock[]
}

export interface DrawRules {
  /** A person's name by Slack user id. */
  nameOf: (userId: string) => string
  /** Holds `{threadId}`; no [Open] without it. */
  webUrl: string | undefined
}

const MAX_URL = 3000

export function button(
  actionId: string,
  label: string,
  value: string,
  more: Pick<Button, 'style' | 'url' | 'confirm'> = {},
): Button {
  return {type: 'button', action_id: actionId, text: plain(label), value, ...more}
}

export function plain(text: string): {type: 'plain_text'; text: string; emoji: true} {
  return {type: 'plain_text', text, emoji: true}
}

export function section(text: string): KnownBlock {
  return {type: 'section', text: {type: 'mrkdwn', text: toFit(text)}}
}

export function context(text: string): KnownBlock {
  return {type: 'context', elements: [{type: 'mrkdwn', text: toFit(text)}]}
}

/** Slack refuses a whole message for one text that is longer, and for more than 13,000 characters in all. */
const MAX_TEXT = 3000

/** … and `chat.update` for a text that is longer, beside blocks, too. */
export const MAX_EDITED = 4000

export function toFit(text: string, most = MAX_TEXT): string {
  return text.length <= most ? text : `${beginningOf(text, most - 1)}…`
}

/** Not cut in the middle of a link or of an escaped character. */
function beginningOf(text: string, most: number): string {
  const cut = text.slice(0, most)
  return cut.replace(/(?:<[^<>]*|&[^;&]{0,4}|[\ud800-\udbff])$/, '') || cut
}

/** Lines below each other, in as many sections as they take. */
export function inSections(lines: readonly string[]): KnownBlock[] {
  const texts: string[] = []
  for (const line of lines) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + line.length < MAX_TEXT) {
      texts[texts.length - 1] = `${last}\n${line}`
      continue
    }
    let rest = line
    for (; rest.length > MAX_TEXT; rest = rest.slice(texts.at(-1)?.length)) {
      texts.push(beginningOf(rest, MAX_TEXT))
    }
    if (rest !== '') texts.push(rest)
  }
  return texts.map(section)
}

/** [Open], where there is an address to open. */
export function openButtons(
  threadId: string | undefined,
  value: string,
  {webUrl}: DrawRules,
): Button[] {
  const url =
    threadId === undefined
      ? ''
      : (webUrl?.replaceAll('{threadId}', encodeURIComponent(threadId)) ?? '')
  if (url === '' || url.length > MAX_URL) return []
  return [button(ACTIONS.open, texts.card.open, value, {url})]
}

/** Of a modal about one piece of work: where it was opened, and of what; looked up again when it is pressed. */
export function toMetadata({id, place: {channel, slackThread}}: Link): object {
  return {link: id, channel, slackThread}
}

/** Words that are drawn already, as somebody else's. */
export function toQuote(words: string): string {
  return words
    .split('\n')
    .map((line) => `>${line}`)
    .join('\n')
}
