import {z} from 'zod'
import type {AgentPostAsk} from './agent-posts.ts'
import type {FormAsk} from './form-posts.ts'

const MAX_TEXT = 12_000
const MAX_FILES = 20

type Read = Pick<AgentPostAsk, 'threadId' | 'text' | 'file' | 'question'>

type Declared = Pick<FormAsk, 'threadId' | 'text' | 'files'>

/** Only its last part, and nothing in it that means something to a shell or a screen. */
const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .transform(
    (name) => name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').replaceAll(/^.*[/\\]/g, '') || 'file',
  )

const fileSchema = z
  .strictObject({name: nameSchema, content: z.string().optional(), base64: z.base64().optional()})
  .refine(({content, base64}) => (content === undefined) !== (base64 === undefined), {
    message: 'needs either content (UTF-8) or base64',
  })
  .transform(({name, content, base64}) => ({
    name,
    bytes: new Uint8Array(
      base64 === undefined
        ? Buffer.from((content ?? '').toWellFormed(), 'utf8')
        : Buffer.from(base64, 'base64'),
    ),
  }))
  .refine(({bytes}) => bytes.length > 0, {message: 'must not be empty'})

const MAX_OPTIONS = 10
const MAX_OPTION = 300

const optionSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_OPTION)
  .refine((option) => !/[\p{Cc}\u2028\u2029]/u.test(option), {message: 'must be one line'})

const optionsSchema = z
  .array(optionSchema)
  .min(2)
  .max(MAX_OPTIONS)
  .refine((options) => new Set(options).size === options.length, {message: 'must differ'})

const postSchema = z
  .strictObject({
    thread: z.string().min(1).max(512),
    text: z.string().max(MAX_TEXT).default(''),
    file: fileSchema.optional(),
    options: optionsSchema.optional(),
    several: z.boolean().optional(),
    free: z.boolean().optional(),
  })
  .refine(({text, file}) => text.trim() !== '' || file !== undefined, {
    message: 'needs text, a file, or both',
  })
  .refine(({text, options}) => options === undefined || text.trim() !== '', {
    message: 'needs text with options: what is asked',
  })
  .refine(
    ({options, several, free}) =>
      options !== undefined || (several === undefined && free === undefined),
    {message: 'several and free are for options'},
  )

/** What stands in front of files that are on their way. */
const formSchema = z.strictObject({
  thread: z.string().min(1).max(512),
  text: z.string().max(MAX_TEXT).default(''),
  files: z
    .array(z.strictObject({name: nameSchema, size: z.int().min(1)}))
    .min(1)
    .max(MAX_FILES),
})

/** Strings and marks of a post, with room to spare; what has more is not parsed, since that can take long. */
const MAX_PARTS = 100
/** The same of a form, which declares files; each digit counts. */
const MAX_FORM_PARTS = 1000

function isFlat(json: string, maxParts: number): boolean {
  let parts = 0
  for (let at = 0; at < json.length && parts <= maxParts; at += 1) {
    if (BLANKS.includes(json.charAt(at))) continue
    parts += 1
    if (json.charAt(at) === '"') at = endOfString(json, at)
  }
  return parts <= maxParts
}

const BLANKS = ' \t\r\n'

/** Where the string that begins there ends; the end of all where it does not. */
function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json.charAt(at - 1 - backslashes) === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return json.length
}

/** What is to be posted; in words, what is wrong with it. */
export function readPost(body: string): Read | string {
  const post = readJson(body, postSchema, MAX_PARTS)
  if (typeof post === 'string') return post
  const {thread: threadId, text, file, options, several, free} = post
  const question = options && {
    options,
    ...(several === true && {several}),
    ...(free === true && {free}),
  }
  return {threadId, text, file, question}
}

/** What is to be posted with files that are still on their way; in words, what is wrong with it. */
export function readDeclared(body: string): Declared | string {
  const form = readJson(body, formSchema, MAX_FORM_PARTS)
  if (typeof form === 'string') return form
  return {threadId: form.thread, text: form.text, files: form.files}
}

function readJson<Schema extends z.ZodType>(
  body: string,
  schema: Schema,
  maxParts: number,
): z.infer<Schema> | string {
  if (!isFlat(body, maxParts)) return 'The body has more parts than a post.'
  let value: unknown
  try {
    value = JSON.parse(body) as unknown
  } catch {
    return 'The body is no JSON.'
  }
  const {data, error} = schema.safeParse(value)
  if (error === undefined) return data
  const [issue] = error.issues
  const where = issue?.path.join('.') || 'the body'
  return `${where}: ${issue?.message ?? 'is not valid'}`.slice(0, 300)
}
