import type {Need} from '../../agents/sends/pull-requests/standing.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import {fixTexts} from './texts.ts'

const {message} = fixTexts
const MOST_LINES = 20
const MAX_NAME = 120
const SHORT_COMMIT = 7

/** What the agent is told: names and links, one a line, since they come from outside and must not speak for us. */
export function fixWords(address: string, {kind, key, about}: Need): string {
  const lines = about
    .slice(0, MOST_LINES)
    .map(({name, url}) =>
      message.line(oneLine(name, MAX_NAME).replaceAll(/[“”]/g, '"'), oneLine(url, Infinity)),
    )
  const rest = about.length - lines.length
  const all = rest > 0 ? [...lines, message.more(rest)] : lines
  switch (kind) {
    case 'checks':
      return message.checks(address, commitOf(key), all)
    case 'conflicts':
      return message.conflicts(address)
    case 'changes':
      return message.changes(address, all)
    default:
      throw new Error(`Unknown need: ${String(kind satisfies never)}`)
  }
}

function commitOf(key: string): string {
  return key.slice(key.indexOf(':') + 1).slice(0, SHORT_COMMIT)
}
