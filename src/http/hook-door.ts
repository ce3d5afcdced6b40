import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import type {HookAnswer, HookIntake} from '../inbox/hook-intake.ts'
import {type HookClaim, isClaimed} from '../security/hook-claims.ts'

interface HookDoorOptions {
  take: HookIntake
  log: {error(details: object, message: string): void}
  /** For a body to arrive. */
  withinMs?: number
}

export const HOOKS_PATH = '/hooks/'
const HOOK = /^\/hooks\/([\w-]{1,64})$/
const MAX_BYTES = 1_048_576
/** Of bodies that are on their way, all together: however many send slowly, they take no more. */
const MAX_BUFFERED_BYTES = 16 * MAX_BYTES
const BUSY_SECONDS = 5
const WITHIN_MS = 10_000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

type Unread = 'too-large' | 'too-slow' | 'busy'

/**
 * `POST /hooks/:hookId`, for everybody: nothing of a body is understood before its sender is known, nothing is inflated, and
 * whoever has no secret learns nothing, not even whether the hook exists.
 */
export function createHookDoor({
  take,
  log,
  withinMs = WITHIN_MS,
}: HookDoorOptions): RequestListener {
  const buffered = {bytes: 0}

  const admit = async (
    hookId: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const {headersDistinct: headers} = request
    const claim: HookClaim = {
      authorizations: headers['authorization'] ?? [],
      timestamps: headers['x-bosun-timestamp'] ?? [],
      signatures: headers['x-bosun-signature'] ?? [],
      githubSignatures: headers['x-hub-signature-256'] ?? [],
    }
    const refusal = refusalOf(request, claim)
    if (refusal !== undefined) {
      answer(response, ...refusal)
      return
    }
    const held = {bytes: 0}
    try {
      const body = await readBody(request, {held, buffered}, withinMs)
      if (typeof body === 'string') {
        answer(response, ...UNREAD[body])
        return
      }
      const keys = {
        idempotencyKeys: headers['idempotency-key'] ?? [],
        githubDeliveries: headers['x-github-delivery'] ?? [],
      }
      answer(response, ...wordsOf(await take({hookId, claim, keys, body})))
    } finally {
      buffered.bytes -= held.bytes
    }
  }

  return (request, response) => {
    const hookId = HOOK.exec(request.url?.split('?', 1)[0] ?? '')?.[1]
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST')
      answer(response, 405, {error: 'method_not_allowed'})
    } else if (hookId === undefined) {
      answer(response, 401, UNAUTHORIZED)
    } else {
      admit(hookId, request, response).catch((error: unknown) => {
        // A sender that breaks off needs no answer.
        if (request.destroyed && !request.complete) return
        log.error({err: error}, 'A delivery to a hook could not be taken')
        answer(response, 503, {error: 'unavailable'}, BUSY_SECONDS)
      })
    }
  }
}

type Words = readonly [status: number, body: object, retrySeconds?: number]

const UNAUTHORIZED = {error: 'unauthorized'}

const UNREAD: Readonly<Record<Unread, Words>> = {
  'too-large': [413, {error: 'too_large', maxBytes: MAX_BYTES}],
  'too-slow': [408, {error: 'too_slow'}],
  busy: [503, {error: 'busy'}, BUSY_SECONDS],
}

/** What can be told wrong before anything is read. */
function refusalOf(
  {headers}: IncomingMessage,
  claim: HookClaim,
): readonly [number, object] | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return [415, {error: 'no_content_encoding'}]
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!JSON_TYPE.test(type)) return [415, {error: 'no_json_type'}]
  return isClaimed(claim) ? undefined : [401, UNAUTHORIZED]
}

/** What it holds counts with what all others hold, until its caller gives it back. */
async function readBody(
  request: IncomingMessage,
  {held, buffered}: Record<'held' | 'buffered', {bytes: number}>,
  withinMs: number,
): Promise<Buffer | Unread> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return 'too-large'
  const chunks: Uint8Array[] = []
  const late = Promise.withResolvers<'too-slow'>()
  const timer = setTimeout(() => late.resolve('too-slow'), withinMs)
  // Whoever is refused in the middle is answered, too.
  const read = request.iterator({destroyOnReturn: false}) as AsyncIterator<Uint8Array>
  try {
    for (;;) {
      const next = read.next()
      // It may fail when nobody waits for it any more.
      next.catch(() => undefined)
      const step = await Promise.race([next, late.promise])
      if (step === 'too-slow') return step
      if (step.done === true) return Buffer.concat(chunks)
      held.bytes += step.value.length
      buffered.bytes += step.value.length
      if (held.bytes > MAX_BYTES) return 'too-large'
      if (buffered.bytes > MAX_BUFFERED_BYTES) return 'busy'
      chunks.push(step.value)
    }
  } finally {
    clearTimeout(timer)
  }
}

function wordsOf(said: HookAnswer): Words {
  switch (said.outcome) {
    case 'accepted':
    case 'duplicate':
      return [202, said]
    case 'unauthorized':
      return [401, UNAUTHORIZED]
    case 'disabled':
      return [403, {error: 'disabled'}]
    case 'bad':
      return [400, {error: said.problem}]
    case 'limited':
      return [429, {error: 'too_often'}, said.retrySeconds]
    case 'full':
      return [503, {error: 'too_many_wait'}, said.retrySeconds]
    case 'silent':
      return [503, {error: 'unavailable'}, said.retrySeconds]
    default:
      throw new Error(`Unknown answer: ${JSON.stringify(said satisfies never)}`)
  }
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  retrySeconds?: number,
): void {
  if (response.headersSent) return
  // What was not read of the request is not waited for.
  if (!response.req.complete) response.setHeader('connection', 'close')
  if (retrySeconds !== undefined) response.setHeader('retry-after', String(retrySeconds))
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
}
