import {
  type FetchFunction,
  type Logger,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import {z} from 'zod'
import {isNotOurs} from '../../async/fence.ts'
import {type Clock, systemClock} from '../../async/clock.ts'
import {startTimeLimit} from '../../async/time-limit.ts'
import type {Secret} from '../../security/secret.ts'
import type {Discretion} from './discretion.ts'
import type {Call, CallOutcome, CallResult, CallWatch} from './call-watch.ts'
import {NOT_OURS, SlackError, type SlackErrorKind} from '../../once/slack-error.ts'

/** Of a call that nobody answered, or a proxy. */
const NO_ANSWER = 'no_answer'

/** Slack refuses a setting for good: starting again with the same one cannot help. */
export class SlackStartError extends Error {
  override name = 'SlackStartError' as const
}

/** Runs one call; throws a {@link SlackError}. */
export async function callSlack<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    throw toSlackError(error)
  }
}

/**
 * Slack's official client without its own retries and queue: it repeats `chat.postMessage` after a
 * lost answer, and one limited method would hold up all others. The pacer owns the budget. Whoever comes within a
 * Retry-After all the same, because their turn came before it or because what they read has no turns, learns here that it
 * lasts, and nothing goes out.
 */
export function createSlackClient(
  tokenOf: TokenOf,
  {
    slackApiUrl,
    logger,
    fetch = globalThis.fetch,
    clock = systemClock,
    discretion,
    onDate,
    watch,
    bar,
    onCall,
    timeoutMs = TIMEOUT_MS,
  }: SlackAccess,
  /** Tokens of an organization want to know which of its workspaces is meant. */
  teamId?: string,
): WebClient {
  /** By the address of the method. */
  const silentUntilMs = new Map<string, number>()
  /** Methods that are not ours to call, as the log says once. */
  const refused = new Set<string>()
  const tellRefused = (method: string, text: string): void => {
    if (refused.has(method)) return
    refused.add(method)
    const scope = /"needed"\s*:\s*"([\w:.,]{1,200})"/.exec(text)?.[1]
    const needs = scope === undefined ? '' : `, it needs the scope ${scope}`
    const where = teamId === undefined ? '' : ` in ${teamId}`
    logger.warn(`Slack refuses ${method} to the app${where}: ${codeIn(text) ?? 'no word'}${needs}`)
  }
  return new WebClient(undefined, {
    slackApiUrl,
    logger,
    ...(teamId !== undefined && {teamId}),
    fetch: async (url, init) => {
      const method = String(url)
      const body = init?.body
      const sent = typeof body === 'string' ? (discretion?.hideInForm(body) ?? body) : body
      const call = {
        method: method.slice(method.lastIndexOf('/') + 1),
        body: typeof sent === 'string' ? sent : '',
      }
      const send = async (token: Secret): Promise<{answer: FetchResponse; text: string}> => {
        const silentMs = (silentUntilMs.get(method) ?? 0) - clock.nowMs()
        if (silentMs > 0) throw limited(silentMs)
        discretion?.learn(token)
        const authorization = `Bearer ${token.reveal()}`
        const headers = {...init?.headers, authorization}
        watch?.sent(call)
        const sentAtMs = performance.now()
        const tell = (outcome: CallOutcome, isLimited = false): void =>
          onCall?.({...call, outcome, isLimited, tookMs: performance.now() - sentAtMs})
        using limit = startTimeLimit(timeoutMs)
        const answer = await fetch(url, {
          ...{...init, headers, signal: limit.signal},
          ...(sent !== undefined && {body: sent}),
        }).catch((error: unknown) => {
          // What did not go out is no call.
          if (!isNotOurs(error)) tell('unanswered')
          return unlessNotOurs(error)
        })
        onDate?.(answer.headers.get('date'))
        if (answer.status === 429) {
          const untilMs = clock.nowMs() + toWaitMs(answer.headers.get('retry-after'))
          silentUntilMs.set(method, Math.max(untilMs, silentUntilMs.get(method) ?? 0))
        }
        const text = await answer.text().catch((error: unknown) => {
          tell('unanswered')
          throw error
        })
        const outcome = outcomeOf(answer.status, text)
        tell(outcome, answer.status === 429)
        if (outcome === 'mistake') tellRefused(call.method, text)
        watch?.answered(call, text)
        return {answer, text}
      }
      const token = await tokenOf()
      await bar?.(call)
      const first = await send(token)
      if (!EXPIRED.test(first.text)) return readAgain(first)
      // Slack did nothing: the same call may be made once more.
      const fresh = await tokenOf(token)
      return readAgain(fresh === token ? first : await send(fresh))
    },
    ...QUIET,
    timeout: 0, // its own would count while this process stands still
  })
}

