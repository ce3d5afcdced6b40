import {z} from 'zod'
import {requestId} from '../../../src/platform/contract/bodies.ts'
import {machineSize} from '../../../src/platform/contract/records.ts'
import {modelSchema, wordsSchema} from '../edge/schemas.ts'
import {findCronMistake, isTimezone} from './cron.ts'

const filterSchema = z.strictObject({
  /** Where the value stands in the event: names joined by dots. */
  field: z.string().min(1),
  values: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1),
})
export type Filter = z.infer<typeof filterSchema>

const scheduleSchema = z.strictObject({
  type: z.literal('schedule'),
  cron: z.string().max(200),
  timezone: z.string().max(200),
})
const webhookSchema = z.strictObject({
  type: z.literal('incoming_webhook'),
  /** All of them must match; without any, every event does. */
  filters: z.array(filterSchema).optional(),
})
const triggerSchema = z.discriminatedUnion('type', [scheduleSchema, webhookSchema])
type Trigger = z.infer<typeof triggerSchema>
export type WebhookTrigger = z.infer<typeof webhookSchema>
type ScheduleTrigger = z.infer<typeof scheduleSchema>

const serverKeysSchema = z.array(z.string()).default([])

/** What the creator decides once: section 4.7 knows no update. */
export const definitionSchema = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  prompt: wordsSchema,
  triggers: z.array(triggerSchema).default([]),
  model: modelSchema.optional(),
  repos: z.array(z.object({repo: z.string(), branch: z.string()})).default([]),
  threadMode: z.enum(['new', 'single']).default('new'),
  chatImpersonation: z.boolean().default(false),
  singleJamId: z.string().optional(),
  mcpOverrides: z
    .object({enabled_server_keys: serverKeysSchema, disabled_server_keys: serverKeysSchema})
    .optional(),
  maxRunsPerDay: z.int().min(1).optional(),
  machineSize: machineSize.optional(),
  organize: z
    .object({
      pin: z.boolean().default(false),
      folders: z.array(z.string()).default([]),
      tags: z.array(z.string()).default([]),
    })
    .optional(),
})
export type Definition = z.infer<typeof definitionSchema>

/** The body of `POST /automations`. */
export const creationSchema = definitionSchema
  .extend({
    requestId,
    projectId: z.string(),
    enabled: z.boolean().default(true),
    triggers: z.array(triggerSchema.superRefine(checkSchedule)).default([]),
    /** On whose behalf it runs, if not its creator's. */
    runAsKind: z.literal('human').optional(),
    runAsId: z.string().optional(),
  })
  .superRefine(({runAsKind, runAsId}, context) => {
    if ((runAsKind === undefined) === (runAsId === undefined)) return
    const path = [runAsKind === undefined ? 'runAsKind' : 'runAsId']
    context.addIssue({code: 'custom', path, message: 'goes with the other one'})
  })
export type Creation = z.infer<typeof creationSchema>

function checkSchedule(trigger: Trigger, context: z.RefinementCtx): void {
  if (trigger.type !== 'schedule') return
  const refuse = (field: keyof ScheduleTrigger, message: string): void =>
    context.addIssue({code: 'custom', path: [field], message})
  const mistake = findCronMistake(trigger.cron)
  if (mistake !== undefined) refuse('cron', mistake)
  if (!isTimezone(trigger.timezone)) refuse('timezone', 'is not a time zone')
}

export function schedulesOf({triggers}: Definition): ScheduleTrigger[] {
  return triggers.filter((trigger) => trigger.type === 'schedule')
}

export function webhooksOf({triggers}: Definition): WebhookTrigger[] {
  return triggers.filter((trigger) => trigger.type === 'incoming_webhook')
}
