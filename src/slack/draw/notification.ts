import type {Button, KnownBlock, StaticSelect} from '@slack/types'
import type {NotificationContent} from '../../relay/post.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, oneLine, shorten} from '../markup/lines.ts'
import {escapeMrkdwn, plainMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {
  type DrawRules,
  type DrawnMessage,
  button,
  context,
  openButtons,
  plain,
  section,
} from './blocks.ts'
import {pullRequestFact} from './pull-request.ts'

const MAX_QUESTION = 300
const {notifications} = texts

/** What a choice of the snooze menu stands for. */
export const SNOOZES = {
  '1h': notifications.snooze.hour,
  '4h': notifications.snooze.fourHours,
  tomorrow: notifications.snooze.tomorrow,
  silence: notifications.snooze.silence,
} as const

/**
 * A call is the one message with a mention in it: the token is made here, of an id, and whatever the agent said beside it
 * is plain text.
 */
export function drawNotification(
  notification: NotificationContent,
  rules: DrawRules,
): DrawnMessage {
  const {why, state} = notification
  if (state !== 'open') return drawOver(notification, rules)
  const who = notification.person === NOBODY ? texts.quote.somebody : `<@${notification.person}>`
  const open = openButtons(notification.threadId, notification.pingId, rules)
  const again = button(
    ACTIONS.tryAgain,
    notifications.tryAgain,
    `${notification.linkId}.${notification.pingId}`,
  )
  const facts = pullRequestFact(notification.words.pullRequest)
  switch (why) {
    case 'needs-you': {
      const line =
        notification.reminder === 0 ? notifications.needsYou(who) : notifications.stillNeedsYou(who)
      return drawn([line], notification, [
        answerButton(notification.pingId),
        ...open,
        snoozeMenu(notification.pingId),
      ])
    }
    case 'review':
      return drawn([notifications.review(who), ...facts], notification, open)
    case 'failed':
      return drawn([notifications.failed(who), ...facts], notification, [again, ...open])
    case 'done':
      return drawn(
        [notifications.done(who, notifications.duration(notification.words.ranMs ?? 0)), ...facts],
        notification,
        [],
      )
    default:
      throw new Error(`Unknown call: ${String(why satisfies never)}`)
  }
}

export function answerButton(notificationId: string): Button {
  return button(ACTIONS.answer, notifications.answer, notificationId, {style: 'primary'})
}

/** The question as it is shown: without marks, its end if it is long. */
export function questionText(
  {question}: NotificationContent['words'],
  maxLength = MAX_QUESTION,
): string {
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
  {words}: NotificationContent,
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

function drawOver(
  {why, state, endedBy, words}: NotificationContent,
  {nameOf}: DrawRules,
): DrawnMessage {
  const says = (): string => {
    if (why !== 'needs-you')
      return state === 'over' ? notifications.failedOnly : notifications.wentOn
    if (state === 'over') return notifications.over
    if (endedBy === undefined) return notifications.answered
    return notifications.answeredBy(escapeMrkdwn(oneLine(nameOf(endedBy), MAX_NAME)))
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

function snoozeMenu(notificationId: string): StaticSelect {
  return {
    type: 'static_select',
    action_id: ACTIONS.snooze,
    placeholder: plain(notifications.snooze.label),
    options: Object.entries(SNOOZES).map(([choice, label]) => ({
      text: plain(shorten(label, 75)),
      value: `${notificationId}.${choice}`,
    })),
  }
}
