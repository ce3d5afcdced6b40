import type {Button} from '@slack/types'
import {isWorking} from '../../platform/model.ts'
import type {CardContent} from '../../relay/post.ts'
import {ACTIONS} from '../ids.ts'
import {escapeMrkdwn} from '../markup.ts'
import {noticeText, stateText, texts} from '../texts.ts'
import {
  type DrawRules,
  type DrawnMessage,
  MAX_NAME,
  button,
  code,
  context,
  oneLine,
  openButtons,
  plain,
  section,
  time,
} from './blocks.ts'
import {dollars} from './dollars.ts'

const MAX_TITLE = 140
const MAX_TOOL = 200
/** Of the platform's words for a status, and of reasons: enough for all that mean well. */
const MAX_STATUS = 60
const MAX_NOTICE = 400

export function drawCard(card: CardContent, rules: DrawRules): DrawnMessage {
  const title = oneLine(card.title ?? texts.card.untitled, MAX_TITLE)
  const headline = [`*${escapeMrkdwn(title)}*`, ...stateWords(card, rules)].join(' · ')
  const {notice, tool} = card
  const buttons = cardButtons(card, rules)
  return {
    text: headline,
    blocks: [
      section(headline),
      context(facts(card, rules).map(escapeMrkdwn).join(' · ')),
      ...(notice === undefined
        ? []
        : [section(escapeMrkdwn(oneLine(noticeText(notice), MAX_NOTICE)))]),
      ...(tool === undefined ? [] : [context(code(oneLine(tool, MAX_TOOL)))]),
      ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
    ],
  }
}

function stateWords(
  {state, status, sinceMs, stoppedBy, isStopping}: CardContent,
  {nameOf}: DrawRules,
): string[] {
  const stopped =
    stoppedBy === undefined
      ? []
      : [texts.card.stoppedBy(escapeMrkdwn(oneLine(nameOf(stoppedBy), MAX_NAME)))]
  if (state === 'starting') return [texts.card.starting]
  if (state === 'ended') return status === 'done' ? [stateText(status)] : stopped
  if (status === undefined) return []
  if (status === 'idle' && stopped.length > 0) return stopped
  const words = escapeMrkdwn(oneLine(stateText(status), MAX_STATUS))
  const working = [`${words} since ${time(sinceMs)}`, ...(isStopping ? [texts.card.stopping] : [])]
  return isWorking(status) ? working : [words, ...stopped]
}

function facts(card: CardContent, {nameOf}: DrawRules): string[] {
  const {project, startedBy, steps, credits, earlier} = card
  return [
    oneLine(project, MAX_NAME),
    texts.card.askedBy(oneLine(nameOf(startedBy), MAX_NAME)),
    ...(earlier === undefined ? [] : [texts.card.earlier(earlier)]),
    ...(steps === 0 ? [] : [texts.card.steps(steps)]),
    ...(credits === undefined || credits === 0 ? [] : [dollars(credits)]),
  ]
}

function cardButtons(card: CardContent, rules: DrawRules): Button[] {
  const {state, status, threadId} = card
  const isAtWork = state === 'open' && status !== undefined && isWorking(status)
  const value = `${card.linkId}.${revisionOf(card)}`
  const stop = button(ACTIONS.stop, texts.card.stop, value, {style: 'danger'})
  const open = openButtons(threadId, value, rules)
  // A task ends with its thread, and is driven from there.
  if (card.isTask === true) return open
  switch (state) {
    case 'starting':
      return [stop]
    case 'open':
      return [...(isAtWork ? [stop] : []), ...open, archiveButton(value, isAtWork)]
    case 'archived':
      return [...open, button(ACTIONS.unarchive, texts.card.unarchive, value)]
    case 'ended':
      return open
    default:
      throw new Error(`Unknown state: ${String(state satisfies never)}`)
  }
}

/** Two clicks on one state of the card are one; after it changed, a click is a new one. */
function revisionOf({state, status, sinceMs, isStopping}: CardContent): string {
  const words = [state, status ?? '', sinceMs.toString(36), isStopping ? 'stopping' : '']
  return words
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 200)
}

function archiveButton(value: string, isAtWork: boolean): Button {
  const {title, text, confirm, deny} = texts.card.confirmArchive
  const ask = {title: plain(title), text: plain(text), confirm: plain(confirm), deny: plain(deny)}
  return button(ACTIONS.archive, texts.card.archive, value, isAtWork ? {confirm: ask} : {})
}
