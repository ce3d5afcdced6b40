import type {z} from 'zod'
import {FRAMES, type FrameName} from '../../platform/contract/frames.ts'
import * as records from '../../platform/contract/records.ts'
import {receiptSchema} from '../../platform/endpoints/messages.ts'
import {
  automationSchema,
  captainSchema,
  entrySchema,
  filterRuleSchema,
  organizationUserSchema,
  projectSchema,
  reviewRoundSchema,
  taskSchema,
  threadSchema,
} from '../../platform/model.ts'
import type {Frame} from './stream.ts'
import {show} from './verdicts.ts'

interface Shape {
  section: string
  /** As the document has it. */
  documented: z.ZodType
  /** As Bosun reads it. */
  read: z.ZodType
  /** What does not work where Bosun cannot read one. */
  without: string
}

/** The records whose every occurrence is held against the document. */
const SHAPES = {
  thread: {
    section: '2.1',
    documented: records.thread,
    read: threadSchema,
    without: 'the call that it answers fails',
  },
  captain: {
    section: '2.2',
    documented: records.captain,
    read: captainSchema,
    without: '`/captain new` fails, though the captain is there',
  },
  message: {
    section: '2.6',
    documented: records.message,
    read: entrySchema,
    without: 'the entry is not shown in Slack',
  },
  task: {
    section: '2.7',
    documented: records.task,
    read: taskSchema,
    without: 'the plan of tasks is not shown',
  },
  receipt: {
    section: '2.8',
    documented: records.receipt,
    read: receiptSchema,
    without: 'what people write counts as unsure, and is looked for in the transcript',
  },
  project: {
    section: '2.9',
    documented: records.project,
    read: projectSchema,
    without: 'no project can be chosen by its name',
  },
  user: {
    section: '2.10',
    documented: records.organizationUser,
    read: organizationUserSchema,
    without: 'no work is attributed to who asked for it',
  },
  automation: {
    section: '2.11',
    documented: records.automation,
    read: automationSchema,
    without: '`/bosun automations` shows none',
  },
  filterRule: {
    section: '2.13',
    documented: records.filterRule,
    read: filterRuleSchema,
    without: '`/review filters` shows none',
  },
  reviewRound: {
    section: '2.14',
    documented: records.reviewRound,
    read: reviewRoundSchema,
    without: '`/review` fails, though the review runs',
  },
} as const satisfies Readonly<Record<string, Shape>>
type ShapeName = keyof typeof SHAPES

/** What was seen of one record, or of one kind of frame. */
export interface Seen {
  section: string
  name: string
  count: number
  /** The first that is not as documented. */
  problem: {expected: string; seen: string; bosun: string} | undefined
}

/** Holds whatever comes against the document, once for each kind. */
export interface Shapes {
  look: (name: ShapeName, value: unknown) => void
  lookAtFrames: (frames: readonly Frame[]) => void
  seen: () => readonly Seen[]
}

export function createShapes(): Shapes {
  const seen = new Map<string, Seen>()
  const note = (section: string, name: string): Seen => {
    const found = seen.get(name) ?? {section, name, count: 0, problem: undefined}
    seen.set(name, found)
    found.count += 1
    return found
  }
  for (const [name, {section}] of Object.entries(SHAPES)) note(section, name).count = 0
  note('6.2', 'frame').count = 0

  const look: Shapes['look'] = (name, value) => {
    const shape: Shape = SHAPES[name]
    const found = note(shape.section, name)
    const problem = problemOf(shape.documented, value)
    if (problem === undefined || found.problem !== undefined) return
    const canRead = shape.read.safeParse(value).success
    const bosun = canRead ? 'what is not as documented counts as unset' : shape.without
    found.problem = {...problem, bosun}
  }
  return {
    look,
    lookAtFrames: (frames) => {
      for (const {event, data, isBroken} of frames) {
        if (!isFrame(event)) continue
        const found = note('6.2', 'frame')
        const problem = isBroken
          ? {
              expected: 'one line of data that is a JSON object',
              seen: `a ${event} frame without it`,
            }
          : problemOf(FRAMES[event].data, data, `${event} `)
        if (problem !== undefined)
          found.problem ??= {...problem, bosun: 'frames like it are ignored'}
      }
    },
    seen: () => [...seen.values()],
  }
}

function isFrame(event: string): event is FrameName {
  return Object.hasOwn(FRAMES, event)
}

function problemOf(
  schema: z.ZodType,
  value: unknown,
  of = '',
): {expected: string; seen: string} | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  if (issue === undefined) return undefined
  const path = issue.path.map(String)
  return {
    expected: `${of}${path.join('.') || 'it'}: ${issue.message}`,
    seen: show(path.reduce<unknown>(inside, value)),
  }
}

function inside(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
