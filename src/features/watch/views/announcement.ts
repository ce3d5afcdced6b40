import type {Button, KnownBlock, ModalView} from '@slack/types'
import {
  type DrawRules,
  type DrawnMessage,
  button,
  context,
  openButtons,
  section,
  toQuote,
} from '../../../slack/draw/blocks.ts'
import {titleOf} from '../../../slack/draw/head.ts'
import {questionText} from '../../../slack/draw/notification.ts'
import {ACTIONS, FORMS} from '../../../slack/ids.ts'
import {MAX_NAME, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn, plainMrkdwn} from '../../../slack/markup/markup.ts'
import type {Announcement} from '../../../store/tables/channels/announcement.ts'
import {stateText, texts} from '../../../slack/texts.ts'
import {watchTexts} from '../texts.ts'
import {z} from 'zod'
import {field, modal} from '../../../slack/draw/form.ts'

/** Of what somebody answered. */
const MAX_ANSWER = 300
/** Of what is quoted, where it is read out or shown by a phone. */
const MAX_READ = 600

/** A state of a thread that a channel hears of. Pure: the same announcement draws the same message. */
export function drawAnnouncement(announcement: Announcement, rules: DrawRules): DrawnMessage {
  const {words, status = ''} = announcement
  const title = titleOf(announcement)
  const ending = endingOf(announcement, rules)
  const headline =
    ending === undefined ? headlineOf(status, title) : watchTexts.ended(title, ending)
  const {author, said, answer} = words
  const whose =
    author === undefined ? [] : [escapeMrkdwn(watchTexts.whose(oneLine(author, MAX_NAME)))]
  // What was asked is over with its state.
  const asked = ending === undefined ? questionText({question: said ?? ''}) : ''
  const answered = plainMrkdwn(oneLine(answer ?? '', MAX_ANSWER))
  const quotes = [asked, answered].filter((words) => words.trim() !== '')
  const blocks: KnownBlock[] = [
    section(headline),
    ...whose.map((line) => context(line)),
    ...quotes.map((words) => section(toQuote(words))),
    ...buttonsOf(announcement, rules),
  ]
  const read = [headline, ...whose, ...quotes.map((words) => oneLine(words, MAX_READ))]
  return {text: read.join('\n'), blocks}
}

function headlineOf(status: string, title: string): string {
  switch (status) {
    case 'pending_user':
      return watchTexts.needs(title)
    case 'ready_for_review':
      return watchTexts.ready(title)
    default:
      return watchTexts.failed(title)
  }
}

/** What has become of it, in words that stay true; `undefined` for as long as it is so. */
function endingOf({status, endedBy}: Announcement, {nameOf}: DrawRules): string | undefined {
  if (endedBy === undefined) return undefined
  if (isPerson(endedBy)) {
    return watchTexts.answeredBy(escapeMrkdwn(oneLine(nameOf(endedBy), MAX_NAME)))
  }
  switch (endedBy) {
    case 'answered':
      return status === 'pending_user' ? watchTexts.answered : watchTexts.wentOn
    case 'done':
    case 'archived':
      return stateText(endedBy)
    case 'stopped':
      return texts.card.stopped
    case 'over':
    case 'hushed':
    case 'unwatched':
      return watchTexts[endedBy]
    default:
      throw new Error(`Unknown ending: ${String(endedBy satisfies never)}`)
  }
}

export function isPerson(endedBy: Announcement['endedBy']): endedBy is `U${string}` | `W${string}` {
  return endedBy !== undefined && /^[UW]/.test(endedBy)
}

function buttonsOf({id, status, threadId, endedBy}: Announcement, rules: DrawRules): KnownBlock[] {
  if (endedBy !== undefined) return []
  const {answer, reply, followHere, notThisOne} = watchTexts
  const isQuestion = status === 'pending_user'
  const elements: Button[] = [
    isQuestion
      ? button(ACTIONS.answerWatched, answer, id, {style: 'primary'})
      : button(ACTIONS.answerWatched, reply, id),
    button(ACTIONS.followHere, followHere, id),
    ...openButtons(threadId, id, rules),
    button(ACTIONS.notThisOne, notThisOne, id),
  ]
  return [{type: 'actions', elements}]
}

/** Action and block of what is written. */
export const ANSWER_WATCHED_INPUT = 'text'
/** A section takes 3,000 characters. */
const MAX_QUESTION = 2000
/** Slack takes no more in one field. */
const MAX_TYPED = 3000

/** What the agent asked, and room for an answer. */
export function answerForm(told: Announcement): ModalView {
  const {id, channel, words} = told
  const {title, label, send, cancel, nothingSaid} = watchTexts.form
  const said = questionText({question: words.said ?? nothingSaid}, MAX_QUESTION)
  // Answered in the channel: below a message without replies Slack shows no whisper.
  const metadata = {channel, announcement: id}
  return modal(FORMS.answerWatched, metadata, {title, submit: send, close: cancel}, [
    section(`*${titleOf(told)}*\n${toQuote(said)}`),
    field(ANSWER_WATCHED_INPUT, label, {multiline: true, max: MAX_TYPED}),
  ])
}

const metadataSchema = z.object({announcement: z.string()})

/** What was entered, and for what; nothing of it is trusted. */
export function readAnswerForm(
  metadata: unknown,
  values: ReadonlyMap<string, string>,
): {id: string | undefined; text: string} {
  const {data} = metadataSchema.safeParse(metadata)
  return {id: data?.announcement, text: (values.get(ANSWER_WATCHED_INPUT) ?? '').trim()}
}
