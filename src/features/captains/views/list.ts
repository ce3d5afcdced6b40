import type {Button, KnownBlock} from '@slack/types'
import type {Captain} from '../roster.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {texts, threadText} from '../../../slack/texts.ts'
import {type Message, button, section} from '../../../slack/draw/blocks.ts'
import {pageButtons} from '../../../slack/draw/list.ts'
import {faceMark} from '../../../slack/draw/persona.ts'
import {captainTexts} from '../texts.ts'

/** A captain in a list. */
export interface CaptainRow {
  captain: Captain
  owner: string | undefined
  /** The address of its Slack thread in this channel. */
  permalink: string | undefined
}

const words = captainTexts.list
const MAX_STATUS = 60
const MAX_VALUE = 2000

/** `page`: the number of this page; `next`: of the one behind it. */
export function drawCaptains(
  headline: string,
  rows: readonly CaptainRow[],
  {page = 0, next, isCut}: {page?: number; next?: number | undefined; isCut?: boolean} = {},
): Message {
  const lines = rows.map(lineOf)
  const end = isCut === true && next === undefined ? [words.cut] : []
  const blocks: KnownBlock[] = [
    section(headline),
    ...rows.flatMap((row, index) => [section(lines[index] ?? ''), ...buttonsOf(row)]),
    ...end.map(section),
  ]
  const turns = pageButtons(ACTIONS.captainMore, {next, first: page > 0 ? 0 : undefined})
  if (turns.length > 0) blocks.push({type: 'actions', elements: turns})
  return {text: [headline, ...lines, ...end].join('\n'), blocks}
}

function lineOf({captain, owner, permalink}: CaptainRow): string {
  const {face, link} = captain
  const where = isHere(captain)
    ? permalink === undefined
      ? texts.commands.follow.thisThread
      : `<${permalink}|${words.toThread}>`
    : words.elsewhere
  return [
    `${escapeMrkdwn(faceMark(face))} *${inBold(face.name, MAX_NAME)}*`,
    stateOf(captain),
    ...(owner === undefined ? [] : [escapeMrkdwn(words.owner(oneLine(owner, MAX_NAME)))]),
    ...(link?.isHome === true ? [words.home] : []),
    where,
  ].join(' · ')
}

function stateOf({state, link}: Captain): string {
  if (state === 'gone') return words.gone
  return escapeMrkdwn(oneLine(threadText(state, link?.stoppedBy), MAX_STATUS))
}

function isHere({link}: Captain): boolean {
  return link !== undefined && link.state !== 'ended'
}

/** What a button bears is the platform's id, and a name to show: whether it is in the channel's reach is asked when it is pressed. */
function buttonsOf({captain}: CaptainRow): KnownBlock[] {
  const {threadId, state, face} = captain
  const value = JSON.stringify({threadId, name: oneLine(face.name, MAX_NAME)})
  if (state === 'gone' || value.length > MAX_VALUE) return []
  const elements: Button[] = [
    button(ACTIONS.captainAsk, words.ask, value),
    ...(isHere(captain) ? [] : [button(ACTIONS.captainBring, words.followHere, value)]),
  ]
  return [{type: 'actions', elements}]
}
