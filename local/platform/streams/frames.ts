import type {StoredEntry} from '../threads/entries.ts'

/**
 * What happens in a thread while it happens. All but `rest` go over the wire (section 6.2); `rest` says that
 * everything a run had to say has been said, which is when `until=run` is satisfied.
 */
export type ThreadEvent =
  | {kind: 'status'; status: string}
  | {kind: 'entry'; entry: StoredEntry}
  | {kind: 'run'; phase: 'start' | 'end'}
  | {kind: 'turn'; phase: 'start'}
  | {kind: 'turn'; phase: 'end'; outcome: 'settled' | 'aborted'}
  | {kind: 'assistant'; callId: string; text: string}
  | {kind: 'toolCall'; callId: string; name: string; text: string}
  | {kind: 'rest'}

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

/** The frame of an event; empty for `rest`, which is ours alone. */
export function encodeEvent(threadId: string, event: ThreadEvent): string {
  switch (event.kind) {
    case 'status':
      return encodeFrame('status', {threadId, status: event.status})
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
    case 'rest':
      return ''
  }
}
