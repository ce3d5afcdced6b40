import type {Button, KnownBlock, StaticSelect} from '@slack/types'
import type {PingContent} from '../../relay/post.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, oneLine, shorten} from '../markup/lines.ts'
import {escapeMrkdwn, plainMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawRules, button, context, openButtons, plain, section} from './blocks.ts'
import type {DrawnMessage} from './message.ts'
import {pullRequestFact} from './pull-request.ts'

const MAX_QUESTION = 300
const {calls} = texts

/** What a choice of the snooze menu stands for. */
export const SNOOZES = {
  '1h': calls.snooze.hour,
  '4h': calls.snooze.fourHours,
  tomorrow: calls.snooze.tomorrow,
  silence: calls.snooze.silence,
} as const

/**
 * A call is the one message with a mention in it: the token is made here, of an id, and whatever the agent said beside it
 * is plain text.
 */
export function drawPing(ping: PingContent, rules: DrawRules): DrawnMessage {
  const {why, state} = ping
  if (state !== 'open') return drawOver(ping, rules)
  const who = ping.person === NOBODY ? texts.quote.somebody : `<@${ping.person}>`
  const open = openButtons(ping.threadId, ping.pingId, rules)
  const again = button(ACTIONS.tryAgain, calls.tryAgain, `${ping.linkId}.${ping.pingId}`)
  const facts = pullRequestFact(ping.words.pullRequest)
  switch (why) {
    case 'needs-you': {
      const line = ping.reminder === 0 ? calls.needsYou(who) : calls.stillNeedsYou(who)
      return drawn([line], ping, [answerButton(ping.pingId), ...open, snoozeMenu(ping.pingId)])
    }
    case 'review':
      return drawn([calls.review(who), ...facts], ping, open)
    case 'failed':
      return drawn([calls.failed(who), ...facts], ping, [again, ...open])
    case 'done':
      return drawn([calls.done(who, calls.duration(ping.words.ranMs ?? 0)), ...facts], ping, [])
    default:
      throw new Error(`Unknown call: ${String(why satisfies never)}`)
  }
}

export function answerButton(pingId: string): Button {
  return button(ACTIONS.answer, calls.answer, pingId, {style: 'primary'})
}

/** The question as it is shown: without marks, its end if it is long. */
export function questionText({question}: PingContent['words'], maxLength = MAX_QUESTION): string {
  const words = plainMrkdwn(question ?? '')
  return words.length <= maxLength ? words : lastWords(question ?? '', maxLength)
}

function lastWords(question: string, maxLength: number): string {
  const segments = [...new Intl.Segmenter().segment(question)].map(({segment}) => segment)
  let length = 0
  let from = segments.length
  while (from > 0) {
    const cost = plainMrkdwn(segments[from - 1] ?? '').length
    if (length + cost > maxLength - 1) break
    length += cost
    from -= 1
  }
  return plainMrkdwn(`…${segments.slice(from).join('')}`)
}

function drawn(
  facts: readonly string[],
  {words}: PingContent,
  elements: (Button | StaticSelect)[],
): DrawnMessage {
  const line = facts.join(' · ')
  const question = questionText(words)
  const quoted = question.split('\n').map((it) => `> ${it}`)
  const blocks: KnownBlock[] = [section([line, ...(question === '' ? [] : quoted)].join('\n'))]
  if (elements.length > 0) blocks.push({type: 'actions', elements})
  const text = [line.replaceAll('*', ''), oneLine(question, 2 * MAX_QUESTION)].join(' ').trim()
  return {text, blocks}
}

function drawOver({why, state, endedBy, words}: PingContent, {nameOf}: DrawRules): DrawnMessage {
  const says = (): string => {
    if (why !== 'needs-you') return state === 'over' ? calls.failedOnly : calls.wentOn
    if (state === 'over') return calls.over
    if (endedBy === undefined) return calls.answered
    return calls.answeredBy(escapeMrkdwn(oneLine(nameOf(endedBy), MAX_NAME)))
  }
  const question = questionText(words)
  const quoted = question === '' ? [] : question.split('\n').map((it) => `> ${it}`)
  const answers = (words.answers ?? []).slice(0, MAX_ANSWERS).map(({by, text}) => {
    const name = escapeMrkdwn(oneLine(nameOf(by), MAX_NAME))
    return context(`*${name}:* ${escapeMrkdwn(shorten(text, MAX_ANSWER))}`)
  })
  return {text: says(), blocks: [section([says(), ...quoted].join('\n')), ...answers]}
}

/** Answers from the form, which stand nowhere else. */
const MAX_ANSWERS = 5
const MAX_ANSWER = 500

function snoozeMenu(pingId: string): StaticSelect {
  return {
    type: 'static_select',
    action_id: ACTIONS.snooze,
    placeholder: plain(calls.snooze.label),
    options: Object.entries(SNOOZES).map(([choice, label]) => ({
      text: plain(shorten(label, 75)),
      value: `${pingId}.${choice}`,
    })),
  }
}