/** It did not go out, and may go out later, or is somebody else's to make. */
function unlessNotOurs(error: unknown): never {
  if (!isNotOurs(error)) throw error
  throw new SlackError('wait', NOT_OURS, {
    ...{retryAfterMs: LEAST_WAIT_MS, isAnswered: true, cause: error},
    message: 'For now it is not ours to call Slack here',
  })
}

type FetchResponse = Awaited<ReturnType<FetchFunction>>

const EXPIRED = /"error"\s*:\s*"token_expired"/

/** A body can be read once. */
function readAgain({answer, text}: {answer: FetchResponse; text: string}): FetchResponse {
  const {ok, status, statusText, url, headers} = answer
  return {
    ok,
    status,
    statusText,
    url,
    headers,
    text: async () => text,
    json: async () => JSON.parse(text) as unknown,
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  }
}

/**
 * The token that is valid now: where tokens rotate, another one every few hours. `expired`: Slack has just said so of
 * this one.
 *
 * @throws {SlackError} where there is none any more.
 */
export type TokenOf = (expired?: Secret) => Promise<Secret>

/** How Slack is reached. */
export interface SlackAccess {
  slackApiUrl: string
  logger: Logger
  fetch?: FetchFunction | undefined
  clock?: Pick<Clock, 'nowMs'>
  /** What people are shown goes through it. */
  discretion?: Discretion
  /** Hears every call and its answer. */
  watch?: CallWatch
  /** Rejects for a call that may not go out. */
  bar?: (call: Call) => Promise<void>
  /** Hears what came of every call that went out. */
  onCall?: ((call: CallResult) => void) | undefined
  /** Told the `Date` of each answer. */
  onDate?: (date: string | null) => void
  /** A call without an answer is given up then. */
  timeoutMs?: number
}

const TIMEOUT_MS = 10_000

/** For every client that is made of Slack's packages. */
export const QUIET: WebClientOptions = {
  retryConfig: {retries: 0},
  rejectRateLimitedCalls: true,
  // Whoever calls has been granted it: a method that hangs must not stand in the way of another.
  maxRequestConcurrency: Infinity,
  timeout: TIMEOUT_MS,
}

/**
 * One class for each of Slack's refusals of the calls that the relay makes (the error tables of the
 * methods' pages on docs.slack.dev); each class has one answer, see {@link SlackErrorKind}. What is not
 * listed is taken for a refusal of what the call said.
 */
const CODES: Readonly<Partial<Record<SlackErrorKind, readonly string[]>>> = {
  wait: ['ratelimited', 'rate_limited'],
  retry: [
    ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'],
    ...['update_failed', 'messaging_processing_failed', 'external_channel_migrating'],
    'team_added_to_org',
  ],
  gone: ['message_not_found', 'thread_not_found', 'is_inactive'],
  stuck: [
    ...['cant_update_message', 'cant_delete_message', 'edit_window_closed'],
    ...['block_mismatch', 'compliance_exports_prevent_deletion'],
  ],
  streaming: ['streaming_state_conflict'],
  ended: ['message_not_in_streaming_state'],
  closed: [
    ...['cannot_reply_to_message', 'restricted_action_thread_locked', 'invalid_thread_ts'],
    'thread_locked',
  ],
  unusable: [
    ...['channel_not_found', 'not_in_channel', 'is_archived', 'messages_tab_disabled'],
    ...[
      'message_limit_exceeded',
      'posting_to_channel_denied',
      'no_permission',
      'channel_is_archived',
    ],
    ...['restricted_action', 'restricted_action_read_only_channel', 'team_not_found'],
    ...['restricted_action_thread_only_channel', 'restricted_action_non_threadable_channel'],
  ],
  dead: [
    ...['token_revoked', 'token_expired', 'account_inactive', 'invalid_auth', 'not_authed'],
    ...['team_access_not_granted', 'app_uninstalled', 'accesslimited', 'access_denied'],
    ...['org_login_required', 'two_factor_setup_required', 'ekm_access_denied'],
    'enterprise_is_restricted',
  ],
  mistake: [
    ...['missing_scope', 'not_allowed_token_type', 'unknown_method', 'method_deprecated'],
    ...['deprecated_endpoint', 'as_user_not_supported', 'not_allowed', 'is_bot'],
  ],
}

const KINDS: ReadonlyMap<string, SlackErrorKind> = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) =>
    codes.map((code) => [code, kind as SlackErrorKind] as const),
  ),
)

/** A 429 that names no time, and Slack's "too many messages" in a body. */
const DEFAULT_WAIT_MS = 10_000
/** Slack says whole seconds, and may say none. */
const LEAST_WAIT_MS = 1000

