import {z} from 'zod'
import {namesNone} from '../../agents/models/model-choice.ts'
import {LIMITS, MAX} from '../../features/rules/entry.ts'
import {readPattern} from '../../features/rules/pattern.ts'
import {PLACES, placesIn} from '../../features/rules/template.ts'
import {isZone} from '../../inbox/zones.ts'
import {EFFORTS, MACHINE_SIZES, MODES} from '../../platform/model.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import {NOISES} from '../../store/tables/choices.ts'
import {MAX_ALIASES} from '../../store/tables/models.ts'
import {MAX_RULES} from '../../store/tables/rules/rules.ts'

/**
 * What a file says of one workspace. Whatever is absent is not chosen; `null` is a choice, too: none, whatever the workspace
 * says. Keys of the platform are named by label and last four letters, and nothing in here is a secret.
 */

/** The key of the environment. */
export const ENVIRONMENT = 'environment'
export const WEEKDAYS = [
  ...(['sunday', 'monday', 'tuesday', 'wednesday'] as const),
  ...(['thursday', 'friday', 'saturday'] as const),
]
const MAX_TIMES = 10_000
const MAX_DOLLARS = 9_999_999.99
const MAX_INSTRUCTIONS = 3000
const MAX_NAME = 200
const HALF_HOUR = /^(?:[01]\d|2[0-3]):(?:00|30)$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

const word = z.string().min(1).max(MAX_NAME)
/** Somebody who was forgotten is nobody. */
const person = z
  .string()
  .regex(new RegExp(`^(?:[UW][A-Z0-9]+|${NOBODY})$`), {
    error: 'must be the id of somebody, as U012AB3CD',
  })
const times = z.int().min(1).max(MAX_TIMES).nullable().optional()
const dollars = z
  .number()
  .min(0)
  .max(MAX_DOLLARS)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, {
    error: 'must be dollars, with cents at most',
  })
  .nullable()
  .optional()

/** By its id, or as people call it: then the platform says which one is meant. */
const project = z.union([word, z.strictObject({id: word, name: word.optional()})], {
  error: 'must be the name of a project, or {id: …, name: …}',
})

const allowed = z.union(
  [
    z.literal('everyone'),
    z.strictObject({group: z.string().regex(/^S[A-Z0-9]+$/)}),
    z.strictObject({people: z.array(person)}),
  ],
  {error: 'must be everyone, {group: S012AB3CD} or {people: [U012AB3CD, …]}'},
)

const settingsSchema = z.strictObject({
  connection: word.optional(),
  project: project.nullable().optional(),
  model: word.nullable().optional(),
  effort: z.enum(EFFORTS).nullable().optional(),
  modes: z.array(z.enum(MODES)).optional(),
  machineSize: z.enum(MACHINE_SIZES).nullable().optional(),
  followUps: z.enum(['everyone', 'mention']).optional(),
  noise: z.enum(NOISES).optional(),
  allowed: allowed.optional(),
  guests: z.boolean().optional(),
  externals: z.boolean().optional(),
  planFirst: z.boolean().optional(),
  longReplies: z.enum(['file', 'canvas']).optional(),
  fixPullRequests: z.boolean().optional(),
  workflows: z.boolean().optional(),
  rooms: z.enum(['asked', 'long', 'always']).optional(),
  instructions: z.string().min(1).max(MAX_INSTRUCTIONS).nullable().optional(),
  startsPerPerson: times,
  startsPerChannel: times,
  budgetPerWork: dollars,
  budgetPerPersonDay: dollars,
  budgetPerPersonMonth: dollars,
  budgetPerChannelDay: dollars,
  budgetPerChannelMonth: dollars,
})

const digestSchema = z.strictObject({
  every: z.enum(['day', 'workday', ...WEEKDAYS]),
  at: z.string().regex(HALF_HOUR, {error: 'must be a full or half hour, as "09:30"'}),
  zone: z.string().refine(isZone, {error: 'must be a time zone, as Europe/Berlin'}),
})

const watchSchema = z.strictObject({project, connection: word.optional()})

const limit = ({least, most, usual}: (typeof LIMITS)[keyof typeof LIMITS]) =>
  z.int().min(least).max(most).default(usual)

