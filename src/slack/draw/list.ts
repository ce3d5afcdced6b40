import type {Button, KnownBlock} from '@slack/types'
import {isWorking} from '../../platform/model.ts'
import type {Link} from '../../store/link.ts'
import type {PageStart} from '../../store/link-lists.ts'
import type {Ping} from '../../store/pings.ts'
import {ACTIONS} from '../ids.ts'
import {escapeMrkdwn} from '../markup.ts'
import type {Message} from '../replies.ts'
import {texts, workText} from '../texts.ts'
import {type DrawRules, button, inBold, moment, oneLine, openButtons, section} from './blocks.ts'
import {answerButton} from './ping.ts'

/** `here`: what runs in a channel. `mine`: what a person asked for. */
export type ListKind = 'here' | 'mine'

/** A link as it stands in a list, with the address of its Slack thread where that is known. */
interface ListRow {
  link: Link
  /** What waits for an answer that can be given here. */
  ping: Ping | undefined
  permalink: string | undefined
}

const MAX_TITLE = 140
const MAX_STATUS = 60
/** What happened at a moment, and does not go on since. */
const OVER: readonly string[] = ['idle', 'done', 'failed', 'error']

/** One page of a list, for one person. */
export function drawList(
  {kind, rows, next}: {kind: ListKind; rows: readonly ListRow[]; next: PageStart | undefined},
  rules: Pick<DrawRules, 'webUrl'>,
): Message {
  const {here, mine, more} = texts.commands.list
  const headline = kind === 'here' ? here : mine
  const lines = rows.map(lineOf)
  const blocks: KnownBlock[] = [
    section(headline),
    ...rows.flatMap((row, index) => [section(lines[index] ?? ''), ...buttonsOf(row, rules)]),
  ]
  if (next !== undefined) {
    blocks.push({type: 'actions', elements: [button(ACTIONS.listMore, more, toValue(kind, next))]})
  }
  return {text: [headline, ...lines].join('\n'), blocks}
}

function lineOf({link, permalink}: ListRow): string {
  const {place, statusSinceMs, state, status = ''} = link
  const title = `*${listTitle(link)}*`
  const isOver = (state !== 'open' && state !== 'starting') || OVER.includes(status)
  const when = isOver ? moment(statusSinceMs) : texts.card.since(moment(statusSinceMs))
  const where =
    permalink === undefined
      ? `<#${place.channel}>`
      : `<${permalink}|${texts.commands.list.toThread}>`
  const said = escapeMrkdwn(oneLine(workText(link), MAX_STATUS))
  return [title, `${said} ${when}`, where].join(' · ')
}

export function listTitle({title}: Link): string {
  return inBold(title ?? texts.card.untitled, MAX_TITLE)
}

function buttonsOf({link, ping}: ListRow, {webUrl}: Pick<DrawRules, 'webUrl'>): KnownBlock[] {
  const {id, state, status, statusSinceMs, taskId, threadId} = link
  const value = `${id}.${statusSinceMs.toString(36)}`
  const isAtWork = state === 'starting' || (state === 'open' && isWorking(status ?? ''))
  const elements: Button[] = [
    ...(ping === undefined ? [] : [answerButton(ping.id)]),
    ...(isAtWork && taskId === undefined
      ? [button(ACTIONS.listStop, texts.card.stop, value, {style: 'danger'})]
      : []),
    ...openButtons(threadId, value, {webUrl, nameOf: (name) => name}),
  ]
  return elements.length === 0 ? [] : [{type: 'actions', elements}]
}

function toValue(kind: ListKind, {madeAtMs, id}: PageStart): string {
  return `${kind}.${madeAtMs}.${id}`
}

/** What [More] bears; `undefined` for anything else. */
export function readListValue(value: string): {kind: ListKind; from: PageStart} | undefined {
  const [, kind, madeAtMs, id] = /^(here|mine)\.(\d{1,15})\.([\w-]+)$/.exec(value) ?? []
  if (madeAtMs === undefined || id === undefined) return undefined
  return {kind: kind === 'here' ? 'here' : 'mine', from: {madeAtMs: Number(madeAtMs), id}}
}
