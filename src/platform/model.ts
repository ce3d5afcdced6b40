import {z} from 'zod'
import {Secret} from '../security/secret.ts'
import {boundedId, excerpt} from './excerpt.ts'
import {ownWords} from './own-words.ts'

/**
 * What the agent platform sends: section 2 of its API document.
 *
 * Unknown fields pass through, a value of an enumeration that is not listed arrives as the raw string,
 * and only what a client cannot do without is required: the vocabulary grows (section 9.5), so nothing
 * here may fail on a newer server. What is unset, `null` or missing, is `undefined`, and so is what is not as
 * documented: no side field may cost a thread or an entry.
 */

const text = z.string()
export const textIfSet = ifSet(text)
const momentIfSet = ifSet(text.transform(inUtc))
/** Of entries: a transcript has thousands of them, and no name is longer. */
const id = text.transform(boundedId)
const nameIfSet = ifSet(text.transform((name) => excerpt(name, 200)))
/** One that says nothing is none. */
const titleIfSet = ifSet(text.transform((title) => ownWords(title) || undefined))
export const flagIfSet = ifSet(z.boolean())
const countIfSet = ifSet(z.number())
const falseUnlessSet = flagIfSet.transform((value) => value ?? false)

function ifSet<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined)
}

/** Moments are UTC (ISO 8601, conventions) also where they name no zone; `Date.parse` takes such for the machine's own. */
function inUtc(moment: string): string {
  const [date, time] = [moment.slice(0, 10), moment.slice(11)]
  const isPlain = moment[4] === '-' && moment[7] === '-' && time !== ''
  const isZoned = ['Z', 'z', '+', '-'].some((sign) => time.includes(sign))
  return isPlain && !isZoned ? `${date}T${time}Z` : moment
}

/** One that is not as documented costs no other one. */
function listIfSet<Item extends z.ZodType>(item: Item) {
  return ifSet(z.array(ifSet(item))).transform((items = []) =>
    items.filter((one) => one !== undefined),
  )
}

/**
 * A number of credits (1 credit = $0.001); the wire also has `Infinity`, `-Infinity`, `NaN`. Section 2.3. Budgets count
 * it: one that came as a string is a number all the same, and one that is none costs the others nothing.
 */
const creditsIfSet = ifSet(
  z.union([
    z.number(),
    z
      .string()
      .regex(/^(?:-?Infinity|NaN|\d+(?:\.\d+)?)$/)
      .transform(Number),
  ]),
)

/** Usage totals, in credits. Section 2.3. */
const usageTotalsSchema = z.looseObject({
  llmCredits: creditsIfSet,
  imageCredits: creditsIfSet,
  vmCredits: creditsIfSet,
  totalCredits: creditsIfSet,
})

/** A face: a preset's name or an emoji. Section 2.4. */
const avatarSchema = z.looseObject({
  kind: text,
  value: text,
  background: textIfSet,
  image: textIfSet,
})

/** A thread. Section 2.1. */
export const threadSchema = z.looseObject({
  id: text,
  projectId: textIfSet,
  authorId: textIfSet,
  previousAuthorId: textIfSet,
  title: titleIfSet,
  titleCustom: flagIfSet,
  /** Of either vocabulary of section 3.1: see `isWorking`. */
  status: text,
  archived: falseUnlessSet,
  lastModelId: textIfSet,
  /** `svc`: the service's own code-hosting app. Unset: the acting human's preference decides. */
  pullRequestAuthor: textIfSet,
  /** Of the thread and all tasks under it. */
  usage: ifSet(usageTotalsSchema),
  createdAt: momentIfSet,
  updatedAt: momentIfSet,
  lastActivityAt: momentIfSet,
  hasUnreads: flagIfSet,
  mentionCount: countIfSet,
  owed: flagIfSet,
  member: flagIfSet,
  needsYou: flagIfSet,
  crewNeedsYou: countIfSet,
  participated: flagIfSet,
  crewMentionCount: countIfSet,
  captain: ifSet(z.looseObject({jamId: textIfSet, name: text, avatar: ifSet(avatarSchema)})),
  crewCount: countIfSet,
  /** It is its author's alone. Section 2.2 lists it for captains; whatever record bears it is taken at its word. */
  personal: z
    .unknown()
    .optional()
    .transform((mark) => (mark === undefined || mark === null ? undefined : mark !== false)),
})
export type Thread = z.infer<typeof threadSchema>

