import type {KnownBlock} from '@slack/types'
import type {WaitingContent} from '../../relay/post.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawRules, button, context, section} from './blocks.ts'
import type {DrawnMessage} from './message.ts'

const MAX_WORDS = 200
/** All rows together, as notifications and screen readers have them; with room for escapes. */
const MAX_TEXT = 3500

/** What the agent has not got yet, each with its buttons. */
export function drawWaiting({rows, more}: WaitingContent, {nameOf}: DrawRules): DrawnMessage {
  const {headline, row, sendNow, cancel} = texts.talk.waiting
  const lines = rows.map(({sender, words}) =>
    escapeMrkdwn(row(oneLine(words, MAX_WORDS), oneLine(nameOf(sender), MAX_NAME))),
  )
  const rest = more === 0 ? [] : [texts.talk.waiting.more(more)]
  return {
    text: fitting([headline, ...lines, ...rest]),
    blocks: [
      section(headline),
      ...rows.flatMap(({sendId}, index): KnownBlock[] => [
        section(lines[index] ?? ''),
        {
          type: 'actions',
          elements: [
            button(ACTIONS.sendNow, sendNow, sendId),
            button(ACTIONS.cancel, cancel, sendId),
          ],
        },
      ]),
      ...rest.map(context),
    ],
  }
}

/** As many whole lines as fit. */
function fitting(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    const longer = text === '' ? line : `${text}\n${line}`
    if (longer.length > MAX_TEXT) return `${text}\n…`
    text = longer
  }
  return text
}
