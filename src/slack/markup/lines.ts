import {texts} from '../texts.ts'
import {escapeMrkdwn} from './markup.ts'

/** Enough for all names that mean well. */
export const MAX_NAME = 80
/** Of what the platform says for people. */
const MAX_REASON = 300

/** Why the platform refuses something, as it says it; how it is written is not documented, and `is_draft` reads badly. */
export function reasonLine(reason: string | undefined): string {
  const line = oneLine(reason ?? '', MAX_REASON).trim()
  return escapeMrkdwn(/^\w+$/.test(line) ? line.replaceAll('_', ' ') : line)
}

/** Somebody's name, which calls nobody. */
export function nameLine(name: string): string {
  return escapeMrkdwn(oneLine(name, MAX_NAME))
}

/** Slack shows it in each reader's own time zone; the words behind the bar are for old clients. */
export function time(ms: number): string {
  const clock = new Date(ms).toISOString().slice(11, 16)
  return `<!date^${Math.floor(ms / 1000)}^{time}|${clock} UTC>`
}

/** The same with its day, for what may be long ago. */
export function moment(ms: number): string {
  const words = new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
  return `<!date^${Math.floor(ms / 1000)}^{date_short_pretty} {time}|${words} UTC>`
}

/** Who changed something; `undefined`: nobody in Slack, as a tool, or somebody who was forgotten. */
export function whoChanged(id: string | undefined): string | undefined {
  return id !== undefined && isSlackUser(id) ? `<@${id}>` : undefined
}

export function isSlackUser(id: string): boolean {
  return /^[UW]/.test(id)
}

/** What a clock shows so many minutes after midnight. */
export function clock(minute: number): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}

export function code(text: string): string {
  return `\`${escapeMrkdwn(text.replaceAll('`', 'ˋ'))}\``
}

/** One credit is a thousandth of a dollar. What is no number reads as what it means. */
export function dollars(credits: number): string {
  if (Number.isNaN(credits)) return texts.card.costUnknown
  if (!Number.isFinite(credits)) return texts.card.costUnlimited
  // As a card counts them: half a cent is one.
  return `$${(Math.round(credits / 10) / 100).toFixed(2)}`
}

/** Words from outside that stand beside ours: they make no lines of their own, and turn nothing around. */
export function oneLine(text: string, maxLength: number): string {
  const straight = text.replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
  return shorten(straight.replaceAll(/[\s\p{Cc}]+/gu, ' '), maxLength)
}

/** The same between stars of ours, which it must not end; escaped. */
export function inBold(text: string, maxLength: number): string {
  return escapeMrkdwn(oneLine(text, maxLength).replaceAll('*', '∗'))
}

/** Cuts between visible characters. */
export function shorten(text: string, maxLength: number, costOf = lengthOf): string {
  if (costOf(text) <= maxLength) return text
  let short = ''
  let cost = 0
  for (const {segment} of new Intl.Segmenter().segment(text)) {
    cost += costOf(segment)
    if (cost >= maxLength) break
    short += segment
  }
  return `${short}…`
}

function lengthOf({length}: string): number {
  return length
}