/** What a Retry-After asks for, in ms. */
export function toWaitMs(retryAfter: string | null): number {
  const seconds = Number.parseInt(retryAfter ?? '', 10)
  return Number.isNaN(seconds) ? DEFAULT_WAIT_MS : Math.max(LEAST_WAIT_MS, seconds * 1000)
}

export function toSlackError(error: unknown): SlackError {
  if (error instanceof SlackError) return error
  if (error instanceof WebAPIRateLimitedError) {
    return limited(toWaitMs(String(error.retryAfter)), error)
  }
  if (error instanceof WebAPIPlatformError) {
    const {error: code} = error.data
    // A page, or half an answer, of somebody in between: the client takes its text for Slack's word.
    if (!isSlacksWord(code)) return new SlackError('retry', NO_ANSWER, {cause: error})
    const {message, hints} = detailsOf(error)
    const details = {message: `Slack said: ${code}${message}`, hints, isAnswered: true}
    return new SlackError(kindOf(code), code, {
      ...details,
      retryAfterMs: DEFAULT_WAIT_MS,
      cause: error,
    })
  }
  // There is no token to call with, or Slack wants silence: nothing went out.
  if (error instanceof WebAPIRequestError && error.cause instanceof SlackError) return error.cause
  // Whatever Slack says beside a 5xx: what it did by then nobody knows.
  if (error instanceof WebAPIHTTPError) {
    const code = slacksWordIn(error)
    const isAnswered = code !== undefined
    return new SlackError('retry', code ?? NO_ANSWER, {isAnswered, cause: error})
  }
  // The client throws a plain error for a 429 whose Retry-After it cannot read.
  if (error instanceof Error && error.message.startsWith('Retry header')) {
    return limited(DEFAULT_WAIT_MS, error)
  }
  // Nothing went out: the client could not write the request.
  if (error instanceof URIError) return new SlackError('refused', 'malformed', {cause: error})
  return new SlackError('retry', NO_ANSWER, {cause: error})
}

function limited(retryAfterMs: number, cause?: unknown): SlackError {
  return new SlackError('wait', 'ratelimited', {retryAfterMs, isAnswered: true, cause})
}

/** Slack's error string in the body of a 5xx; `undefined` where the body is somebody else's, such as a proxy's page. */
function slacksWordIn({statusCode, body}: WebAPIHTTPError): string | undefined {
  return statusCode >= 500 ? failureSchema.safeParse(body).data?.error : undefined
}

const failureSchema = z.looseObject({ok: z.literal(false), error: z.string().refine(isSlacksWord)})

function isSlacksWord(code: unknown): code is string {
  return typeof code === 'string' && /^[\w.:-]{1,80}$/.test(code)
}

/** What an answer says, in one word. */
function outcomeOf(status: number, text: string): CallOutcome {
  if (status === 429) return 'wait'
  if (status >= 500) return 'retry'
  if (/^\s*\{\s*"ok"\s*:\s*true\b/.test(text)) return 'ok'
  const code = codeIn(text)
  return code === undefined ? 'ok' : kindOf(code)
}

function codeIn(text: string): string | undefined {
  return /"error"\s*:\s*"(\w{1,80})"/.exec(text)?.[1]
}

function kindOf(code: string): SlackErrorKind {
  return KINDS.get(code) ?? 'refused'
}

/** Slack's pointers to what it did not like, and the scope that it missed: for our log, and for others'. */
function detailsOf({data}: WebAPIPlatformError): {message: string; hints: string[]} {
  const {response_metadata: metadata, needed} = data as {
    response_metadata?: {messages?: string[]}
    needed?: string
  }
  const messages = metadata?.messages ?? []
  const scope = needed === undefined ? [] : [`needs the scope ${needed}`]
  const details = [...scope, ...messages].join('; ').slice(0, 500)
  const pointers = messages.flatMap((said) => /\[json-pointer:[\w/]{0,80}\]/.exec(said)?.[0] ?? [])
  return {
    message: details === '' ? '' : ` (${details})`,
    hints: [...(needed === undefined ? [] : [needed]), ...pointers],
  }
}

/** An address in a payload is Slack's if it is where its API is, or one of Slack's own. */
export function isSlacks(responseUrl: string, apiUrl: string): boolean {
  if (!URL.canParse(responseUrl)) return false
  const {origin, protocol, hostname} = new URL(responseUrl)
  if (origin === new URL(apiUrl).origin) return true
  return protocol === 'https:' && (hostname === 'slack.com' || hostname.endsWith('.slack.com'))
}
