import {z} from 'zod'
import {message, taskStatus, threadStatus} from './records.ts'

/** The frames of streams, section 6.2: what stands in their `data:` line, and when they come. */

const text = z.string()
const taskState = {taskId: text, taskPath: text, status: taskStatus, archived: z.boolean()}

interface FrameKind {
  data: z.ZodType
  when: string
}

export const FRAMES = {
  status: {
    data: z.union([z.object({threadId: text, status: threadStatus}), z.object(taskState)]),
    when: 'first on every connection, then on every change: of a thread, or of a task on its own stream',
  },
  transcript: {
    data: message,
    when: 'when an entry commits; its `id:` line is the cursor to resume from',
  },
  run: {
    data: z.object({phase: z.enum(['start', 'end'])}),
    when: 'one wake of the agent until rest',
  },
  turn: {
    data: z.union([
      z.object({phase: z.literal('start')}),
      z.object({phase: z.literal('end'), outcome: z.enum(['settled', 'aborted', 'dropped'])}),
    ]),
    when: 'one generation of the model',
  },
  assistant: {
    data: z.object({callId: text, text}),
    when: 'a fragment of the reply being written, in order within its `callId`',
  },
  tool_call: {
    data: z.object({callId: text, name: text, text}),
    when: 'when the input of a tool call has parsed; its entry has this `callId` as `id`',
  },
  task: {
    data: z.object(taskState),
    when: 'streams of threads only: a task was created, changed its status, was stopped or resumed',
  },
  heartbeat: {data: z.object({}), when: 'every 15 seconds while nothing else was sent'},
  error: {
    data: z.object({
      code: z.enum(['unauthorized', 'stream_unavailable', 'internal']),
      message: text,
    }),
    when: 'the server closes the stream behind it',
  },
  done: {
    data: z.object({}),
    when: 'the server closes the stream behind it: archived or deleted, a task done, or `until=run` satisfied',
  },
} as const satisfies Readonly<Record<string, FrameKind>>

export type FrameName = keyof typeof FRAMES

/** Milliseconds to wait before connecting again: section 6.1. */
export const RETRY_MS = 2000
/** Section 8: of heartbeats, and of the checks of keys on open streams. */
export const HEARTBEAT_SECONDS = 15
