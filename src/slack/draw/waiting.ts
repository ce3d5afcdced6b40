import type {Button, KnownBlock} from '@slack/types'
import type {WaitingContent} from '../../relay/post.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawRules, type DrawnMessage, button, context, section} from './blocks.ts'

const MAX_WORDS = 200
/** All rows together, as notifications and screen readers have them; with room for escapes. */
const MAX_TEXT = 3500

/** What the agent has not got yet, each with its buttons. */
export function drawWaiting({kind, rows, more}: WaitingContent, {nameOf}: DrawRules): DrawnMessage {
  const {row} = texts.talk.waiting
  const {headline} = kind === 'waiting' ? texts.talk.waiting : texts.talk.held
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
        {type: 'actions', elements: buttonsOf(kind, sendId)},
      ]),
      ...rest.map(context),
    ],
  }
}

function buttonsOf(kind: WaitingContent['kind'], sendId: string): Button[] {
  const {waiting, held, archived} = texts.talk
  if (kind === 'waiting') {
    return [
      button(ACTIONS.sendNow, waiting.sendNow, sendId),
      button(ACTIONS.cancel, waiting.cancel, sendId),
    ]
  }
  const send = kind === 'held' ? held.send : archived.unarchiveAndSend
  return [button(ACTIONS.sendHeld, send, sendId), button(ACTIONS.discard, held.discard, sendId)]
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
