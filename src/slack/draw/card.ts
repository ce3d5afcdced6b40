import {createHash} from 'node:crypto'
import type {Button, Overflow, StaticSelect} from '@slack/types'
import {isWorking} from '../../platform/model.ts'
import type {CardContent} from '../../relay/post.ts'
import type {CardNotice} from '../../store/tables/work/link.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import {BUDGET} from '../../agents/budgets/budgets.ts'
import {ACTIONS} from '../ids.ts'
import {MAX_NAME, code, dollars, inBold, nameLine, oneLine, time} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {budgetTexts} from '../texts/budgets.ts'
import {endedText, isStopped, cardNoticeText, stateText, texts} from '../texts.ts'
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
import {pullRequestFact} from './pull-request.ts'
import {candidateButtons, rejectedText} from './rejected-model.ts'

const MAX_TITLE = 140
const MAX_TOOL = 200
/** Of the platform's words for a status, and of reasons: enough for all that mean well. */
const MAX_STATUS = 60
const MAX_NOTICE = 400
/** Of one line, which may name many files. */
const MAX_NOTES = 400

/** What stands in the blocks is said in the text as well: a screen reader and a phone know of nothing else. */
export function drawCard(card: CardContent, rules: DrawRules): DrawnMessage {
  const title = inBold(card.title ?? texts.card.untitled, MAX_TITLE)
  const headline = [`*${title}*`, ...stateWords(card, rules)].join(' · ')
  const {notice, tool, room} = card
  const known = [
    ...facts(card, rules).map(escapeMrkdwn),
    ...pullRequestFact(card.pullRequest, card.pullRequestState),
  ].join(' · ')
  const started = [
    ...(room === undefined ? [] : [texts.card.goesOn(`<#${room}>`)]),
    ...notesLines(card),
  ]
  const told = notice === undefined ? [] : [noticeText(notice)]
  const buttons = cardButtons(card, rules)
  return {
    text: toFit([headline, ...told, known, ...started].join('\n'), MAX_EDITED),
    blocks: [
      section(headline),
      context(known),
      ...started.map((lines) => context(lines)),
      ...told.map((words) => section(words)),
      ...(tool === undefined ? [] : [context(code(oneLine(tool, MAX_TOOL)))]),
      ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
    ],
  }
}

function noticeText(notice: CardNotice): string {
  const {rejected, detail} = notice
  if (rejected !== undefined) return `⚠️ ${rejectedText(rejected, detail ?? rejected.modelId)}`
  return escapeMrkdwn(oneLine(cardNoticeText(notice), MAX_NOTICE))
}

function stateWords(
  {state, status, sinceMs, stoppedBy, isStopping, notice}: CardContent,
  {nameOf}: DrawRules,
): string[] {
  const stopped =
    stoppedBy === undefined
      ? []
      : [
          texts.card.stoppedBy(
            stoppedBy === BUDGET ? budgetTexts.stopper : nameLine(nameOf(stoppedBy)),
          ),
        ]
  if (state === 'starting') return [texts.card.starting]
  if (state === 'ended') return stopped.length > 0 ? stopped : [endedText({status, notice})]
  if (status === undefined) return []
  if (isStopped({status, stoppedBy})) return stopped
  const words = escapeMrkdwn(oneLine(stateText(status), MAX_STATUS))
  const said = isWorking(status) ? `${words} ${texts.card.since(time(sinceMs))}` : words
  return [said, ...(isStopping ? [texts.card.stopping] : stopped)]
}

function facts(card: CardContent, {nameOf}: DrawRules): string[] {
  const {project, model, steps, earlier} = card
  return [
    ...(project === '' ? [] : [oneLine(project, MAX_NAME)]),
    ...(model === undefined ? [] : [oneLine(model, MAX_NAME)]),
    ...whoAsked(card, nameOf),
    ...(earlier === undefined ? [] : [texts.card.earlier(earlier)]),
    ...(steps === 0 ? [] : [texts.card.steps(steps)]),
    ...costFacts(card),
    ...(card.isMuted ? [texts.talk.menu.isMuted] : []),
  ]
}

