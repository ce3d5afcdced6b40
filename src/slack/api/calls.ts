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
import {type Clock, systemClock} from '../../async/clock.ts'
import {WriteError, type WriteErrorKind} from '../../relay/ports.ts'
import type {Secret} from '../../security/secret.ts'
import type {Discretion} from './discretion.ts'

/** Of a call that nobody answered, or a proxy. */
const NO_ANSWER = 'no_answer'

/**
 * Slack did not do what a call asked for. `code` is Slack's own error string, or ours for what has
 * none: `ratelimited`, `no_answer`.
 */
export class SlackError extends Error {
  override name = 'SlackError' as const
  readonly code: string
  readonly kind: WriteErrorKind
  readonly retryAfterMs: number
  /** Where in the call it is wrong, or which scope it missed: words of Slack's protocol. */
  readonly hints: readonly string[]

  constructor(code: string, kind: SlackError['kind'], retryAfterMs: number, cause: unknown) {
    super(`Slack said: ${code}${detailOf(cause)}`, {cause})
    this.code = code
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.hints = hintsOf(cause)
  }

  /** Slack itself said so, and not a proxy, or nobody. */
  get isAnswered(): boolean {
    return this.code !== NO_ANSWER
  }
}

/** Runs one call; throws a {@link SlackError}. */
export async function callSlack<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    throw toSlackError(error)
  }
}

/** The same for the relay, in its own words. */
export async function callForRelay<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await callSlack(call)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    const {kind, code, message, retryAfterMs, isAnswered} = error
    throw new WriteError(kind, code, {message, retryAfterMs, isAnswered, cause: error})
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
  }: SlackAccess,
  /** Tokens of an organization want to know which of its workspaces is meant. */
  teamId?: string,
): WebClient {
  /** By the address of the method. */
  const silentUntilMs = new Map<string, number>()
  return new WebClient(undefined, {
    ...{slackApiUrl, logger},
    ...(teamId !== undefined && {teamId}),
    fetch: async (url, init) => {
      const method = String(url)
      const body = init?.body
      const sent = typeof body === 'string' ? (discretion?.hideInForm(body) ?? body) : body
      const send = async (token: Secret): Promise<{answer: FetchResponse; text: string}> => {
        const silentMs = (silentUntilMs.get(method) ?? 0) - clock.nowMs()
        if (silentMs > 0) throw new SlackError('ratelimited', 'wait', silentMs, undefined)
        discretion?.learn(token)
        const authorization = `Bearer ${token.reveal()}`
        const headers = {...init?.headers, authorization}
        const answer = await fetch(url, {...init, headers, ...(sent !== undefined && {body: sent})})
        onDate?.(answer.headers.get('date'))
        if (answer.status === 429) {
          const untilMs = clock.nowMs() + toWaitMs(answer.headers.get('retry-after'))
          silentUntilMs.set(method, Math.max(untilMs, silentUntilMs.get(method) ?? 0))
        }
        return {answer, text: await answer.text()}
      }
      const token = await tokenOf()
      const first = await send(token)
      if (!EXPIRED.test(first.text)) return readAgain(first)
      // Slack did nothing: the same call may be made once more.
      const fresh = await tokenOf(token)
      return readAgain(fresh === token ? first : await send(fresh))
    },
    ...QUIET,
  })
}

type FetchResponse = Awaited<ReturnType<FetchFunction>>

const EXPIRED = /"error"\s*:\s*"token_expired"/

/** A body can be read once. */
function readAgain({answer, text}: {answer: FetchResponse; text: string}): FetchResponse {
  const {ok, status, statusText, url, headers} = answer
  return {
    ...{ok, status, statusText, url, headers},
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
  fetch?: FetchFunction
  clock?: Pick<Clock, 'nowMs'>
  /** What people are shown goes through it. */
  discretion?: Discretion
  /** Told the `Date` of each answer. */
  onDate?: (date: string | null) => void
}

/** For every client that is made of Slack's packages. */
export const QUIET: WebClientOptions = {
  retryConfig: {retries: 0},
  rejectRateLimitedCalls: true,
  timeout: 10_000,
}

/**
 * One class for each of Slack's refusals of the calls that the relay makes (the error tables of the
 * methods' pages on docs.slack.dev); each class has one answer, see {@link WriteErrorKind}. What is not
 * listed is taken for a refusal of what the call said.
 */
const CODES: Readonly<Partial<Record<WriteErrorKind, readonly string[]>>> = {
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

const KINDS: ReadonlyMap<string, WriteErrorKind> = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) =>
    codes.map((code) => [code, kind as WriteErrorKind] as const),
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
    return new SlackError('ratelimited', 'wait', toWaitMs(String(error.retryAfter)), error)
  }
  if (error instanceof WebAPIPlatformError) {
    const {error: code} = error.data
    return new SlackError(code, kindOf(code), DEFAULT_WAIT_MS, error)
  }
  // There is no token to call with, or Slack wants silence: nothing went out.
  if (error instanceof WebAPIRequestError && error.cause instanceof SlackError) return error.cause
  // Whatever Slack says beside a 5xx: what it did by then nobody knows.
  if (error instanceof WebAPIHTTPError) {
    return new SlackError(slacksWordIn(error) ?? NO_ANSWER, 'retry', 0, error)
  }
  if (error instanceof WebAPIRequestError) return new SlackError(NO_ANSWER, 'retry', 0, error)
  // The client throws a plain error for a 429 whose Retry-After it cannot read.
  if (error instanceof Error && error.message.startsWith('Retry header')) {
    return new SlackError('ratelimited', 'wait', DEFAULT_WAIT_MS, error)
  }
  // Nothing went out: the client could not write the request.
  if (error instanceof URIError) return new SlackError('malformed', 'refused', 0, error)
  return new SlackError(NO_ANSWER, 'retry', 0, error)
}

/** Slack's error string in the body of a 5xx; `undefined` where the body is somebody else's, such as a proxy's page. */
function slacksWordIn({statusCode, body}: WebAPIHTTPError): string | undefined {
  return statusCode >= 500 ? failureSchema.safeParse(body).data?.error : undefined
}

const failureSchema = z.looseObject({ok: z.literal(false), error: z.string().regex(/^\w{1,80}$/)})

function kindOf(code: string): WriteErrorKind {
  return KINDS.get(code) ?? 'refused'
}

/** Slack's pointers to what it did not like, and the scope that it missed. */
function detailOf(cause: unknown): string {
  if (!(cause instanceof WebAPIPlatformError)) return ''
  const {response_metadata: metadata, needed} = cause.data as {
    response_metadata?: {messages?: string[]}
    needed?: string
  }
  const scope = needed === undefined ? [] : [`needs the scope ${needed}`]
  const details = [...scope, ...(metadata?.messages ?? [])]
  return details.length === 0 ? '' : ` (${details.join('; ').slice(0, 500)})`
}

function hintsOf(cause: unknown): string[] {
  if (!(cause instanceof WebAPIPlatformError)) return []
  const {response_metadata: metadata, needed} = cause.data as {
    response_metadata?: {messages?: string[]}
    needed?: string
  }
  const pointers = (metadata?.messages ?? []).flatMap(
    (message) => /\[json-pointer:[\w/]{0,80}\]/.exec(message)?.[0] ?? [],
  )
  return [...(needed === undefined ? [] : [needed]), ...pointers]
}
