import {z} from 'zod'
import {avatar, machineSize, modelSelection} from './records.ts'

/** The bodies of section 4's requests. */

const text = z.string()

/** A text of 1 to `max` characters, as people count them; halves of characters are none. */
export function boundedText(max: number): z.ZodType<string> {
  return text
    .refine((value) => {
      const length = Array.from(value).length
      return length >= 1 && length <= max && value.isWellFormed()
    }, `must have 1 to ${max} characters`)
    .meta({minLength: 1, maxLength: max})
}

/** Section 8. */
export const requestId = boundedText(191)

export const newThread = z.object({
  requestId,
  projectId: text,
  message: text,
  title: text.optional(),
  model: modelSelection.optional(),
  machineSize: machineSize.optional(),
  authorId: text.optional(),
})

export const newMessage = z.object({
  text,
  model: modelSelection.optional(),
  delivery: z.enum(['interrupt', 'queue', 'steer']).default('interrupt'),
})

export const newCaptain = z.strictObject({
  requestId,
  projectId: text,
  name: boundedText(100),
  brief: text.optional(),
  model: modelSelection.optional(),
  avatar: avatar.optional(),
  authorId: text.optional(),
})

export const filing = z.object({threadIds: z.array(text)})

const trigger = z.union([
  z.object({type: z.literal('schedule'), cron: text, timezone: text}),
  z.looseObject({type: z.literal('incoming_webhook')}),
])

/** Only the first two are named for creation; the others are those of section 2.11 that somebody decides. */
export const newAutomation = z.object({
  requestId,
  projectId: text,
  name: text.optional(),
  description: text.optional(),
  prompt: text.optional(),
  triggers: z.array(trigger).optional(),
  model: modelSelection.optional(),
  repos: z.array(z.object({repo: text, branch: text})).optional(),
  threadMode: text.optional(),
  chatImpersonation: z.boolean().optional(),
  singleJamId: text.optional(),
  mcpOverrides: z
    .object({enabled_server_keys: z.array(text), disabled_server_keys: z.array(text)})
    .optional(),
  maxRunsPerDay: z.int().optional(),
  machineSize: machineSize.optional(),
  organize: z
    .object({pin: z.boolean(), folders: z.array(text), tags: z.array(text)})
    .partial()
    .optional(),
  enabled: z.boolean().optional(),
  runAsKind: text.optional(),
  runAsId: text.optional(),
})

export const newReview = z.object({
  repo: text,
  prNumber: z.int(),
  idempotencyKey: text.optional(),
  forceRefresh: z.boolean().optional(),
  sourceThreadId: text.optional(),
})

export const newReviewRule = z.object({
  body: text,
  scopes: z.array(z.object({repo: text, paths: z.array(text)})).optional(),
  file: z.object({repo: text, path: text}).optional(),
})

export const decline = z.object({repo: text})

/** The name of the field is not documented. */
export const verify = z.object({token: text})

/** Any JSON object. */
export const event = z.record(z.string(), z.unknown())
