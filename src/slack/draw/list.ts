import type {Button, KnownBlock} from '@slack/types'
import type {PageStart} from '../../store/tables/work/link-lists.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import {ACTIONS} from '../ids.ts'
import {inBold, moment} from '../markup/lines.ts'
import {texts} from '../texts.ts'
import {type DrawRules, type Message, button, context, openButtons, section} from './blocks.ts'
import {answerButton} from './notification.ts'
import {pullRequestFact} from './pull-request.ts'
import {GROUPS, type Group, canStop, reviewButtons, standingLine} from './standing.ts'

/** `here`: what runs in a channel. `mine`: what a person asked for. `tasks`: the tasks of what runs in a channel. */
type ListKind = 'here' | 'mine' | 'tasks'

/** What of one's own work is listed. */
type Filter = 'all' | Group
const FILTERS: readonly Filter[] = ['all', ...GROUPS]

/** A list of some kind; of one's own work, all of it or some. */
export interface Listed {
  kind: ListKind
  filter: Filter
}

/** A link as it stands in a list, with the address of its Slack thread where that is known. */
interface ListRow {
  link: Link
  /** What waits for an answer that can be given here. */
  notification: Notification | undefined
  permalink: string | undefined
  /** It stands in the channel in which the list is shown, so that more can be done about it. */
  isHere: boolean
}

const MAX_TITLE = 140

interface Page {
  rows: readonly ListRow[]
  from: PageStart | undefined
  next: PageStart | undefined
}

/** One page of a list, for one person. */
export function drawList(
  {kind, filter, rows, from, next}: Listed & Page,
  rules: Pick<DrawRules, 'webUrl'>,
): Message {
  const {here, mine, noneOf} = texts.commands.list
  const headline = {here, mine, tasks: texts.talk.taskList.headline}[kind]
  const shown = toValue({kind, filter}, from)
  const drawn = rows.map((row) => (kind === 'tasks' ? drawTasks(row) : drawRow(row, rules, shown)))
  return drawPage({
    headline,
    filters: kind === 'mine' ? filterButtons(filter) : [],
    rows: drawn,
    turns: pageButtons(ACTIONS.listMore, {
      next: next && toValue({kind, filter}, next),
      first: from && toValue({kind, filter}, undefined),
    }),
    note: rows.length === 0 ? noneOf[filter] : undefined,
  })
}

/** Pressed, each shows the list anew in the same message. */
function filterButtons(chosen: Filter): Button[] {
  const {shows} = texts.commands.list
  return FILTERS.map((filter, at) => {
    const style = filter === chosen ? {style: 'primary' as const} : {}
    return button(`${ACTIONS.listFilter}:${at}`, shows[filter], filter, style)
  })
}

/** `shown`: the page that it stands on, if that can be read from it. */
export function drawRow(row: ListRow, rules: Pick<DrawRules, 'webUrl'>, shown?: string): PageRow {
  return {line: lineOf(row), buttons: buttonsOf(row, rules, shown)}
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
  const where =
    permalink === undefined
      ? `<#${link.place.channel}>`
      : `<${permalink}|${texts.commands.list.toThread}>`
  const facts = [`*${listTitle(link)}*`, standingLine(link, moment), where]
  return [...facts, ...pullRequestFact(link.pullRequest)].join(' · ')
}

export function listTitle({title}: Link): string {
  return inBold(title ?? texts.card.untitled, MAX_TITLE)
}

function buttonsOf(
  {link, notification, isHere}: ListRow,
  {webUrl}: Pick<DrawRules, 'webUrl'>,
  shown: string | undefined,
): Button[] {
  const value = `${link.id}.${link.statusSinceMs.toString(36)}`
  const stop = shown === undefined ? value : `${value}.${shown}`
  return [
    ...(notification === undefined ? [] : [answerButton(notification.id)]),
    ...(canStop(link) ? [button(ACTIONS.listStop, texts.card.stop, stop, {style: 'danger'})] : []),
    ...(isHere ? reviewButtons(link) : []),
    ...openButtons(link.threadId, value, {webUrl, nameOf: (name) => name}),
  ]
}

function toValue({kind, filter}: Listed, from: PageStart | undefined): string {
  const list = filter === 'all' ? kind : `${kind}-${filter}`
  return from === undefined ? list : `${list}.${from.madeAtMs}.${from.id}`
}

/** Which page a button leads to, or stands on; `undefined` for anything else. */
export function readListValue(value: string): (Listed & {from: PageStart | undefined}) | undefined {
  const [, kind, filter = 'all', madeAtMs, id] =
    /^(here|mine|tasks)(?:-(\w+))?(?:\.(\d{1,15})\.([\w-]+))?$/.exec(value) ?? []
  if (kind === undefined || !isFilter(filter)) return undefined
  const from = id === undefined ? undefined : {madeAtMs: Number(madeAtMs), id}
  return {kind: kind as ListKind, filter, from}
}

export function isFilter(word: string): word is Filter {
  return (FILTERS as readonly string[]).includes(word)
}

/** What stands in a list, drawn. */
export interface PageRow {
  line: string
  buttons: Button[]
}

/** The ways to other pages of a list, which stand in its place: to the next one, and from a later one to the first. */
export function pageButtons(
  actionId: string,
  {next, first}: Record<'next' | 'first', string | number | undefined>,
): Button[] {
  const {more, back} = texts.commands.list
  return [
    ...(next === undefined ? [] : [button(actionId, more, String(next))]),
    ...(first === undefined ? [] : [button(`${actionId}:1`, back, String(first))]),
  ]
}

/** One page of a list; `turns` lead to other ones, `note` stands below all, `filters` above. */
export function drawPage(page: {
  headline: string
  filters?: Button[]
  rows: readonly PageRow[]
  turns: Button[]
  note?: string | undefined
}): Message {
  const {headline, filters = [], rows, turns, note} = page
  const blocks: KnownBlock[] = [
    section(headline),
    ...actions(filters),
    ...rows.flatMap(({line, buttons}) => [section(line), ...actions(buttons)]),
    ...(note === undefined ? [] : [context(note)]),
    ...actions(turns),
  ]
  const lines = rows.map(({line}) => line)
  return {text: [headline, ...lines, ...(note === undefined ? [] : [note])].join('\n'), blocks}
}

function actions(elements: Button[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{type: 'actions', elements}]
}