/** A captain: a thread with a name and a face. Section 2.2. */
export const captainSchema = threadSchema.extend({name: text, avatar: avatarSchema})
export type Captain = z.infer<typeof captainSchema>

/** A transcript entry, the same in pages and in `transcript` frames. Section 2.6. */
export const entrySchema = z.looseObject({
  id,
  source: text,
  text: text.nullish().transform((value) => value ?? ''),
  createdAt: text.transform(inUtc).nullish().catch(undefined),
  tool: nameIfSet,
  callId: ifSet(id),
  model: nameIfSet,
  /** The shape of an attachment is not documented; one that stands alone is a list of one. */
  attachments: z.union([z.array(z.unknown()), z.unknown().transform((value) => [value])]).nullish(),
  authorName: nameIfSet,
})
export type Entry = z.infer<typeof entrySchema>

/** A task under a thread. Section 2.7. */
export const taskSchema = z.looseObject({
  id: text,
  /** From the thread's root, for example `1.2`: the second task under the first. */
  taskPath: text,
  status: text,
  archived: falseUnlessSet,
  title: textIfSet,
  /** Of the task and all tasks under it. */
  usage: ifSet(usageTotalsSchema),
})
export type Task = z.infer<typeof taskSchema>

/** A project. Section 2.9. */
export const projectSchema = z.looseObject({
  id: text,
  name: text,
  description: textIfSet,
  code: textIfSet,
  repos: listIfSet(z.looseObject({repoFullName: text, baseBranch: textIfSet})),
  createdAt: momentIfSet,
  updatedAt: momentIfSet,
})
export type Project = z.infer<typeof projectSchema>

/** An active member of the key's organization; every `id` is valid as an `authorId`. Section 2.10. */
export const organizationUserSchema = z.looseObject({
  id: text,
  email: textIfSet,
  firstName: textIfSet,
  lastName: textIfSet,
})
export type OrganizationUser = z.infer<typeof organizationUserSchema>

/** An automation. Section 2.11. */
export const automationSchema = z.looseObject({
  id: text,
  projectId: textIfSet,
  name: textIfSet,
  description: textIfSet,
  prompt: textIfSet,
  /** A schedule's `cron` and `timezone` are documented; every other trigger keeps its raw fields. */
  triggers: listIfSet(z.looseObject({type: text, cron: textIfSet, timezone: textIfSet})),
  model: ifSet(
    z.looseObject({
      modelId: text,
      reasoningMode: textIfSet,
      modes: ifSet(z.looseObject({fast: flagIfSet, pro: flagIfSet, ultrafast: flagIfSet})),
    }),
  ),
  repos: listIfSet(z.looseObject({repo: text, branch: textIfSet})),
  threadMode: textIfSet,
  chatImpersonation: flagIfSet,
  singleJamId: textIfSet,
  mcpOverrides: ifSet(
    z.looseObject({enabled_server_keys: listIfSet(text), disabled_server_keys: listIfSet(text)}),
  ),
  maxRunsPerDay: countIfSet,
  machineSize: textIfSet,
  organize: ifSet(z.looseObject({pin: flagIfSet, folders: listIfSet(text), tags: listIfSet(text)})),
  enabled: flagIfSet,
  deleted: falseUnlessSet,
  disabledReason: textIfSet,
  runAsKind: textIfSet,
  runAsId: textIfSet,
  runCount: countIfSet,
  lastTriggeredAt: momentIfSet,
  createdAt: momentIfSet,
  updatedAt: momentIfSet,
  /** Comes once, with the first answer to a creation; `null` on its replay, then never again. */
  webhookUrl: z
    .union([text.transform((url) => new Secret(url)), z.null()])
    .optional()
    .catch(undefined),
})
export type Automation = z.infer<typeof automationSchema>

const coverage = {codehostRepoId: countIfSet, covered: flagIfSet}

