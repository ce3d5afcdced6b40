import {z} from 'zod'
import {STREAM_ERROR_CODES} from '../streams/frames.ts'
import {THREAD_STATES} from '../threads/vocabulary.ts'
import type {Fragment, Script, Step, TaskPlan, Turn} from './script.ts'

/** In milliseconds, multiplied by the platform's pace. */
const delayMs = z.number().min(0).max(3_600_000).default(0)
const words = z.string().min(1)

const writing = {
  /** Each is one `assistant` frame; the delay stands before each. */
  fragments: z.array(z.string()).min(1).readonly(),
  delayMs,
}

const imageSchema = z.strictObject({name: words, mimeType: words, size: z.int().min(0)})

const entrySchema = z.strictObject({
  id: words.optional(),
  source: z.enum(['user', 'assistant', 'tool']),
  text: z.string(),
  tool: z.string().optional(),
  callId: z.string().optional(),
  model: z.string().optional(),
  attachments: z.array(z.unknown()).readonly().optional(),
  authorName: z.string().optional(),
})

const thinkSchema = z.strictObject({kind: z.literal('think'), delayMs})
/** A fragment under a call id of its own. */
const assistantSchema = z.strictObject({
  kind: z.literal('assistant'),
  callId: words,
  text: z.string(),
  delayMs,
})
const saySchema = z.strictObject({
  kind: z.literal('say'),
  ...writing,
  images: z.array(imageSchema).readonly().optional(),
})
const draftSchema = z.strictObject({kind: z.literal('draft'), ...writing})
const toolSchema = z.strictObject({kind: z.literal('tool'), name: words, text: z.string(), delayMs})
/** An entry without live frames. */
const entryStepSchema = z.strictObject({kind: z.literal('entry'), entry: entrySchema})
/** Goes as it is to the streams that are open and not behind. */
const frameSchema = z.strictObject({
  kind: z.literal('frame'),
  event: words,
  data: z.string(),
  id: z.string().optional(),
})
/** Ends the streams that are open without a word. */
const closeSchema = z.strictObject({kind: z.literal('close')})
/** Ends the streams that are open with an `error` frame. */
const errorSchema = z.strictObject({
  kind: z.literal('error'),
  code: z.enum(STREAM_ERROR_CODES),
  message: z.string().default(''),
})
const tasksSchema = z.strictObject({
  kind: z.literal('tasks'),
  text: z.string().default('Ran tasks'),
  tasks: z
    .array(
      z.strictObject({
        title: words,
        prompt: words.optional(),
        get steps() {
          return z.array(taskStepSchema).readonly()
        },
        rest: z.enum(['done', 'failed']).default('done'),
      }),
    )
    .readonly(),
})

const stepSchema = z.discriminatedUnion('kind', [
  thinkSchema,
  assistantSchema,
  saySchema,
  draftSchema,
  toolSchema,
  entryStepSchema,
  frameSchema,
  closeSchema,
  errorSchema,
  tasksSchema,
])

/** One model generation. Steps outside of turns belong to none; steps without any turn make one. */
const turnSchema = z.strictObject({
  kind: z.literal('turn'),
  outcome: z.enum(['settled', 'aborted', 'dropped']).default('settled'),
  steps: z.array(stepSchema).readonly(),
})
const stateSchema = z.strictObject({kind: z.literal('status'), state: z.enum(THREAD_STATES)})
/** How the thread stands after the run; without it, idle. */
const restSchema = z.strictObject({kind: z.literal('rest'), state: z.enum(THREAD_STATES)})

const taskStepSchema = z.discriminatedUnion('kind', [stepSchema, turnSchema])
const threadStepSchema = z.discriminatedUnion('kind', [
  stepSchema,
  turnSchema,
  stateSchema,
  restSchema,
])
type GivenStep = z.infer<typeof threadStepSchema>
type GivenTask = z.infer<typeof tasksSchema>['tasks'][number]

/** The steps of a script that is given. */
export const stepsSchema = z
  .array(threadStepSchema)
  .min(1)
  .refine(
    (steps) => steps.slice(0, -1).every(({kind}) => kind !== 'rest'),
    'a step of kind rest must be the last one',
  )
  .readonly()

export function toScript(steps: readonly GivenStep[]): Script {
  const last = steps.at(-1)
  return {turns: toTurns(steps), rest: last?.kind === 'rest' ? last.state : 'idle'}
}

function toTurns(steps: readonly GivenStep[]): Turn[] {
  const outcome = steps.some(({kind}) => kind === 'turn') ? null : 'settled'
  const turns: Turn[] = []
  let open: Turn | undefined
  for (const given of steps) {
    if (given.kind === 'rest') continue
    if (given.kind === 'turn') {
      turns.push({outcome: given.outcome, steps: given.steps.flatMap(toSteps)})
      open = undefined
      continue
    }
    if (open === undefined) turns.push((open = {outcome, steps: []}))
    open.steps.push(...toSteps(given))
  }
  return turns
}

function toSteps(given: Exclude<GivenStep, {kind: 'turn' | 'rest'}>): Step[] {
  switch (given.kind) {
    case 'say': {
      const {kind, images = []} = given
      return [{kind, fragments: toFragments(given), images}]
    }
    case 'draft':
      return [{kind: given.kind, fragments: toFragments(given)}]
    case 'assistant': {
      const {callId, text, delayMs} = given
      return [
        {kind: 'think', delayMs},
        {kind: 'fragment', callId, text},
      ]
    }
    case 'frame':
      return [{kind: 'frame', frame: toFrame(given)}]
    case 'tasks':
      return [{kind: 'tasks', text: given.text, tasks: given.tasks.map(toPlan)}]
    case 'status':
      return [{kind: 'state', state: given.state}]
    case 'entry':
      return [{kind: 'entry', entry: given.entry}]
    case 'think':
    case 'tool':
    case 'close':
    case 'error':
      return [given]
  }
}

function toFragments({
  fragments,
  delayMs,
}: {
  fragments: readonly string[]
  delayMs: number
}): Fragment[] {
  return fragments.map((text) => ({text, delayMs}))
}

/** As section 6.1 has it, but with whatever data was given. */
function toFrame({event, data, id}: z.infer<typeof frameSchema>): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

function toPlan({title, prompt, steps, rest}: GivenTask): TaskPlan {
  return {title, prompt: prompt ?? title, turns: toTurns(steps), rest}
}
