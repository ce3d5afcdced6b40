import {createHash} from 'node:crypto'
import {z} from 'zod'
import type {Handling} from '../../inbox/worker.ts'
import type {InboxRow} from '../../store/tables/inbox.ts'
import type {Person} from '../../store/tables/people.ts'
import type {Start, StartStore} from '../../store/tables/work/starts.ts'
import type {Form} from '../incoming/form.ts'
import type {PersonsMessage} from '../incoming/message.ts'
import type {Press} from '../incoming/press.ts'
import {parseJson} from '../../security/foreign-json.ts'
import {texts} from '../texts.ts'
import {type ActResult, type Check, Refusal, type Standing} from './act.ts'

const optionSchema = z.string().optional()

const quotedSchema = z.object({
  author: z.string(),
  text: z.string(),
  files: z.array(z.string()),
  forwarded: z.array(z.object({author: z.string(), text: z.string()})),
})

/** Work that somebody asks for, as it stands in our table until it begins. */
export const startRequestSchema = z.object({
  /** The same however often it is handled: the platform creates one thread for it. */
  requestId: z.string(),
  channel: z.string(),
  /** Where it is to stand; under a new message of ours without. */
  slackThread: z.string().optional(),
  task: z.string(),
  options: z.object({
    project: optionSchema,
    repo: optionSchema,
    model: optionSchema,
    effort: optionSchema,
    modes: optionSchema,
    size: optionSchema,
    title: optionSchema,
    plan: optionSchema,
  }),
  files: z.array(
    z
      .object({
        id: z.string(),
        name: z.string(),
        mimetype: z.string(),
        size: z.number(),
        url: z.string().optional(),
        words: z.string().optional(),
      })
      .transform((file) => ({...file, url: file.url})),
  ),
  /** Whoever asked goes on without the files that can't go along. */
  isWithout: z.literal(true).optional(),
  forwarded: z.array(z.object({author: z.string(), text: z.string()})),
  /** The message that it is about. */
  picked: quotedSchema.optional(),
  pickedTs: z.string().optional(),
  /** It was offered, in the answer to this inbox row, and is asked for once somebody says so. */
  offeredIn: z.string().optional(),
  /** A rule of the channel began it, or asked whether to; or a step of a workflow began it. */
  rule: z
    .object({
      id: z.string(),
      name: z.string(),
      person: z.string().optional(),
      isWorkflow: z.literal(true).optional(),
    })
    .optional(),
  /** What was said in a Slack thread goes along. */
  earlier: z
    .object({
      channel: z.string(),
      slackThread: z.string(),
      beforeTs: z.string().optional(),
      isWhole: z.literal(true).optional(),
    })
    .optional(),
})
export type StartRequest = z.infer<typeof startRequestSchema>

/** Begins the work that somebody wishes for, exactly once; or answers what is wrong with the wish. */
export type Begin = (
  request: StartRequest,
  by: Person,
  handling: Handling,
) => Promise<ActResult | undefined>

/** In a Slack thread that has an agent, it asks for a second one. */
export const NEW = /^new(?:\s+|$)/i

/** Deterministic, so that however often a message is handled it is one thread (section 4.1 rule 1). */
export function messageRequestId(message: Pick<PersonsMessage, 'team' | 'channel' | 'ts'>): string {
  const {team, channel, ts} = message
  return `slack:${team}:${channel}:${ts}`
}

/** For whatever is no message: a row's key is the same for every delivery, and nobody else's. Section 8: at most 191 characters. */
export function requestIdOf(team: string, {key}: Pick<InboxRow, 'key'>): string {
  return `slack:${team}:${createHash('sha256').update(key).digest('base64url')}`
}

export function standingOfStart({id, user, request}: Start): Standing {
  return {channel: startRequestSchema.parse(request).channel, owners: [user], about: id}
}

/** On a button that bears the id of a start, in its channel: whoever asked for it. */
export function createOwnStart(starts: StartStore, tooOld: string): Check<Press, Start> {
  return {
    name: 'who asked',
    look: async ({team, channel, user, value}) => {
      const start = await starts.byId(value)
      const isHere = start?.team === team && standingOfStart(start).channel === channel
      if (!isHere) return new Refusal({text: tooOld})
      return start.user === user ? start : new Refusal({text: texts.talk.notYourQuestion})
    },
    standing: standingOfStart,
  }
}

const metadataSchema = z.object({start: z.string(), channel: z.string()})

/** The start that a form was opened for; `undefined` for other forms. */
export function startOfForm(metadata: unknown): string | undefined {
  return metadataSchema.safeParse(metadata).data?.start
}

/** Whoever opened a form sends it; what it was opened for stands in our table, for a while. */
export function createOwnForm(starts: StartStore, tooOld: string): Check<Form, Start> {
  return {
    name: 'who opened the form',
    look: async ({team, user, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      const start = data && (await starts.byId(data.start))
      const isTheirs =
        start?.team === team &&
        start.user === user &&
        standingOfStart(start).channel === data?.channel
      return isTheirs ? start : new Refusal({text: tooOld})
    },
    standing: standingOfStart,
  }
}
