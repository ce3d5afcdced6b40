import {z} from 'zod'
import {EFFORTS, MACHINE_SIZES} from '../model.ts'

/**
 * The records of section 2 as the platform's API document has them: what a platform has to send. Bosun itself reads with
 * `model.ts`, which takes less than that.
 *
 * Fields that are not named pass, since the vocabulary grows (section 9.5), but for records that take no others.
 */

const text = z.string()
const flag = z.boolean()
const count = z.int()
/** ISO 8601, in UTC with milliseconds: section "Conventions". */
export const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({format: 'date-time'})

/** Section 2.3: a number, or one of three words for what no number of JSON is. */
const credits = z.union([z.number(), z.enum(['Infinity', '-Infinity', 'NaN'])])

export const usageTotals = z
  .object({llmCredits: credits, imageCredits: credits, vmCredits: credits, totalCredits: credits})
  .meta({id: 'UsageTotals', description: 'In credits; 1 credit is 0.001 USD. Section 2.3.'})

export const avatar = z
  .object({
    kind: z.enum(['preset', 'emoji']),
    value: text,
    background: text,
    image: text.optional(),
  })
  .meta({id: 'Avatar', description: 'A face. Section 2.4.'})

export const modelSelection = z
  .object({
    modelId: text,
    reasoningMode: z.enum(EFFORTS).optional(),
    modes: z
      .strictObject({fast: flag.optional(), pro: flag.optional(), ultrafast: flag.optional()})
      .optional(),
  })
  .meta({id: 'ModelSelection', description: 'A model with its modes. Section 2.5.'})

export const machineSize = z.enum(MACHINE_SIZES)

/** Section 3.1: both value sets. */
export const THREAD_STATUSES = [
  ...(['active', 'working', 'waiting', 'pending_user', 'ready_for_review'] as const),
  ...(['idle', 'error', 'failed', 'archived'] as const),
]
/** Section 3.2. */
export const TASK_STATUSES = ['working', 'waiting', 'idle', 'done', 'failed'] as const

export const threadStatus = z
  .enum(THREAD_STATUSES)
  .meta({
    description:
      'Either `working waiting idle failed archived` or `active waiting pending_user ready_for_review idle error archived`. Section 3.1.',
  })
export const taskStatus = z.enum(TASK_STATUSES)

const threadFields = {
  id: text,
  projectId: text.nullable(),
  authorId: text.nullable(),
  previousAuthorId: text.nullable(),
  title: text.nullable(),
  titleCustom: flag,
  status: threadStatus,
  archived: flag,
  lastModelId: text.nullable(),
  pullRequestAuthor: z.enum(['user', 'svc']).nullable(),
  usage: usageTotals,
  createdAt: moment,
  updatedAt: moment,
  lastActivityAt: moment.nullable(),
  hasUnreads: flag,
  mentionCount: count,
  owed: flag,
  member: flag,
  needsYou: flag.optional(),
  crewNeedsYou: count.optional(),
  participated: flag.optional(),
  crewMentionCount: count.optional(),
  captain: z.object({jamId: text, name: text, avatar}).optional(),
  crewCount: count.optional(),
}

export const thread = z
  .object(threadFields)
  .meta({id: 'Thread', description: 'Work on the platform, with a transcript. Section 2.1.'})

export const captain = z
  .strictObject({...threadFields, personal: flag.optional(), name: text, avatar})
  .meta({id: 'Captain', description: 'A thread with a name and a face. Section 2.2.'})

export const message = z
  .object({
    id: text,
    source: z.enum(['user', 'assistant', 'tool']),
    text,
    createdAt: moment,
    tool: text.optional().meta({description: 'On tool entries: the name of the tool.'}),
    callId: text.optional().meta({description: 'On assistant entries: the delivery call.'}),
    model: text.optional(),
    attachments: z.array(z.unknown()).optional(),
    authorName: text.optional(),
  })
  .meta({id: 'Message', description: 'An entry of a transcript. Section 2.6.'})

export const task = z
  .object({
    id: text,
    taskPath: text.regex(/^\d+(?:\.\d+)*$/),
    status: taskStatus,
    archived: flag,
    title: text.nullable(),
    usage: usageTotals,
  })
  .meta({id: 'Task', description: 'A read-only child of a thread. Section 2.7.'})

