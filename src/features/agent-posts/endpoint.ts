import {setImmediate as immediate} from 'node:timers/promises'
import type {Hono} from 'hono'
import type {AgentPostAsk, AgentPostOutcome, AgentPosts} from './agent-posts.ts'
import {type Head, createFormEndpoint} from './form-endpoint.ts'
import type {FormPosts} from './form-posts.ts'
import {readPost} from './post-body.ts'
import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {Secret} from '../../security/secret.ts'
import {bearerIn, later, refuse, unproven} from '../../http/refusals.ts'
import {type ReadBody, type Unread, chunksOf, createBodyReader} from '../../http/body.ts'

interface AgentPostsEndpoint {
  accept: AgentPosts
  acceptForm: FormPosts
  /** Of one file in a form. */
  maxBytes: number
}

const PATH = '/agent/posts'
const JSON_TYPE = 'application/json'
const FORM = 'multipart/form-data'
const TYPES = [JSON_TYPE, FORM] as const
/** Nobody knows yet whose they are: those that are short get through, however many others come slowly. */
const LIMITS = {maxBytes: 1_048_576, withinMs: 10_000, maxBuffered: 16_777_216}
const BUSY_MS = 5000
/** Whatever is wrong with a token, or with the thread, is one answer: who asks learns of no other thread. */
const NO_PROOF =
  'The bearer must be the session token of that thread, and the thread be shown in Slack.'
const MAX_KEY = 255

/**
 * `POST /agent/posts`: code on an agent's machine shows something in the Slack thread of its work, and proves by its
 * session token which work that is. docs/agent-posts.md.
 */
export function addAgentPosts(routes: Hono, {accept, acceptForm, maxBytes}: AgentPostsEndpoint) {
  const reading = createBodyReader(LIMITS)
  const answerForm = createFormEndpoint({accept: acceptForm, maxBytes, answer})
  const inOrder = createKeyedQueue()
  // Many bodies may be complete at once: whoever else is served comes in between.
  const apart = <Result>(judge: () => Result) =>
    inOrder('', async () => {
      await immediate()
      return judge()
    })
  routes.post(PATH, async ({req: {raw: request}}) => {
    const head = readHead(request.headers)
    if (head instanceof Response) return head
    if (head.type === FORM) return answerForm(request, head)
    const ask = await readAsk(request, head, {reading, apart})
    return ask instanceof Response ? ask : answer(await accept(ask, request.signal))
  })
  routes.all(PATH, (context) => context.json({error: 'method_not_allowed'}, 405, {allow: 'POST'}))
}

function answer(said: AgentPostOutcome): Response {
  switch (said.outcome) {
    case 'posted':
      return Response.json(toBody(said))
    case 'accepted':
      return Response.json(toBody(said), {status: 202})
    case 'denied':
    case 'busy':
    case 'no-verification':
      return unproven(said, NO_PROOF)
    case 'too-many':
      return later(429, 'too_many_posts', said.retryAfterMs)
    case 'other':
      return refuse(422, 'idempotency_key_reused', 'This key was used for something else.')
    case 'wrong':
      return refuse(400, 'invalid_body', said.message)
    case 'refused':
      return refuse(502, 'refused_by_slack', `Slack did not take it: ${said.code}`)
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(said satisfies never)}`)
  }
}

function toBody({
  id,
  outcome: state,
  tooLargeForTab: names,
}: Extract<AgentPostOutcome, {outcome: 'posted' | 'accepted'}>): object {
  return {id, state, ...(names !== undefined && {too_large_for_tab: names})}
}

function readHead(headers: Headers): (Head & {type: typeof JSON_TYPE | typeof FORM}) | Response {
  const token = bearerIn(headers)
  if (token === undefined) return unproven({outcome: 'denied', isExpired: false}, NO_PROOF)
  const given = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  const type = TYPES.find((one) => one === given)
  if (type === undefined || headers.has('content-encoding')) {
    const message =
      'Send JSON (application/json), or files in a form (multipart/form-data), not compressed.'
    return refuse(415, 'unsupported_media_type', message)
  }
  const key = headers.get('idempotency-key') ?? undefined
  if (key !== undefined && !/^[!-~](?:[ -~]*[!-~])?$/.test(key.slice(0, MAX_KEY + 1))) {
    return refuse(400, 'invalid_key', 'Idempotency-Key must be of printable ASCII.')
  }
  if (key !== undefined && key.length > MAX_KEY) {
    return refuse(400, 'invalid_key', `Idempotency-Key holds at most ${MAX_KEY} characters.`)
  }
  return {token, key, type}
}

async function readAsk(
  request: Request,
  {token, key}: Head,
  {reading, apart}: {reading: ReadBody; apart: <Result>(judge: () => Result) => Promise<Result>},
): Promise<AgentPostAsk | Response> {
  const sent = {contentLength: request.headers.get('content-length'), chunks: chunksOf(request)}
  const judge = (body: Buffer): AgentPostAsk | Response => {
    const read = readPost(body.toString('utf8'))
    if (typeof read === 'string') return refuse(400, 'invalid_body', read)
    return {...read, token: new Secret(token), key}
  }
  return reading<AgentPostAsk | Response>(sent, (body) =>
    typeof body === 'string' ? unread(body) : apart(() => judge(body)),
  )
}

function unread(why: Unread): Response {
  switch (why) {
    case 'too-large':
      return refuse(413, 'too_large', 'A body holds at most 1 MiB.')
    case 'too-slow':
      return refuse(408, 'too_slow', 'A body has to arrive within 10 s.')
    case 'busy':
      return later(503, 'busy', BUSY_MS)
    default:
      throw new Error(`Unknown reason: ${String(why satisfies never)}`)
  }
}
