import type {Activity} from '../../relay/activity.ts'
import {oneLine, shorten} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {GERUNDS, activityTexts} from '../texts/activity.ts'
import {ownOf} from '../../security/foreign-json.ts'

/** Slack names no limit; a status line is cut by the window long before. */
const MAX_LINE = 100
const MINUTE_MS = 60_000

/**
 * What Slack shows behind the app's name: "is reading src/cart/total.ts". Made of the platform's own line for a tool call, which may say
 * anything: one line, escaped, at most 100 characters; empty where nothing is being done. Pure.
 */
export function activityLine(activity: Activity | undefined, nowMs: number): string {
  if (activity === undefined) return ''
  if (activity.kind !== 'tool') return activityTexts[activity.kind]
  const minutes = Math.floor((nowMs - activity.sinceMs) / MINUTE_MS)
  const suffix = minutes < 1 ? '' : activityTexts.minutes(minutes)
  const words = oneLine(wordsOf(activity.name, activity.text.trim()), MAX_LINE).trim()
  return `${shortenEscaped(words, MAX_LINE - suffix.length)}${suffix}`
}

function wordsOf(name: string, text: string): string {
  const [, first = '', rest = ''] = /^(\p{L}+)\s+(.*)$/su.exec(text) ?? []
  const verb = first.toLowerCase()
  const said = ownOf(GERUNDS, verb)
  if (said !== undefined) return activityTexts.doing(said, withoutOutcome(rest))
  if (/^\p{Lu}\p{Ll}{2,}ing$/u.test(first)) return activityTexts.doing(verb, withoutOutcome(rest))
  const what = text === name ? '' : withoutOutcome(text)
  const [called = '', ...more] = wordsIn(name)
  const does = ownOf(GERUNDS, called)
  if (does !== undefined) return activityTexts.doing(does, what === '' ? more.join(' ') : what)
  const tool = wordsIn(name).join(' ')
  return tool === '' ? activityTexts.busy(what) : activityTexts.using(tool, what)
}

/** `readFile`, `read_file` and `mcp__files__read` alike. */
function wordsIn(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** The line stands in the transcript, too, where it may tell how it went: `Read a.ts (148 lines)`, `Ran npm test: 41 passed`. */
function withoutOutcome(text: string): string {
  return text.replace(/ \([^()]*\)$/, '').replace(/(?<=\S): \S.*$/s, '')
}

/** Cut by what it takes once it is escaped. */
function shortenEscaped(text: string, most: number): string {
  return escapeMrkdwn(shorten(text, most, (part) => escapeMrkdwn(part).length))
}
