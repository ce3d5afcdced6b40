import {setImmediate as immediate} from 'node:timers/promises'
import type {Context, Hono} from 'hono'
import {z} from 'zod'
import type {AgentPostAsk, AgentPostOutcome, AgentPosts} from './agent-posts.ts'
import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {createLeaks} from '../../security/leaks.ts'
import {Secret} from '../../security/secret.ts'
import {bearerIn, later, refuse, unproven} from '../../http/refusals.ts'
import {type ReadBody, type Unread, createBodyReader} from '../../http/body.ts'

const PATH = '/agent/posts'
const LIMITS = {maxBytes: 1_048_576, withinMs: 10_000, maxBuffered: 16_777_216}
const BUSY_MS = 5000
const MAX_TEXT = 12_000
/** Whatever is wrong with a token, or with the thread, is one answer: who asks learns of no other thread. */
const NO_PROOF =
  'The bearer must be the session token of that thread, and the thread be shown in Slack.'
const MAX_KEY = 255

/**
 * `POST /agent/posts`: code on an agent's machine shows something in the Slack thread of its work, and proves by its
 * session token which work that is. docs/agent-posts.md.
 */
export function addAgentPosts(routes: Hono, accept: AgentPosts): void {
  const reading = createBodyReader(LIMITS)
  const inOrder = createKeyedQueue()
  // Many bodies may be complete at once: whoever else is served comes in between.
  const apart = <Result>(judge: () => Result) =>
    inOrder('', async () => {
      await immediate()
      return judge()
    })
  routes.post(PATH, async (context) => {
    const ask = await readAsk(context.req.raw, reading, apart)
    if (ask instanceof Response) return ask
    return answer(context, await accept(ask, context.req.raw.signal))
  })
  routes.all(PATH, (context) => context.json({error: 'method_not_allowed'}, 405, {allow: 'POST'}))
}

function answer(context: Context, said: AgentPostOutcome): Response {
  switch (said.outcome) {
    case 'posted':
      return context.json({id: said.id, state: 'posted'}, 200)
    case 'accepted':
      return context.json({id: said.id, state: 'accepted'}, 202)
    case 'denied':
    case 'busy':
    case 'no-verification':
      return unproven(said, NO_PROOF)
    case 'too-many':
      return later(429, 'too_many_posts', said.retryAfterMs)
    case 'other':
      return refuse(422, 'idempotency_key_reused', 'This key was used for something else.')
    case 'refused':
      return refuse(502, 'refused_by_slack', `Slack did not take it: ${said.code}`)
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(said satisfies never)}`)
  }
}

async function readAsk(
  request: Request,
  reading: ReadBody,
  apart: <Result>(judge: () => Result) => Promise<Result>,
): Promise<AgentPostAsk | Response> {
  const {headers} = request
  const token = bearerIn(headers)
  if (token === undefined) return unproven({outcome: 'denied', isExpired: false}, NO_PROOF)
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json' || headers.has('content-encoding')) {
    return refuse(415, 'unsupported_media_type', 'Send JSON: application/json, not compressed.')
  }
  const key = headers.get('idempotency-key') ?? undefined
  if (key !== undefined && !/^[!-~](?:[ -~]*[!-~])?$/.test(key.slice(0, MAX_KEY + 1))) {
    return refuse(400, 'invalid_key', 'Idempotency-Key must be of printable ASCII.')
  }
  if (key !== undefined && key.length > MAX_KEY) {
    return refuse(400, 'invalid_key', `Idempotency-Key holds at most ${MAX_KEY} characters.`)
  }
  const sent = {contentLength: headers.get('content-length'), chunks: chunksOf(request)}
  const judge = (body: Buffer): AgentPostAsk | Response => {
    const read = readPost(body.toString('utf8'))
    if (typeof read === 'string') return refuse(400, 'invalid_body', read)
    if (holds(read, token)) {
      return refuse(400, 'invalid_body', 'The body holds the token: nobody may read that in Slack.')
    }
    return {...read, token: new Secret(token), key}
  }
  return reading<AgentPostAsk | Response>(sent, (body) =>
    typeof body === 'string' ? unread(body) : apart(() => judge(body)),
  )
}

async function* chunksOf({body}: Request): AsyncGenerator<Uint8Array> {
  if (body !== null) yield* body as AsyncIterable<Uint8Array>
}

function unread(why: Unread): Response {
  const closing = {connection: 'close'}
  switch (why) {
    case 'too-large':
      return refuse(413, 'too_large', 'A body holds at most 1 MiB.', closing)
    case 'too-slow':
      return refuse(408, 'too_slow', 'A body has to arrive within 10 s.', closing)
    case 'busy':
      return later(503, 'busy', BUSY_MS)
    default:
      throw new Error(`Unknown reason: ${String(why satisfies never)}`)
  }
}

type Read = Pick<AgentPostAsk, 'threadId' | 'text' | 'file'>

/** As it would be read in Slack, whole or in part: Markdown, HTML and marks that do not show hide nothing. */
function holds({threadId, text, file}: Read, token: string): boolean {
  const leaks = createLeaks()
  leaks.learn(new Secret(token))
  const isDrawn = [threadId, text, file?.name ?? ''].some(
    (shown) => shown.includes(token) || leaks.hide(shown, '') !== shown,
  )
  // Nothing of a file is drawn: it is its bytes.
  return isDrawn || (file !== undefined && Buffer.from(file.bytes).includes(token))
}

const fileSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    content: z.string().optional(),
    base64: z.base64().optional(),
  })
  .refine(({content, base64}) => (content === undefined) !== (base64 === undefined), {
    message: 'needs either content (UTF-8) or base64',
  })
  .transform(({name, content, base64}) => ({
    // Only its last part, and nothing in it that means something to a shell or a screen.
    name: name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').replaceAll(/^.*[/\\]/g, '') || 'file',
    bytes: new Uint8Array(
      base64 === undefined
        ? Buffer.from((content ?? '').toWellFormed(), 'utf8')
        : Buffer.from(base64, 'base64'),
    ),
  }))
  .refine(({bytes}) => bytes.length > 0, {message: 'must not be empty'})

const postSchema = z
  .strictObject({
    thread: z.string().min(1).max(512),
    text: z.string().max(MAX_TEXT).default(''),
    file: fileSchema.optional(),
  })
  .refine(({text, file}) => text.trim() !== '' || file !== undefined, {
    message: 'needs text, a file, or both',
  })

/** Strings and marks of a post, with room to spare; what has more is not parsed, since that can take long. */
const MAX_PARTS = 100

function isFlat(json: string): boolean {
  let parts = 0
  for (let at = 0; at < json.length && parts <= MAX_PARTS; at += 1) {
    if (BLANKS.includes(json.charAt(at))) continue
    parts += 1
    if (json.charAt(at) === '"') at = endOfString(json, at)
  }
  return parts <= MAX_PARTS
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
function readPost(body: string): Read | string {
  if (!isFlat(body)) return 'The body has more parts than a post.'
  let value: unknown
  try {
    value = JSON.parse(body) as unknown
  } catch {
    return 'The body is no JSON.'
  }
  const {data, error} = postSchema.safeParse(value)
  if (data !== undefined) return {threadId: data.thread, text: data.text, file: data.file}
  const [issue] = error.issues
  const where = issue?.path.join('.') || 'the body'
  return `${where}: ${issue?.message ?? 'is not valid'}`.slice(0, 300)
}
