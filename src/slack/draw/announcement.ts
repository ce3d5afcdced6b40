import type {Button, KnownBlock} from '@slack/types'
import type {Announcement, AnnouncementWords} from '../../store/announcements.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, code, inBold, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn, plainMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {type DrawRules, button, context, openButtons, section} from './blocks.ts'
import type {DrawnMessage} from './message.ts'
import {questionText} from './ping.ts'
import {nameOf} from './pull-request.ts'

const MAX_TITLE = 140
const MAX_COMMIT = 40
/** Of what somebody answered. */
const MAX_ANSWER = 300

/** People who are named in it, so that their names can be looked up before it is drawn. */
export function peopleInAnnouncement({words, endedBy}: Announcement): string[] {
  return [words.askedBy, isPerson(endedBy) ? endedBy : undefined].filter((id) => id !== undefined)
}

/** Pure: the same announcement draws the same message. */
export function drawAnnouncement(announcement: Announcement, rules: DrawRules): DrawnMessage {
  const {words, status} = announcement
  const title = titleOf(announcement)
  if (status === undefined) {
    const name = escapeMrkdwn(oneLine(rules.nameOf(words.askedBy ?? ''), MAX_NAME))
    const {elsewhere} = texts.commands.follow
    const isOver = announcement.endedBy !== undefined
    const text = isOver ? elsewhere(title) : headOf(words, title, name)
    return {text, blocks: [section(text)]}
  }
  const headline = [headlineOf(status, title), ...endingOf(announcement, rules)].join(' · ')
  const {author, said, answer} = words
  const blocks: KnownBlock[] = [
    section(headline),
    ...(author === undefined
      ? []
      : [context(escapeMrkdwn(texts.watch.whose(oneLine(author, MAX_NAME))))]),
    ...quote(questionText({question: said ?? ''})),
    ...quote(plainMrkdwn(oneLine(answer ?? '', MAX_ANSWER))),
    ...buttonsOf(announcement, rules),
  ]
  return {text: headline, blocks}
}

function headOf(words: AnnouncementWords, title: string, name: string): string {
  const {isTask, isCaptain, review} = words
  const {head, readOnlyHead} = texts.commands.follow
  if (isCaptain === true) return texts.captains.head(title, name)
  if (review === undefined) return (isTask === true ? readOnlyHead : head)(title, name)
  const {repo, number, address, headSha, isOver} = review
  const at = headSha === undefined ? '' : texts.reviews.at(code(shortCommit(headSha)))
  const said = isOver === true ? texts.reviews.overHead : texts.reviews.head
  return said(nameOf({repo, number, address}), at, name)
}

/** As people name commits. */
function shortCommit(sha: string): string {
  return oneLine(/^[\da-f]{8,64}$/i.test(sha) ? sha.slice(0, 7) : sha, MAX_COMMIT)
}

export function titleOf({words}: Announcement): string {
  return inBold(words.title ?? texts.card.untitled, MAX_TITLE)
}

function headlineOf(status: string, title: string): string {
  switch (status) {
    case 'pending_user':
      return texts.watch.needs(title)
    case 'ready_for_review':
      return texts.watch.ready(title)
    default:
      return texts.watch.failed(title)
  }
}

function endingOf({status, endedBy}: Announcement, {nameOf}: DrawRules): string[] {
  if (endedBy === undefined) return []
  if (endedBy === 'hushed') return [texts.watch.hushed]
  if (endedBy === 'unwatched') return [texts.watch.unwatched]
  if (isPerson(endedBy)) {
    return [texts.watch.answeredBy(escapeMrkdwn(oneLine(nameOf(endedBy), MAX_NAME)))]
  }
  const isAnswer = endedBy === 'answered' && status === 'pending_user'
  return [isAnswer ? texts.watch.answered : texts.watch.over]
}

function isPerson(endedBy: Announcement['endedBy']): endedBy is `U${string}` | `W${string}` {
  return endedBy !== undefined && /^[UW]/.test(endedBy)
}

function quote(words: string): KnownBlock[] {
  return words.trim() === '' ? [] : [section(toQuote(words))]
}

/** Words that are drawn already, as somebody else's. */
export function toQuote(words: string): string {
  return words
    .split('\n')
    .map((line) => `>${line}`)
    .join('\n')
}

function buttonsOf({id, status, threadId, endedBy}: Announcement, rules: DrawRules): KnownBlock[] {
  if (endedBy !== undefined) return []
  const {answer, reply, followHere, notThisOne} = texts.watch
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