const quietSchema = z
  .strictObject({
    from: z.string().regex(TIME, {error: 'must be a time, as "22:00"'}),
    to: z.string().regex(TIME, {error: 'must be a time, as "07:30"'}),
    zone: z.string().refine(isZone, {error: 'must be a time zone, as Europe/Berlin'}),
  })
  .refine(({from, to}) => from !== to, {error: 'must not begin when it ends'})

const ruleSchema = z
  .strictObject({
    name: z.string().min(1).max(MAX.name),
    on: z.boolean().default(false),
    app: z
      .string()
      .regex(/^[AB][A-Z0-9]{2,30}$/, {error: 'must be the id of an app or a bot, as A012AB3CD'}),
    appName: z.string().min(1).optional(),
    pattern: z.string().default(''),
    does: z.enum(['start', 'ask']),
    task: z.string().min(1).max(MAX.task),
    key: z.string().min(1).max(MAX.key).optional(),
    windowMinutes: limit(LIMITS.windowMinutes),
    perHour: limit(LIMITS.perHour),
    perDay: limit(LIMITS.perDay),
    quiet: quietSchema.optional(),
    person: person.optional(),
  })
  .superRefine(({pattern, task, key = ''}, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({code: 'custom', path: [path], message})
    const read = readPattern(pattern)
    if ('why' in read) {
      wrong('pattern', `cannot be read: ${read.why}`)
      return
    }
    const known: readonly string[] = [...PLACES, ...read.pattern.names]
    for (const [path, text] of [['task', task] as const, ['key', key] as const]) {
      const unknown = placesIn(text).find((place) => !known.includes(place))
      if (unknown !== undefined) wrong(path, `{${unknown}} is no group of the pattern`)
    }
  })

/** What it holds is secret, so a file makes none and removes none. */
const hookSchema = z.strictObject({
  address: z.string().regex(/^\/hooks\/\w+$/, {error: 'must be the address, as /hooks/3f2a…'}),
  on: z.boolean(),
  follows: z.boolean(),
})

const channelSchema = z.strictObject({
  settings: settingsSchema.optional(),
  digest: digestSchema.optional(),
  watches: z.array(watchSchema).optional(),
  rules: z.array(ruleSchema).max(MAX_RULES).optional(),
  hooks: z.array(hookSchema).optional(),
})

const aliasSchema = z.strictObject({
  connection: word,
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,30}$/i, {error: 'must be 1 to 30 letters, digits and -'})
    .refine((name) => !namesNone(name), {error: 'stands for no model already'}),
  model: word,
  effort: z.enum(EFFORTS).optional(),
  modes: z.array(z.enum(MODES)).optional(),
})

export const documentSchema = z
  .strictObject({
    team: z.string().regex(/^T[A-Z0-9]+$/, {error: 'must be the id of a workspace, as T012AB3CD'}),
    workspace: settingsSchema.optional(),
    channels: z
      .record(
        z.string().regex(/^[CDG][A-Z0-9]+$/, {error: 'must be the id of a channel, as C012AB3CD'}),
        channelSchema,
      )
      .optional(),
    models: z.array(aliasSchema).optional(),
  })
  .superRefine(({models = []}, context) => {
    const byConnection = Map.groupBy(models, ({connection}) => connection)
    for (const [index, {connection, name, model}] of models.entries()) {
      const all = byConnection.get(connection) ?? []
      const isNamed = (said: string) => (other: {name: string}) =>
        other.name.toLowerCase() === said.toLowerCase()
      const wrong = (path: string, message: string) =>
        context.addIssue({code: 'custom', path: ['models', index, path], message})
      if (all.filter(isNamed(name)).length > 1) wrong('name', `${name} is there twice`)
      if (all.some(isNamed(model))) wrong('model', `${model} is a name itself: give the model’s id`)
    }
    for (const [connection, {length}] of byConnection) {
      if (length <= MAX_ALIASES) continue
      const message = `has ${length} names for ${connection}, and there is room for ${MAX_ALIASES}`
      context.addIssue({code: 'custom', path: ['models'], message})
    }
  })

/** As it is written; what is said of projects and connections is yet to be looked up. */
export type Document = z.infer<typeof documentSchema>
export type FileSettings = z.infer<typeof settingsSchema>
export type FileChannel = z.infer<typeof channelSchema>
export type FileRule = z.infer<typeof ruleSchema>
export type FileProject = z.infer<typeof project>

export const SETTING_NAMES = Object.keys(settingsSchema.shape) as (keyof FileSettings)[]
