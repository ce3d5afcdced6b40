import {isRecord, type Arguments} from '../edge/arguments.ts'
import {createCheck, type Check, type Spot} from '../blocks/check.ts'
import {acceptBlocks} from '../blocks/blocks.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {maxMarkdown, type SlackBlock} from '../blocks/block.ts'

type TaskStatus = 'pending' | 'in_progress' | 'complete' | 'error'

export interface TaskUpdate {
  id: string
  title: string
  status: TaskStatus
  details?: string
  output?: string
  sources?: Record<string, unknown>[]
}

/** What a stream grows by: https://docs.slack.dev/reference/methods/chat.appendStream#arg_chunks */
export type StreamChunk =
  | {type: 'markdown_text'; text: string}
  | {type: 'task_update'; task: TaskUpdate}
  | {type: 'plan_update'; title: string}
  | {type: 'blocks'; blocks: SlackBlock[]}

/** A stream begun with one of them goes on with that one. */
export type StreamMode = 'markdown_text' | 'chunks'

export interface StreamDelta {
  /** Absent: the call brought nothing. */
  mode?: StreamMode
  chunks: StreamChunk[]
}

const maxField = 256
/** In the `chunks` of a stream all together; `blocks` of chat.stopStream are counted apart. */
export const maxStreamBlocks = 50

/** What a call adds to its stream, checked; whether it may be nothing is the method's affair. */
export function readDelta(args: Arguments): StreamDelta {
  const markdown = args.text('markdown_text') ?? ''
  const chunks = readChunks(args.values['chunks'])
  if (markdown !== '' && chunks.length > 0) {
    throw new Refusal('cannot_provide_both_markdown_text_and_chunks')
  }
  if (chunks.length > 0) return {mode: 'chunks', chunks}
  if (markdown === '') return {chunks: []}
  if (markdown.length > maxMarkdown) throw new Refusal('msg_too_long')
  return {mode: 'markdown_text', chunks: [{type: 'markdown_text', text: markdown}]}
}

/** Blocks of a stream: too many of them have an error of their own here. */
export function acceptStreamBlocks(value: unknown): SlackBlock[] {
  if (Array.isArray(value) && value.length > maxStreamBlocks) {
    throw new Refusal('msg_blocks_too_many')
  }
  return acceptBlocks(value)
}

function readChunks(value: unknown): StreamChunk[] {
  if (value === undefined || value === null || value === '') return []
  const check = createCheck()
  const spots = check.items({value: {chunks: value}, pointer: ''}, 'chunks', {max: Infinity})
  for (const spot of spots) checkChunk(check, spot)
  if (check.mistakes.length > 0) throw new Refusal('invalid_chunks', pointers(check.mistakes))
  return spots.map(({value: chunk}) => toChunk(chunk))
}

function checkChunk(check: Check, at: Spot): void {
  switch (at.value['type']) {
    case 'markdown_text':
      check.string(at, 'text', {min: 0, max: Infinity})
      return
    case 'task_update':
      checkTask(check, at)
      return
    case 'plan_update':
      check.string(at, 'title', {max: maxField})
      return
    case 'blocks':
      if (!Array.isArray(at.value['blocks'])) check.fail(`${at.pointer}/blocks`, 'must be an array')
      return
    default:
      check.fail(`${at.pointer}/type`, `unsupported type: ${String(at.value['type'])}`)
  }
}

function checkTask(check: Check, at: Spot): void {
  check.string(at, 'id', {max: 255})
  check.string(at, 'title', {max: maxField})
  check.string(at, 'details', {min: 0, max: maxField, optional: true})
  check.string(at, 'output', {min: 0, max: maxField, optional: true})
  if (!isTaskStatus(at.value['status'])) {
    check.fail(`${at.pointer}/status`, 'must be a valid enum value')
  }
  for (const source of check.items(at, 'sources', {max: Infinity, optional: true})) {
    if (source.value['type'] !== 'url') {
      check.fail(`${source.pointer}/type`, `unsupported type: ${String(source.value['type'])}`)
    }
    check.string(source, 'url', {max: 3000})
    check.string(source, 'text', {max: maxField})
  }
}

function isTaskStatus(value: unknown): value is TaskStatus {
  return ['pending', 'in_progress', 'complete', 'error'].some((status) => status === value)
}

function toChunk(chunk: Record<string, unknown>): StreamChunk {
  const text = (name: string): string => String(chunk[name])
  switch (chunk['type']) {
    case 'markdown_text':
      if (text('text').length > maxMarkdown) throw new Refusal('msg_too_long')
      return {type: 'markdown_text', text: text('text')}
    case 'task_update':
      return {type: 'task_update', task: toTask(chunk)}
    case 'plan_update':
      return {type: 'plan_update', title: text('title')}
    default:
      return {type: 'blocks', blocks: acceptStreamBlocks(chunk['blocks'])}
  }
}

function toTask(chunk: Record<string, unknown>): TaskUpdate {
  const {id, title, status, details, output, sources} = chunk
  return {
    id: String(id),
    title: String(title),
    status: isTaskStatus(status) ? status : 'pending',
    ...(typeof details === 'string' ? {details} : {}),
    ...(typeof output === 'string' ? {output} : {}),
    ...(Array.isArray(sources) ? {sources: sources.filter(isRecord)} : {}),
  }
}
