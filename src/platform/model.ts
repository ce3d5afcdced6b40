import {z} from 'zod'

/**
 * What the agent platform sends, as it stands in platform-api.md sections 2 and 6.
 *
 * Unknown fields pass through, and a value of an enumeration that is not listed arrives as the raw
 * string: the vocabulary grows (section 9.5), so nothing here may fail on a newer server.
 */

const text = z.string()
const nullableText = text.nullish().transform((value) => value ?? undefined)

/** A number of credits (1 credit = $0.001); the wire also has `Infinity`, `-Infinity`, `NaN`. Section 2.3. */
const credits = z.union([z.number(), z.enum(['Infinity', '-Infinity', 'NaN']).transform(Number)])

/** Usage totals, in credits. Section 2.3. */
const usageTotalsSchema = z.looseObject({
  llmCredits: credits,
  imageCredits: credits,
  vmCredits: credits,
  totalCredits: credits,
})

/** A thread. Section 2.1. Only what a client cannot do without is required. */
export const threadSchema = z.looseObject({
  id: text,
  projectId: nullableText,
  authorId: nullableText,
  title: nullableText,
  status: text,
  archived: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  usage: usageTotalsSchema.nullish().transform((value) => value ?? undefined),
  createdAt: text.nullish(),
  updatedAt: text.nullish(),
  lastActivityAt: nullableText,
  needsYou: z.boolean().nullish(),
})
export type Thread = z.infer<typeof threadSchema>

/** A transcript entry, the same in pages and in `transcript` frames. Section 2.6. */
export const entrySchema = z.looseObject({
  id: text,
  source: text,
  text: text.nullish().transform((value) => value ?? ''),
  createdAt: text.nullish(),
  tool: nullableText,
  callId: nullableText,
  model: nullableText,
  attachments: z.array(z.unknown()).nullish(),
  authorName: nullableText,
})
export type Entry = z.infer<typeof entrySchema>

/** The answer to a sent message; `id` is what cancel and send-now take. Section 2.8. */
export const receiptSchema = z.looseObject({id: text, deduped: z.boolean().nullish()})
export type Receipt = z.infer<typeof receiptSchema>

/** A project. Section 2.9. */
export const projectSchema = z.looseObject({
  id: text,
  name: text,
  description: nullableText,
  code: nullableText,
  repos: z
    .array(z.looseObject({repoFullName: text, baseBranch: nullableText}))
    .nullish()
    .transform((value) => value ?? []),
})
export type Project = z.infer<typeof projectSchema>

/** An active member of the key's organization; every `id` is valid as an `authorId`. Section 2.10. */
export const organizationUserSchema = z.looseObject({
  id: text,
  email: nullableText,
  firstName: nullableText,
  lastName: nullableText,
})
export type OrganizationUser = z.infer<typeof organizationUserSchema>

/** A model with its modes, as a request names it. Section 2.5. */
export interface ModelSelection {
  modelId: string
  reasoningMode?: 'none' | 'instant' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  modes?: {fast?: boolean; pro?: boolean; ultrafast?: boolean}
}

/** Section 4.1: how a message meets work in progress. The wire's default is `interrupt`. */
export type Delivery = 'interrupt' | 'queue' | 'steer'

/** Section 3.3. */
export const cancelOutcomeSchema = z.looseObject({outcome: text})
export type CancelOutcome = z.infer<typeof cancelOutcomeSchema>
export const sendNowOutcomeSchema = z.looseObject({outcome: text, id: text.optional()})
export type SendNowOutcome = z.infer<typeof sendNowOutcomeSchema>

/** A page of a list; a `null` cursor means caught up. Section 4.1 rule 4. */
export interface Page<Item> {
  items: Item[]
  cursor: string | null
}
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.looseObject({items: z.array(item), cursor: text.nullish().transform((v) => v ?? null)})
}

/** Statuses under which the agent works or will work by itself. Section 3.1, both vocabularies. */
const WORKING: ReadonlySet<string> = new Set(['active', 'working', 'waiting'])

/** Whether a poller stays in its loop: section 3.1, last sentence of the first paragraph. */
export function isWorking(status: string): boolean {
  return WORKING.has(status)
}
