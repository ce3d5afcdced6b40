import {z} from 'zod'
import {parseJson} from '../../security/foreign-json.ts'
import {boundedId, excerpt} from '../excerpt.ts'
import {type Entry, entrySchema} from '../model.ts'

/** One event of a thread's or a task's stream (section 6.2), or a mark that our own side sets between them. */
export type Frame =
  /** A new connection stands. The turn in progress is sent again from its start. */
  | {type: 'connected'}
  /** It has broken off; another one follows. */
  | {type: 'broken'}
  /** Nothing has been heard since then, for longer than a restart takes. Comes again for each connection that fails. */
  | {type: 'disconnected'; sinceMs: number}
  /** The cursor was refused and dropped: the whole transcript follows. */
  | {type: 'rewound'}
  /** Of the thread or the task that is followed; a task says which it is. */
  | ({type: 'status'; status: string; taskId?: string | undefined} & TaskMarks)
  /** `cursor` is what resumes behind this entry; absent on entries that were fetched by paging. */
  | {type: 'transcript'; entry: Entry; cursor: string | undefined}
  | {type: 'run'; phase: string}
  | {type: 'turn'; phase: string; outcome: string | undefined}
  | {type: 'assistant'; callId: string; text: string}
  | {type: 'tool_call'; callId: string; name: string; text: string}
  /** A task under the thread was created, changed its status, or was stopped or resumed. */
  | ({type: 'task'; taskId: string; status: string} & TaskMarks)
  | {type: 'heartbeat'}
  /** The server closes the stream behind these two. */
  | {type: 'error'; code: string; message: string}
  | {type: 'done'}

interface TaskMarks {
  /** From the thread's root, for example `1.2`. */
  taskPath?: string | undefined
  archived?: boolean | undefined
}

/** Longer than any state's name, and than what is shown of what a tool does. */
const MAX_WORDS = 500

const text = z.string()
const id = text.transform(boundedId)
const word = text.transform((value) => excerpt(value, MAX_WORDS))
const wordIfSet = word.nullish().transform((value) => value ?? undefined)
const words = word.nullish().transform((value) => value ?? '')
const textOrNone = text.nullish().transform((value) => value ?? '')

/** Not worth a frame: whatever else stands there counts as unset. */
const taskMarks = {
  taskPath: word.optional().catch(undefined),
  archived: z.boolean().optional().catch(undefined),
}

const DATA = {
  status: framed('status', {status: word, taskId: id.optional().catch(undefined), ...taskMarks}),
  // Frames wait for their reader: what no reader knows is not kept.
  transcript: entrySchema.strip(),
  run: framed('run', {phase: word}),
  turn: framed('turn', {phase: word, outcome: wordIfSet}),
  assistant: framed('assistant', {callId: id, text: textOrNone}),
  tool_call: framed('tool_call', {callId: id, name: words, text: words}),
  task: framed('task', {taskId: id, status: words, ...taskMarks}),
  heartbeat: z.unknown(),
  error: z.object({code: words, message: words}),
  done: z.unknown(),
} satisfies Record<string, z.ZodType>

/**
 * The frame of one event; `undefined` for a name or a shape that we do not know, which a client
 * ignores (section 6.1).
 */
export function parseFrame(event: {event?: string; id?: string; data: string}): Frame | undefined {
  const name = event.event ?? ''
  if (!isKnown(name)) return undefined
  const value = parseJson(event.data)
  switch (name) {
    case 'transcript': {
      const entry = DATA.transcript.safeParse(value).data
      // An empty id names no place to resume from.
      return entry && {type: name, entry, cursor: event.id === '' ? undefined : event.id}
    }
    case 'error': {
      const data = DATA.error.safeParse(value).data
      return {type: name, code: data?.code ?? '', message: data?.message ?? ''}
    }
    case 'heartbeat':
    case 'done':
      return {type: name}
    default:
      return DATA[name].safeParse(value).data
  }
}

function framed<Type extends Frame['type'], Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object(shape).transform((data) => ({type, ...data}))
}

function isKnown(name: string): name is keyof typeof DATA {
  return Object.hasOwn(DATA, name)
}
