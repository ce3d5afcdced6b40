import {readFileSync} from 'node:fs'
import {z} from 'zod'
import {FEATURES, modelHealth, modelRejection} from '../../../src/platform/contract/refusals.ts'

const id = z.string().min(1)
const flag = (fallback: boolean) => z.boolean().default(fallback)

const userSchema = z.strictObject({
  id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** Only active members are listed, and valid as an `authorId`. Section 2.10. */
  active: flag(true),
})

const projectSchema = z.strictObject({
  id,
  name: z.string(),
  description: z.string().default(''),
  code: z.string(),
  repos: z.array(z.strictObject({repoFullName: z.string(), baseBranch: z.string()})).default([]),
})

const humanKeySchema = z.strictObject({kind: z.literal('human'), userId: id})
const serviceKeySchema = z.strictObject({
  kind: z.literal('service'),
  name: z.string(),
  role: z.enum(['read_only', 'read_write', 'admin']),
  /** The allowlist of section 5.3; without one the key reaches every project. */
  projectIds: z.array(id).optional(),
})
const keySchema = z.discriminatedUnion('kind', [humanKeySchema, serviceKeySchema])
export type KeySeed = z.infer<typeof keySchema>

const repositorySchema = z.strictObject({
  fullName: z.string(),
  codehostRepoId: z.int(),
  /** Whether the organization's code-hosting installation covers it. Section 4.8. */
  covered: flag(true),
  /** Section 2.15: a pending offer to take over the costs of its reviews. */
  billingTransfer: z
    .strictObject({billingOrgId: z.string(), fromOrgId: z.string(), toOrgId: z.string()})
    .optional(),
})

export const pullRequestSchema = z.strictObject({
  repo: z.string(),
  number: z.int().positive(),
  title: z.string().default(''),
  state: z.enum(['open', 'draft', 'closed']).default('open'),
  headSha: z.string(),
  baseSha: z.string(),
  /** Whether the provider lets the service read it. Section 4.8. */
  readable: flag(true),
})

const modelSchema = z.strictObject({
  modelId: id,
  name: z.string(),
  billingLabel: z.string(),
  /** A model whose choice a captain is refused, and why. Section 7. */
  refused: z
    .strictObject({rejection: modelRejection.optional(), health: modelHealth.strict().optional()})
    .optional(),
})
export type ModelSeed = z.infer<typeof modelSchema>

const seedSchema = z.strictObject({
  organizationId: id,
  users: z.array(userSchema).min(1),
  projects: z.array(projectSchema).min(1),
  /** By the name under which the ready line lists them. */
  keys: z
    .object({human: keySchema, readWrite: keySchema, readOnly: keySchema, scoped: keySchema})
    .catchall(keySchema),
  repositories: z.array(repositorySchema).default([]),
  pullRequests: z.array(pullRequestSchema).default([]),
  folders: z.array(z.strictObject({id, name: z.string(), shared: flag(true)})).default([]),
  /** Threads of one member that no project holds; a shared folder refuses them. Section 4.6. */
  personalThreads: z.array(z.strictObject({id, authorId: id, title: z.string()})).default([]),
  reviewFilters: z
    .array(
      z.strictObject({
        id,
        repo: z.string(),
        conditions: z.array(
          z.strictObject({field: z.string(), not: flag(false), values: z.array(z.string())}),
        ),
        createdByUserId: id,
      }),
    )
    .default([]),
  /** The first one is the default. */
  models: z.array(modelSchema).min(1),
  /** Features that the organization's plan does not have. */
  unavailableFeatures: z.array(z.enum(FEATURES)).default([]),
})

/** What the platform holds at its first start. */
export type Seed = z.infer<typeof seedSchema>
/** The same as it is written, without what has a default. */
export type SeedInput = z.input<typeof seedSchema>

/** Completes and checks a seed; throws an `Error` that names each field that is wrong. */
export function parseSeed(input: unknown, source: string): Seed {
  const parsed = seedSchema.safeParse(input)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({path, message}) => `${path.join('.')}: ${message}`)
  throw new Error(`The seed ${source} is not usable: ${issues.join('; ')}.`)
}

/** Reads a seed from a JSON file. */
export function readSeed(file: string): Seed {
  let input: unknown
  try {
    input = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`The seed ${file} is not readable as JSON: ${String(cause)}.`, {cause})
  }
  return parseSeed(input, file)
}
