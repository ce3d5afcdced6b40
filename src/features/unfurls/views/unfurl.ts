import {createHash} from 'node:crypto'
import type {Button, KnownBlock} from '@slack/types'
import {type DrawRules, button, context, openButtons, section} from '../../../slack/draw/blocks.ts'
import {addressName, pullRequestButtons, pullRequestFact} from '../../../slack/draw/pull-request.ts'
import {stateWords} from '../../../slack/draw/pull-request-state.ts'
import {canStop, standingLine} from '../../../slack/draw/standing.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {inBold, oneLine, time} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {texts, threadText} from '../../../slack/texts.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import type {Sight} from '../sight.ts'
import {unfurlTexts} from '../texts.ts'

export type UnfurlRules = Pick<DrawRules, 'webUrl'>
type Work = Extract<Sight, {kind: 'work'}>

const MAX_TITLE = 140
const MAX_STATUS = 60
const MARK_LETTERS = 16

/** What stands below the message, for everybody who reads it. */
export function drawUnfurl(
  sight: Sight,
  permalink: string | undefined,
  rules: UnfurlRules,
): KnownBlock[] {
  if (sight.kind === 'pull-request') return drawPullRequest(sight, permalink)
  const {link, thread} = sight
  const facts = [
    ...(permalink === undefined
      ? []
      : [`<${escapeMrkdwn(permalink)}|${texts.commands.list.toThread}>`]),
    ...pullRequestFact(link?.pullRequest),
  ]
  const buttons = [
    ...stopButtons(link),
    ...openButtons(thread.id, valueOf(link), {...NAMELESS, ...rules}),
  ]
  return [
    section(`*${inBold(titleOf(sight), MAX_TITLE)}* · ${statusOf(sight)}`),
    ...(facts.length === 0 ? [] : [context(facts.join(' · '))]),
    ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
  ]
}

/** What stands where something must not be shown any more. */
export function drawWithdrawn(): KnownBlock[] {
  return [context(unfurlTexts.withdrawn)]
}

function drawPullRequest(
  {address, link, state}: Extract<Sight, {kind: 'pull-request'}>,
  permalink: string | undefined,
): KnownBlock[] {
  const words = state === undefined ? [] : stateWords(state)
  const where =
    permalink === undefined ? [] : [`<${escapeMrkdwn(permalink)}|${texts.commands.list.toThread}>`]
  const buttons = offersButtons(link, address) ? pullRequestButtons(link.id, address, state) : []
  return [
    section([texts.pullRequests.card(addressName(address)), ...words, ...where].join(' · ')),
    ...(buttons.length === 0 ? [] : [{type: 'actions' as const, elements: buttons}]),
  ]
}

/** Its card is there, and offers the same. */
export function offersButtons({pullRequests, taskId, state}: Link, address: string): boolean {
  return (
    taskId === undefined && state === 'open' && pullRequests.some((it) => it.address === address)
  )
}

const NAMELESS = {nameOf: (id: string) => id}

export function titleOf({link, thread}: Work): string {
  return link?.title ?? thread.title ?? texts.card.untitled
}

/** As its card says it, where it has one here. */
function statusOf({link, thread, stoppedBy}: Work): string {
  if (link !== undefined) return standingLine(link, time)
  return escapeMrkdwn(oneLine(threadText(thread, stoppedBy), MAX_STATUS))
}

/** What can be stopped is stopped where it stands: elsewhere nobody is offered that. */
export function stopButtons(link: Link | undefined): Button[] {
  if (link === undefined || !canStop(link)) return []
  return [button(ACTIONS.stop, texts.card.stop, valueOf(link), {style: 'danger'})]
}

/** Two presses on one state are one; behind it the work may run again. */
function valueOf(link: Link | undefined): string {
  if (link === undefined) return 'unfurl'
  const {id, state, status, statusSinceMs, turn} = link
  return `${id}.unfurl-${markOf([state, status, statusSinceMs, turn])}`
}

/** Another one for whatever looks otherwise. */
export function markOf(shown: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(shown))
    .digest('base64url')
    .slice(0, MARK_LETTERS)
}
