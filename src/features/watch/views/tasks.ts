import type {Button, KnownBlock, ModalView} from '@slack/types'
import {excerpt} from '../../../platform/excerpt.ts'
import type {Entry, Task} from '../../../platform/model.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, dollars, inBold, oneLine, shorten} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn, escapedLength, plainMrkdwn} from '../../../slack/markup/markup.ts'
import {texts} from '../../../slack/texts.ts'
import {button, plain, section} from '../../../slack/draw/blocks.ts'
import {modal} from '../../../slack/draw/form.ts'
import {ownOf} from '../../../security/foreign-json.ts'

const TASKS_PER_PAGE = 30
const ENTRIES_PER_PAGE = 12
const MAX_TITLE = 150
/** Slack takes no longer value in a button. */
const MAX_VALUE = 2000
/** As it is escaped: Slack's limit of a block is measured on that. */
const MAX_ENTRY = 700

/** A modal that says one thing: that it is being read, or that it can't be. */
export function noteView(link: Link, note: string): ModalView {
  return viewOf(link, [section(escapeMrkdwn(note))])
}

/** All tasks of a thread, a page of them. */
export function taskListView(link: Link, tasks: readonly Task[], page: number): ModalView {
  const {none, messages} = texts.tasks.modal
  const [shown, turning] = pageOf(tasks, page, TASKS_PER_PAGE)
  const rows = shown.map((task): KnownBlock => {
    const of = {linkId: link.id, page: undefined, taskId: task.id}
    const [accessory] = taskButtons(ACTIONS.taskMessages, messages, of)
    return {...section(lineOf(task)), ...(accessory !== undefined && {accessory})}
  })
  const turn = turning.map(({label, to}) => button(ACTIONS.tasksPage, label, `${link.id}.${to}`))
  return viewOf(link, [...(rows.length === 0 ? [section(none)] : rows), ...actions(turn)])
}

/** What is kept of an entry: a task may say more than fits into memory. */
type TaskEntry = Pick<Entry, 'source' | 'text' | 'authorName' | 'model'>

export function toTaskEntry({source, text, authorName, model}: Entry): TaskEntry {
  return {source, authorName, model, text: excerpt(text, 2 * MAX_ENTRY)}
}

/** What was said in one task, newest last; its last page unless another one is asked for. */
export function taskMessagesView(
  link: Link,
  {task, entries}: {task: Task; entries: readonly TaskEntry[]},
  asked: number | undefined,
): ModalView {
  const {nothingSaid, followTask, back} = texts.tasks.modal
  const last = Math.max(0, Math.ceil(entries.length / ENTRIES_PER_PAGE) - 1)
  const page = Math.min(asked ?? last, last)
  const [shown, turning] = pageOf(entries, page, ENTRIES_PER_PAGE)
  const words = shown.map((entry) => section(entryText(entry)))
  const {id: linkId} = link
  const buttons = [
    ...taskButtons(ACTIONS.followTask, followTask, {linkId, page: 0, taskId: task.id}),
    ...turning.flatMap(({label, to}) =>
      taskButtons(ACTIONS.taskMessagesPage, label, {linkId, page: to, taskId: task.id}),
    ),
  ]
  const blocks = [
    section(lineOf(task)),
    ...(words.length === 0 ? [section(nothingSaid)] : words),
    ...actions(buttons),
  ]
  return {...viewOf(link, blocks), close: plain(back)}
}

/** What came of a press in the messages of a task; drawn already. */
export function taskAnswerView(link: Link, answer: string): ModalView {
  return {...viewOf(link, [section(answer)]), close: plain(texts.tasks.modal.back)}
}

/** What a task's button bears. */
interface TaskValue {
  linkId: string
  page: number | undefined
  taskId: string
}

/** None for an id that is longer than Slack lets a button bear. */
function taskButtons(action: string, label: string, {linkId, page, taskId}: TaskValue): Button[] {
  const value = `${linkId}.${page ?? ''}.${taskId}`
  return value.length > MAX_VALUE ? [] : [button(action, label, value)]
}

export function readTaskValue(value: string): TaskValue | undefined {
  const [, linkId, page = '', taskId] = /^([\w-]+)\.(\d{0,6})\.([^]+)$/.exec(value) ?? []
  if (linkId === undefined || taskId === undefined) return undefined
  return {linkId, page: page === '' ? undefined : Number(page), taskId}
}

function viewOf({place}: Link, blocks: KnownBlock[]): ModalView {
  const {title, close} = texts.tasks.modal
  const {channel, slackThread} = place
  return modal('bosun:tasks', {channel, slackThread}, {title, close}, blocks)
}

function pageOf<Item>(
  items: readonly Item[],
  page: number,
  size: number,
): [Item[], {label: string; to: number}[]] {
  const {earlier, later} = texts.tasks.modal
  const turning = [
    ...(page > 0 ? [{label: earlier, to: page - 1}] : []),
    ...((page + 1) * size < items.length ? [{label: later, to: page + 1}] : []),
  ]
  return [items.slice(page * size, (page + 1) * size), turning]
}

function actions(elements: Button[]): KnownBlock[] {
  // Two buttons of one action must not stand in one block.
  return elements.map((element) => ({type: 'actions', elements: [element]}))
}

function lineOf({taskPath, title, status, archived, usage}: Task): string {
  const words = [
    `*${inBold(`${taskPath} ${title ?? ''}`, MAX_TITLE)}*`,
    escapeMrkdwn(oneLine(ownOf(texts.tasks.status, status) ?? status, MAX_TITLE)),
    ...(archived ? [texts.tasks.modal.archived] : []),
  ]
  const {totalCredits: spent = 0} = usage ?? {}
  const cost = spent === 0 ? [] : [dollars(spent)]
  return [...words, ...cost].join(' · ')
}

function entryText({source, text, authorName, model}: TaskEntry): string {
  if (source === 'tool') return `_${escapeMrkdwn(oneLine(text.replaceAll('_', ' '), 200))}_`
  const {said, told} = texts.tasks.modal
  const who = source === 'assistant' ? said : told(authorName)
  const words = plainMrkdwn(shorten(text, MAX_ENTRY, escapedLength))
  const by = model === undefined ? '' : ` · ${escapeMrkdwn(oneLine(model, MAX_NAME))}`
  return `*${inBold(who, 80)}*${by}\n${words || '…'}`
}