export const receipt = z
  .object({id: text, deduped: flag})
  .meta({id: 'MessageReceipt', description: '`id` is what cancel and send-now take. Section 2.8.'})

export const project = z
  .object({
    id: text,
    name: text,
    description: text.nullable(),
    code: text.nullable(),
    repos: z.array(z.object({repoFullName: text, baseBranch: text})),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({id: 'Project', description: 'Section 2.9.'})

export const organizationUser = z
  .object({id: text, email: text, firstName: text, lastName: text})
  .meta({id: 'OrganizationUser', description: 'An active member. Section 2.10.'})

const schedule = z.object({type: z.literal('schedule'), cron: text, timezone: text})
/** Its other fields are not documented, nor are other types. */
const otherTrigger = z.looseObject({type: z.string()})

export const automation = z
  .object({
    id: text,
    projectId: text,
    name: text.nullish(),
    description: text.nullish(),
    prompt: text,
    triggers: z.array(z.union([schedule, otherTrigger])),
    model: modelSelection.nullish(),
    repos: z.array(z.object({repo: text, branch: text})).nullish(),
    threadMode: text.nullish(),
    chatImpersonation: flag.nullish(),
    singleJamId: text.nullish(),
    mcpOverrides: z
      .object({enabled_server_keys: z.array(text), disabled_server_keys: z.array(text)})
      .nullish(),
    maxRunsPerDay: count.nullish(),
    machineSize: machineSize.nullish(),
    organize: z.object({pin: flag, folders: z.array(text), tags: z.array(text)}).nullish(),
    enabled: flag,
    deleted: flag,
    disabledReason: text.nullish(),
    runAsKind: text.nullish(),
    runAsId: text.nullish(),
    runCount: count.nullish(),
    lastTriggeredAt: moment.nullish(),
    createdAt: moment,
    updatedAt: moment,
    webhookUrl: text
      .nullish()
      .meta({
        description:
          'A secret. Only on the first answer to a creation with an `incoming_webhook` trigger; null on its replay; else left out.',
      }),
  })
  .meta({id: 'Automation', description: 'Unset fields are null or left out. Section 2.11.'})

const coverage = {codehostRepoId: count.nullish(), covered: flag.nullish()}

export const reviewRule = z
  .object({
    id: text,
    body: text,
    scopes: z
      .array(
        z.object({repo: text, paths: z.array(text), ...coverage, heldByCaller: flag.nullish()}),
      )
      .nullish(),
    file: z.object({repo: text, path: text, ...coverage}).nullish(),
    status: text,
    source: text,
    sourceRef: text.nullish(),
    createdByUserId: text.nullish(),
    createdByName: text.nullish(),
    firedCount: count.nullish(),
    lastFired: z.object({repo: text, prNumber: count, at: moment}).nullish(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({id: 'ReviewRule', description: 'Section 2.12.'})

export const filterRule = z
  .object({
    id: text,
    repo: text,
    codehostRepoId: count.nullish(),
    conditions: z.array(z.object({field: text, not: flag, values: z.array(text)})),
    source: text,
    createdByUserId: text.nullish(),
    createdByName: text.nullish(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({id: 'ReviewFilterRule', description: 'Section 2.13.'})

export const reviewRound = z
  .object({
    reviewId: text,
    requestId: text,
    threadId: text,
    headSha: text,
    adopted: flag,
    sourceRecorded: flag,
  })
  .meta({id: 'ReviewRound', description: 'Section 2.14.'})

export const billingTransfer = z
  .object({
    repo: text,
    billingOrgId: text,
    offer: z.object({fromOrgId: text, toOrgId: text, createdAt: moment}),
  })
  .meta({id: 'BillingTransfer', description: 'Section 2.15.'})

export const verification = z
  .union([
    z.object({
      valid: z.literal(true),
      threadId: text,
      projectId: text.nullable(),
      orgId: text,
      userId: text.nullable(),
      instanceId: text,
      issuedAt: moment,
      expiresAt: moment,
    }),
    z.looseObject({valid: z.literal(false)}),
  ])
  .meta({
    id: 'SessionVerification',
    description:
      'Of a token that is not valid a field without a documented name says `expired` or `invalid`. Section 2.17.',
  })
