import type {Button, KnownBlock, StaticSelect} from '@slack/types'
import type {NotificationContent} from '../../relay/post.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import {ACTIONS} from '../ids.ts'
import {choiceElements} from './choices.ts'
import {MAX_NAME, oneLine, shorten} from '../markup/lines.ts'
import {toPlain} from '../markup/plain.ts'
import {escapeMrkdwn, plainMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {
  type DrawRules,
  type DrawnMessage,
  MAX_EDITED,
  button,
  context,
  openButtons,
  plain,
  section,
  toFit,
} from './blocks.ts'
import {stateWords} from './pull-request-state.ts'
import {addressName, drawPullRequest, pullRequestButtons, pullRequestFact} from './pull-request.ts'

const MAX_QUESTION = 300
const MAX_REASON = 200
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
 * is plain text. It is one short line, with the cards of the pull requests that came of the run.
 */
export function drawNotification(
  notification: NotificationContent,
  rules: DrawRules,
): DrawnMessage {
  const {state, person, pingId, linkId, threadId} = notification
  if (state !== 'open') return drawOver(notification, rules)
  const who = person === NOBODY ? texts.quote.somebody : `<@${person}>`
  const open = openButtons(threadId, pingId, rules)
  const says = (said: Partial<Said> & {line: string}) => drawn({...BARE, ...said}, notification)
  switch (notification.why) {
    case 'needs-you': {
      if (notification.words.plan === true) return says(planReady(who, notification, open))
      const first = [...offered(notification), answerButton(pingId)]
      const buttons = {first, last: [...open, snoozeMenu(pingId)]}
      const isReminder = notification.reminder > 0
      // Between the question and a reminder stands the call at least.
      const told = questionText(notification.words)
      const asks = isReminder ? notifications.stillAsks(who) : notifications.asks(who)
      const isQuoted = isReminder || notification.words.isQuoted === true
      if (isQuoted && told !== '') return says({line: asks, told, quoted: told, ...buttons})
      const line = isReminder ? notifications.stillAsksYou(who) : notifications.asksYou(who)
      return says({line, phone: told === '' ? line : asks, told, ...buttons})
    }
    case 'review':
      return says({line: notifications.review(who), last: open})
    case 'failed': {
      const again = button(ACTIONS.tryAgain, notifications.tryAgain, `${linkId}.${pingId}`)
      return says({line: failedText(who, notification.words), first: [again], last: open})
    }
    case 'done': {
      const ran = notifications.duration(notification.words.ranMs ?? 0)
      return says({line: notifications.done(who, ran)})
    }
    default:
      throw new Error(`Unknown call: ${String(notification.why satisfies never)}`)
  }
}

/** The plan stands above, however long ago: it is read whole, or not at all. */
function planReady(
  who: string,
  {pingId, reminder}: NotificationContent,
  open: Button[],
): Partial<Said> & {line: string} {
  const {ready, stillReady, goAhead, change, drop} = notifications.plan
  return {
    line: (reminder > 0 ? stillReady : ready)(who),
    first: [
      button(ACTIONS.planGo, goAhead, pingId, {style: 'primary'}),
      button(ACTIONS.planChange, change, pingId),
      button(ACTIONS.planDrop, drop, pingId, {confirm: dropConfirm()}),
    ],
    last: [...open, snoozeMenu(pingId)],
  }
}

function dropConfirm() {
  const {title, text, confirm, deny} = notifications.plan.dropConfirm
  return {title: plain(title), text: plain(text), confirm: plain(confirm), deny: plain(deny)}
}

/** The answers that the agent's own words offer, without their marks. */
function offered({pingId, words: {offers = []}}: NotificationContent): (Button | StaticSelect)[] {
  return choiceElements(ACTIONS.pick, pingId, offers.map(toPlain))
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

/** Why it failed, as far as anybody says: plain words of the platform, or of its agent. */
export function reasonText({reason = {step: ''}}: NotificationContent['words']): string {
  const words = 'said' in reason ? reason.said : reason.step
  return plainMrkdwn(oneLine(words, MAX_REASON)).trim()
}

function failedText(who: string, words: NotificationContent['words']): string {
  const why = reasonText(words)
  if (why === '' || words.reason === undefined) return notifications.failedSilently(who)
  return 'said' in words.reason ? notifications.failed(who, why) : notifications.failedAt(who, why)
}

interface Said {
  line: string
  /** What a phone shows instead of the line: there the message above is not seen. */
  phone?: string
  /** Of the agent's words: what a phone shows of them, and what stands in the message. */
  told: string
  quoted: string
  /** In front of what can be done about a pull request, and behind it. */
  first: (Button | StaticSelect)[]
  last: (Button | StaticSelect)[]
}

const BARE = {told: '', quoted: '', first: [], last: []}

/** A single pull request is a fact of the line itself; several have a line each. */
function drawn(
  {line, phone = line, told, quoted, first, last}: Said,
  {linkId, words, pullRequestStates: states = []}: NotificationContent,
): DrawnMessage {
  const {cards = []} = words
  const [only, ...others] = cards
  const isOne = only !== undefined && others.length === 0
  const state = states[0] ?? undefined
  const fact = isOne
    ? [pullRequestFact(only)[0] ?? addressName(only), ...(state ? stateWords(state) : [])].join(
        ' · ',
      )
    : undefined
  const withFact = (words: string): string => (fact === undefined ? words : `${words} · ${fact}`)
  const quote = quoted === '' ? [] : quoted.split('\n').map((it) => `> ${it}`)
  const elements = [...first, ...(isOne ? pullRequestButtons(linkId, only, state) : []), ...last]
  const listed = (isOne ? [] : cards).map((address, index) =>
    drawPullRequest(linkId, address, states[index] ?? undefined),
  )
  const text = [withFact(phone).replaceAll('*', ''), oneLine(told, 2 * MAX_QUESTION)]
    .join(' ')
    .trim()
  return {
    text: toFit([text, ...listed.map((card) => card.text)].join('\n'), MAX_EDITED),
    blocks: [
      section([withFact(line), ...quote].join('\n')),
      ...(elements.length === 0 ? [] : [{type: 'actions' as const, elements}]),
      ...listed.flatMap(({blocks}): KnownBlock[] => blocks),
    ],
  }
}

function drawOver(notification: NotificationContent, {nameOf}: DrawRules): DrawnMessage {
  const {words} = notification
  const toName = (id: string): string => escapeMrkdwn(oneLine(nameOf(id), MAX_NAME))
  const line = overText(notification, toName)
  const answers = (words.answers ?? []).slice(0, MAX_ANSWERS).map(({by, text}) => {
    return context(`*${toName(by)}:* ${escapeMrkdwn(shorten(text, MAX_ANSWER))}`)
  })
  const {text, blocks} = drawn({...BARE, line}, notification)
  return {text, blocks: [...blocks, ...answers]}
}

/** What was said in the past tense: whatever becomes of the work later, it stays true. */
function overText(
  {why, state, endedBy, words}: NotificationContent,
  toName: (id: string) => string,
): string {
  const by = state === 'answered' && endedBy !== undefined ? toName(endedBy) : undefined
  switch (why) {
    case 'failed':
      if (by !== undefined) return notifications.wentOnBy(by)
      return state === 'over' ? notifications.failedOnly : notifications.wentOn
    case 'review':
      return by === undefined ? notifications.reviewOver : notifications.answeredBy(by)
    case 'needs-you':
    case 'done':
      // Whoever dropped it has put the work away with it.
      if (state === 'over' && words.plan === true && words.answers?.[0] !== undefined) {
        return notifications.answeredBy(toName(words.answers[0].by))
      }
      if (state === 'over') return notifications.over
      return by === undefined ? notifications.answered : notifications.answeredBy(by)
    default:
      throw new Error(`Unknown call: ${String(why satisfies never)}`)
  }
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
