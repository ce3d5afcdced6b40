import type {Button, KnownBlock} from '@slack/types'
import {isWorking} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import type {PageStart} from '../../store/tables/work/link-lists.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import {ACTIONS} from '../ids.ts'
import {inBold, moment, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts, workText} from '../texts.ts'
import {type DrawRules, type Message, button, context, openButtons, section} from './blocks.ts'
import {answerButton} from './notification.ts'

/** `here`: what runs in a channel. `mine`: what a person asked for. `tasks`: the tasks of what runs in a channel. */
export type ListKind = 'here' | 'mine' | 'tasks'

/** A link as it stands in a list, with the address of its Slack thread where that is known. */
interface ListRow {
  link: Link
  /** What waits for an answer that can be given here. */
  notification: Notification | undefined
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
  const headline = {here, mine, tasks: texts.talk.taskList.headline}[kind]
  const drawn = rows.map((row) => (kind === 'tasks' ? drawTasks(row) : drawRow(row, rules)))
  const further = next && button(ACTIONS.listMore, more, toValue(kind, next))
  return drawPage({headline, rows: drawn, more: further})
}

export function drawRow(row: ListRow, rules: Pick<DrawRules, 'webUrl'>): PageRow {
  return {line: lineOf(row), buttons: buttonsOf(row, rules)}
}

/** How far its tasks are, and the way to look into them. */
function drawTasks(row: ListRow): PageRow {
  const {id, tasks, statusSinceMs, threadId} = row.link
  const {no, done, failed} = texts.talk.taskList
  const count = (status: string): number =>
    tasks?.filter((task) => task.status === status).length ?? 0
  const failures = count('failed')
  const counts =
    tasks === undefined || tasks.length === 0
      ? [no]
      : [done(count('done'), tasks.length), ...(failures === 0 ? [] : [failed(failures)])]
  const value = `${id}.${statusSinceMs.toString(36)}`
  const look = button(ACTIONS.tasks, texts.talk.menu.tasks, value)
  return {
    line: `${lineOf(row)}\n${counts.join(' · ')}`,
    buttons: threadId === undefined || row.link.taskId !== undefined ? [] : [look],
  }
}

function lineOf({link, permalink}: ListRow): string {
  const {place, statusSinceMs, state} = link
  const title = `*${listTitle(link)}*`
  const isOver =
    (state !== 'open' && state !== 'starting') || OVER.includes(shownStatus(link) ?? '')
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

function buttonsOf({link, notification}: ListRow, {webUrl}: Pick<DrawRules, 'webUrl'>): Button[] {
  const {id, state, status, statusSinceMs, taskId, threadId} = link
  const value = `${id}.${statusSinceMs.toString(36)}`
  const isAtWork = state === 'starting' || (state === 'open' && isWorking(status))
  return [
    ...(notification === undefined ? [] : [answerButton(notification.id)]),
    ...(isAtWork && taskId === undefined
      ? [button(ACTIONS.listStop, texts.card.stop, value, {style: 'danger'})]
      : []),
    ...openButtons(threadId, value, {webUrl, nameOf: (name) => name}),
  ]
}

function toValue(kind: ListKind, {madeAtMs, id}: PageStart): string {
  return `${kind}.${madeAtMs}.${id}`
}

/** What [More] bears; `undefined` for anything else. */
export function readListValue(value: string): {kind: ListKind; from: PageStart} | undefined {
  const [, kind, madeAtMs, id] = /^(here|mine|tasks)\.(\d{1,15})\.([\w-]+)$/.exec(value) ?? []
  if (madeAtMs === undefined || id === undefined) return undefined
  return {kind: kind as ListKind, from: {madeAtMs: Number(madeAtMs), id}}
}

/** What stands in a list, drawn. */
export interface PageRow {
  line: string
  buttons: Button[]
}

/** One page of a list; `more` leads to the next one, `note` stands below all. */
export function drawPage(page: {
  headline: string
  rows: readonly PageRow[]
  more: Button | undefined
  note?: string | undefined
}): Message {
  const {headline, rows, more, note} = page
  const blocks: KnownBlock[] = [
    section(headline),
    ...rows.flatMap(({line, buttons}) => [section(line), ...actions(buttons)]),
    ...(note === undefined ? [] : [context(note)]),
    ...actions(more === undefined ? [] : [more]),
  ]
  const lines = rows.map(({line}) => line)
  return {text: [headline, ...lines, ...(note === undefined ? [] : [note])].join('\n'), blocks}
}

function actions(elements: Button[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{type: 'actions', elements}]
}
