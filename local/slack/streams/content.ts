import {textOfBlocks} from '../blocks/blocks.ts'
import type {Content} from '../messages/content.ts'
import {toMrkdwn} from '../messages/mrkdwn-text.ts'
import type {StreamChunk, TaskUpdate} from './chunks.ts'
import type {SlackBlock} from '../blocks/block.ts'

/** How the tasks of a stream stand: https://docs.slack.dev/reference/methods/chat.startStream */
export type TaskDisplayMode = 'timeline' | 'plan' | 'dense'

/** One piece of a streamed message, in the order of its first appearance. */
type StreamPart =
  | {type: 'text'; text: string}
  | {type: 'task'; task: TaskUpdate}
  | {type: 'blocks'; blocks: SlackBlock[]}

export interface StreamBody {
  display: TaskDisplayMode
  planTitle?: string
  parts: StreamPart[]
}

/**
 * Text joins the text before it. A task that is there already takes the new title and status, and its
 * `details` and `output` grow: Slack takes deltas there.
 */
export function grow(body: StreamBody, chunk: StreamChunk): StreamBody {
  const {parts} = body
  switch (chunk.type) {
    case 'markdown_text': {
      const last = parts.at(-1)
      const text = last?.type === 'text' ? last.text + chunk.text : chunk.text
      const before = last?.type === 'text' ? parts.slice(0, -1) : parts
      return {...body, parts: [...before, {type: 'text', text}]}
    }
    case 'task_update':
      return {...body, parts: withTask(parts, chunk.task)}
    case 'plan_update':
      return {...body, planTitle: chunk.title}
    case 'blocks':
      return {...body, parts: [...parts, {type: 'blocks', blocks: chunk.blocks}]}
    default:
      throw new Error(`Unknown chunk: ${String(chunk satisfies never)}`)
  }
}

function withTask(parts: StreamPart[], update: TaskUpdate): StreamPart[] {
  const known = parts.some((part) => part.type === 'task' && part.task.id === update.id)
  if (!known) return [...parts, {type: 'task', task: update}]
  return parts.map((part) =>
    part.type === 'task' && part.task.id === update.id
      ? {type: 'task', task: mergeTasks(part.task, update)}
      : part,
  )
}

function mergeTasks(before: TaskUpdate, update: TaskUpdate): TaskUpdate {
  const details = (before.details ?? '') + (update.details ?? '')
  const output = (before.output ?? '') + (update.output ?? '')
  return {
    ...before,
    ...update,
    ...(details === '' ? {} : {details}),
    ...(output === '' ? {} : {output}),
  }
}

/** The message as it stands: `text` in mrkdwn, whatever Markdown was streamed. */
export function renderStream(body: StreamBody): Content {
  const {parts, display} = body
  const blocks = display === 'timeline' ? parts.flatMap(toBlocks) : groupTasks(body)
  const text = parts
    .flatMap((part) => (part.type === 'text' ? [toMrkdwn(part.text)] : []))
    .join('\n')
    .trim()
  if (blocks.length === 0) return {text}
  const named = blocks.map((block, index) => ({...block, block_id: idOf(block, index)}))
  return {text: text === '' ? textOfBlocks(named) : text, blocks: named}
}

/** Steady while the stream grows, so that what stands already is not drawn anew. */
function idOf(block: SlackBlock, index: number): string {
  return block.block_id ?? `stream-${index}`
}

function toBlocks(part: StreamPart): SlackBlock[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{type: 'markdown', text: part.text}]
    case 'task':
      return [toCard(part.task)]
    case 'blocks':
      return part.blocks
    default:
      throw new Error(`Unknown part: ${String(part satisfies never)}`)
  }
}

/** `plan`: all tasks where the first one stood; `dense`: one card for each run of tasks. */
function groupTasks({parts, display, planTitle}: StreamBody): SlackBlock[] {
  const isPlan = display === 'plan'
  let open: {block: SlackBlock; tasks: SlackBlock[]} | undefined
  return parts.flatMap((part) => {
    if (part.type !== 'task') {
      if (!isPlan) open = undefined
      return toBlocks(part)
    }
    const card = toCard(part.task)
    if (open === undefined) {
      const tasks = [card]
      open = {block: {type: 'plan', title: planTitle ?? part.task.title, tasks}, tasks}
      return [open.block]
    }
    open.tasks.push(card)
    if (planTitle === undefined) open.block['title'] = part.task.title
    return []
  })
}

function toCard({id, title, status, details, output, sources}: TaskUpdate): SlackBlock {
  return {
    type: 'task_card',
    task_id: id,
    title,
    status,
    ...(details === undefined ? {} : {details: toRichText(details)}),
    ...(output === undefined ? {} : {output: toRichText(output)}),
    ...(sources === undefined ? {} : {sources}),
  }
}

function toRichText(text: string): SlackBlock {
  return {
    type: 'rich_text',
    elements: [{type: 'rich_text_section', elements: [{type: 'text', text}]}],
  }
}
