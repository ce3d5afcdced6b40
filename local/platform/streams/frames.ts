import type {StoredEntry} from '../threads/entries.ts'
import type {TaskState} from '../tasks/tasks.ts'

/**
 * What happens in a thread or a task while it happens. All but `cut` and `rest` go over the wire (section
 * 6.2). `cut` ends all streams without a word; `rest` says that everything a run had to say has been said,
 * which is when `until=run` is satisfied.
 */
export type LiveEvent =
  | {kind: 'status'; status: string}
  | {kind: 'task'; task: TaskState}
  | {kind: 'entry'; entry: StoredEntry}
  | {kind: 'run'; phase: 'start' | 'end'}
  | {kind: 'turn'; phase: 'start'}
  | {kind: 'turn'; phase: 'end'; outcome: TurnOutcome}
  | {kind: 'assistant'; callId: string; text: string}
  | {kind: 'toolCall'; callId: string; name: string; text: string}
  | {kind: 'raw'; frame: string}
  | {kind: 'error'; code: StreamErrorCode; message: string}
  | {kind: 'cut'}
  | {kind: 'rest'}

/** How a thread or a task stands: what the first frame of its stream says. */
export type StateEvent = Extract<LiveEvent, {kind: 'status' | 'task'}>

export type TurnOutcome = 'settled' | 'aborted' | 'dropped'

export const STREAM_ERROR_CODES = ['unauthorized', 'stream_unavailable', 'internal'] as const
export type StreamErrorCode = (typeof STREAM_ERROR_CODES)[number]

/** One frame, exactly as section 6.1 describes it. */
export function encodeFrame(event: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The frame of a committed entry; its `id:` line is the resume cursor. Section 6.1. */
export function encodeEntry({cursor, json}: StoredEntry): string {
  return `event: transcript\nid: ${cursor}\ndata: ${json}\n\n`
}

export const RUN_START = encodeFrame('run', {phase: 'start'})
export const RUN_END = encodeFrame('run', {phase: 'end'})
export const TURN_START = encodeFrame('turn', {phase: 'start'})
export const TURN_DROPPED = encodeFrame('turn', {phase: 'end', outcome: 'dropped'})
export const HEARTBEAT = encodeFrame('heartbeat', {})
export const DONE = encodeFrame('done', {})

/** The frame of an event on the stream of its owner, a thread or a task; empty for what is ours alone. */
export function encodeEvent(ownerId: string, event: LiveEvent): string {
  switch (event.kind) {
    case 'status':
      return encodeFrame('status', {threadId: ownerId, status: event.status})
    case 'task':
      // To its thread it is news of a task, to the task itself its status.
      return encodeFrame(event.task.taskId === ownerId ? 'status' : 'task', {...event.task})
    case 'entry':
      return encodeEntry(event.entry)
    case 'run':
      return event.phase === 'start' ? RUN_START : RUN_END
    case 'turn':
      return event.phase === 'start'
        ? TURN_START
        : encodeFrame('turn', {phase: 'end', outcome: event.outcome})
    case 'assistant':
      return encodeFrame('assistant', {callId: event.callId, text: event.text})
    case 'toolCall':
      return encodeFrame('tool_call', {callId: event.callId, name: event.name, text: event.text})
    case 'raw':
      return event.frame
    case 'error':
      return encodeFrame('error', {code: event.code, message: event.message})
    case 'cut':
    case 'rest':
      return ''
  }
}