/** A review rule. Section 2.12. */
export const reviewRuleSchema = z.looseObject({
  id: text,
  body: textIfSet,
  scopes: listIfSet(
    z.looseObject({repo: text, paths: listIfSet(text), ...coverage, heldByCaller: flagIfSet}),
  ),
  file: ifSet(z.looseObject({repo: text, path: text, ...coverage})),
  status: textIfSet,
  source: textIfSet,
  sourceRef: textIfSet,
  createdByUserId: textIfSet,
  createdByName: textIfSet,
  firedCount: countIfSet,
  lastFired: ifSet(z.looseObject({repo: text, prNumber: z.number(), at: text})),
  createdAt: momentIfSet,
  updatedAt: momentIfSet,
})
export type ReviewRule = z.infer<typeof reviewRuleSchema>

/** A rule of the review filter. Section 2.13. */
export const filterRuleSchema = z.looseObject({
  id: text,
  repo: textIfSet,
  codehostRepoId: countIfSet,
  conditions: listIfSet(z.looseObject({field: text, not: falseUnlessSet, values: listIfSet(text)})),
  source: textIfSet,
  createdByUserId: textIfSet,
  createdByName: textIfSet,
  createdAt: momentIfSet,
  updatedAt: momentIfSet,
})
export type FilterRule = z.infer<typeof filterRuleSchema>

/** A review round. Section 2.14. */
export const reviewRoundSchema = z.looseObject({
  reviewId: text,
  requestId: textIfSet,
  threadId: textIfSet,
  headSha: textIfSet,
  /** The round was there already, and nothing new runs. */
  adopted: falseUnlessSet,
  /** The round's outcome will be delivered into the thread that asked. */
  sourceRecorded: falseUnlessSet,
})
export type ReviewRound = z.infer<typeof reviewRoundSchema>

/** A billing transfer. Section 2.15. */
export const billingTransferSchema = z.looseObject({
  repo: text,
  billingOrgId: textIfSet,
  offer: ifSet(z.looseObject({fromOrgId: textIfSet, toOrgId: textIfSet, createdAt: momentIfSet})),
})
export type BillingTransfer = z.infer<typeof billingTransferSchema>

/** What the platform lists. Of what is not as documented the others are listed all the same, unless nothing is. */
export function itemsOf<Item extends z.ZodType>(item: Item) {
  return z.array(ifSet(item)).transform((all, context): z.output<Item>[] => {
    const good = all.filter((one) => one !== undefined)
    const isNothing = all.length > 0 && good.length === 0
    if (isNothing)
      context.addIssue({code: 'custom', path: [0], message: 'Nothing is as documented'})
    return good
  })
}

/** A page of a list; a `null` cursor means caught up. Section 4.1 rule 4. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.looseObject({items: itemsOf(item), cursor: text.nullish().transform((v) => v ?? null)})
}

/** How long a model thinks: the reasoning modes of section 2.5. */
export const EFFORTS = [
  ...(['none', 'instant', 'minimal', 'low'] as const),
  ...(['medium', 'high', 'xhigh', 'max'] as const),
]
export type Effort = (typeof EFFORTS)[number]

/** How else a model may work, several at once. Section 2.5. */
export const MODES = ['fast', 'pro', 'ultrafast'] as const
export type Mode = (typeof MODES)[number]

/** A model with its modes, as a request names it. Section 2.5. */
export interface ModelSelection {
  modelId: string
  reasoningMode?: Effort
  modes?: {[Name in Mode]?: boolean}
}

/** A face, as a request gives it. Section 2.4. */
export interface Avatar {
  kind: 'preset' | 'emoji'
  value: string
  background: string
  image?: string
}

/** Section 2.11. */
export const MACHINE_SIZES = ['small', 'medium', 'large', 'ultra', 'hyper', 'bigguy'] as const
export type MachineSize = (typeof MACHINE_SIZES)[number]

/** Section 4.1: how a message meets work in progress. The wire's default is `interrupt`. */
export type Delivery = 'interrupt' | 'queue' | 'steer'

/** Statuses under which the agent works or will work by itself. Section 3.1, both vocabularies. */
export const WORKING = ['active', 'working', 'waiting'] as const
const working: ReadonlySet<string> = new Set(WORKING)

/** Whether a poller stays in its loop: section 3.1, last sentence of the first paragraph. Without a status it has none. */
export function isWorking(status: string | undefined): boolean {
  return status !== undefined && working.has(status)
}