/** By a workflow nobody did; nor by a rule, unless it asked somebody first. */
function whoAsked(
  {startedBy, rule, isWorkflow, isFollowed}: CardContent,
  nameOf: DrawRules['nameOf'],
): string[] {
  const {askedBy, followedBy, byRule, byWorkflow, ofRule} = texts.card
  const name = oneLine(nameOf(startedBy), MAX_NAME)
  if (isFollowed === true) return [followedBy(name)]
  if (isWorkflow === true) return [byWorkflow]
  if (rule === undefined) return [askedBy(name)]
  const called = oneLine(rule, MAX_NAME)
  return startedBy === NOBODY ? [byRule(called)] : [ofRule(called), askedBy(name)]
}

function costFacts({credits = 0, budgetMicros}: CardContent): string[] {
  if (budgetMicros === undefined) return credits === 0 ? [] : [dollars(credits)]
  if (Number.isFinite(credits)) return [budgetTexts.ofWork(dollars(credits), budgetMicros)]
  return [dollars(credits), budgetTexts.besideWork(budgetMicros)]
}

/** How it was started, a line for each. */
function notesLines({notes}: CardContent): string[] {
  const lines = notes === undefined ? [] : texts.talk.notes(notes)
  const drawn = lines.map((line) => escapeMrkdwn(oneLine(line, MAX_NOTES)))
  return drawn.length === 0 ? [] : [drawn.join('\n')]
}

function cardButtons(card: CardContent, rules: DrawRules): (Button | Overflow | StaticSelect)[] {
  const {state, status, threadId} = card
  const isAtWork = state === 'open' && (card.isAtWork ?? isWorking(status))
  const value = `${card.linkId}.${revisionOf(card)}`
  const stop = button(ACTIONS.stop, texts.card.stop, value, {style: 'danger'})
  const open = openButtons(threadId, value, rules)
  // A task ends with its thread, and is driven from there.
  if (card.isTask === true) return open
  switch (state) {
    case 'starting':
      return [stop]
    case 'open':
      return [...(isAtWork ? [stop] : []), ...open, menu(card, value, isAtWork)]
    case 'archived':
      return [
        button(ACTIONS.unarchive, texts.talk.menu.unarchive, value),
        ...open,
        menu(card, value, false),
      ]
    case 'ended':
      return card.canTryAgain === true
        ? [
            ...modelButtons(card, value),
            button(ACTIONS.tryAgain, texts.notifications.tryAgain, value),
            ...open,
          ]
        : open
    default:
      throw new Error(`Unknown state: ${String(state satisfies never)}`)
  }
}

/** What else it can start with. */
function modelButtons({notice}: CardContent, value: string): (Button | StaticSelect)[] {
  const rejected = notice?.rejected
  if (rejected === undefined) return []
  return candidateButtons(ACTIONS.startModel, rejected, (which) => `${value}.${which}`)
}

/** Of the platform's words: an entry of a menu holds 150 characters in all. */
const MAX_STATUS_IN_VALUE = 30

/** Two clicks on one state of the card are one; after it changed, a click is a new one. */
function revisionOf(card: CardContent): string {
  const {state, status = '', sinceMs, turn, isStopping, isMuted, title = ''} = card
  const words = [
    ...[
      state,
      status.replaceAll(/[^\w-]/g, '').slice(0, MAX_STATUS_IN_VALUE),
      sinceMs.toString(36),
      turn.toString(36),
      createHash('sha256').update(title).digest('base64url').slice(0, 6),
    ],
    ...[isStopping ? 'stopping' : '', isMuted ? 'muted' : ''],
  ]
  return words.filter((word) => word !== '').join('-')
}

/** What is needed more rarely; a choice arrives as a press of the action that its value names. */
function menu({state, isMuted}: CardContent, value: string, isAtWork: boolean): Overflow {
  const {menu: labels} = texts.talk
  const item = (action: string, label: string) => ({
    text: plain(label),
    value: `${action} ${value}`,
  })
  const archive = item(isAtWork ? ACTIONS.askArchive : ACTIONS.archive, labels.archive)
  const mute = isMuted ? item(ACTIONS.unmute, labels.unmute) : item(ACTIONS.mute, labels.mute)
  const looking = [item(ACTIONS.tasks, labels.tasks), item(ACTIONS.details, labels.details)]
  // A menu holds five entries: of work that is open the details have this one.
  const file = item(ACTIONS.file, labels.file)
  const options =
    state === 'archived'
      ? [...looking, file]
      : [archive, item(ACTIONS.newTitle, labels.newTitle), ...looking, mute]
  return {type: 'overflow', action_id: ACTIONS.menu, options}
}
