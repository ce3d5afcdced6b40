import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import type {HookAnswer, HookIntake} from './hook-intake.ts'
import {type HookClaim, isClaimed} from './secret-check.ts'
import {answer} from '../../http/answer.ts'
import {hookTexts} from './texts.ts'
import {type Unread, createBodyReader, sentBy} from '../../http/body.ts'

interface HookEndpointOptions {
  intake: HookIntake
  log: {error(details: object, message: string): void}
  /** For a body to arrive. */
  withinMs?: number
}

const HOOK = /^\/hooks\/([\w-]{1,64})$/
const MAX_BYTES = 1_048_576
const MAX_BUFFERED_BYTES = 16 * MAX_BYTES
/** Of one hook: whoever knows its address alone may fill this with bodies whose signature turns out wrong. */
const MAX_OF_ONE_BYTES = MAX_BUFFERED_BYTES / 4
const BUSY_SECONDS = 5
const WITHIN_MS = 10_000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

/**
 * `POST /hooks/:hookId`, for everybody: no body is read for a hook that does not exist or a wrong token, none is understood
 * before its sender is known, and nothing is inflated. Whoever has no secret gets one answer, whatever is wrong.
 */
export function createHookEndpoint({
  intake,
  log,
  withinMs = WITHIN_MS,
}: HookEndpointOptions): RequestListener {
  const reading = createBodyReader({
    maxBytes: MAX_BYTES,
    withinMs,
    maxBuffered: MAX_BUFFERED_BYTES,
    maxBufferedForOne: MAX_OF_ONE_BYTES,
  })

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
      say(response, ...refusal)
      return
    }
    if (!(await intake.mayKnow(hookId, claim))) {
      say(response, 401, UNAUTHORIZED)
      return
    }
    const keys = {
      idempotencyKeys: headers['idempotency-key'] ?? [],
      githubDeliveries: headers['x-github-delivery'] ?? [],
    }
    const githubEvents = headers['x-github-event'] ?? []
    const sent = {...sentBy(request), receiver: hookId}
    const words = await reading(sent, async (body) =>
      typeof body === 'string'
        ? UNREAD[body]
        : wordsOf(await intake.take({hookId, claim, keys, githubEvents, body})),
    )
    say(response, ...words)
  }

  return (request, response) => {
    const hookId = HOOK.exec(request.url?.split('?', 1)[0] ?? '')?.[1]
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST')
      say(response, 405, {error: 'method_not_allowed'})
    } else if (hookId === undefined) {
      say(response, 401, UNAUTHORIZED)
    } else {
      admit(hookId, request, response).catch((error: unknown) => {
        // A sender that breaks off needs no answer.
        if (request.destroyed && !request.complete) return
        log.error({err: error}, 'A delivery to a hook could not be taken')
        say(response, 503, {error: 'unavailable'}, BUSY_SECONDS)
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
  if (!JSON_TYPE.test(type)) {
    const isGithubs = claim.githubSignatures.length > 0
    return [415, {error: 'no_json_type', ...(isGithubs && {fix: hookTexts.github.wrongType})}]
  }
  return isClaimed(claim) ? undefined : [401, UNAUTHORIZED]
}

function wordsOf(said: HookAnswer): Words {
  switch (said.outcome) {
    case 'accepted':
    case 'duplicate':
    case 'ignored':
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

function say(response: ServerResponse, status: number, body: object, retrySeconds?: number): void {
  if (response.headersSent) return
  if (retrySeconds !== undefined) response.setHeader('retry-after', String(retrySeconds))
  answer(response, status, JSON.stringify(body), {'content-type': 'application/json'})
}
