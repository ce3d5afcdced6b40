import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import {WriteError, type WriteErrorKind} from '../relay/ports.ts'
import type {Secret} from '../security/secret.ts'

/**
 * Slack did not do what a call asked for. `code` is Slack's own error string, or ours for what has
 * none: `ratelimited`, `no_answer`.
 */
export class SlackError extends Error {
  override name = 'SlackError' as const
  readonly code: string
  readonly kind: WriteErrorKind | 'install-dead'
  readonly retryAfterMs: number

  constructor(code: string, kind: SlackError['kind'], retryAfterMs: number, cause: unknown) {
    super(`Slack said: ${code}${detailOf(cause)}`, {cause})
    this.code = code
    this.kind = kind
    this.retryAfterMs = retryAfterMs
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
    const kind = error.kind === 'install-dead' ? 'unusable' : error.kind
    throw new WriteError(kind, error.message, {retryAfterMs: error.retryAfterMs, cause: error})
  }
}

/**
 * Slack's official client without its own retries and queue: it repeats `chat.postMessage` after a
 * lost answer, and one limited method would hold up all others. The pacer owns the budget.
 */
export function createSlackClient(token: Secret, options: WebClientOptions): WebClient {
  return new WebClient(token.reveal(), {...options, ...QUIET})
}

/** For every client that is made of Slack's packages. */
export const QUIET: WebClientOptions = {
  retryConfig: {retries: 0},
  rejectRateLimitedCalls: true,
  timeout: 10_000,
}

const KINDS: Readonly<Record<string, SlackError['kind']>> = {
  ratelimited: 'wait',
  rate_limited: 'wait',
  internal_error: 'retry',
  fatal_error: 'retry',
  service_unavailable: 'retry',
  request_timeout: 'retry',
  update_failed: 'retry',
  messaging_processing_failed: 'retry',
  external_channel_migrating: 'retry',
  msg_too_long: 'refused',
  msg_blocks_too_long: 'refused',
  msg_blocks_too_many: 'refused',
  invalid_blocks: 'refused',
  invalid_blocks_format: 'refused',
  markdown_text_conflict: 'refused',
  metadata_too_large: 'refused',
  view_too_large: 'refused',
  no_text: 'refused',
  message_not_found: 'gone',
  thread_not_found: 'gone',
  is_inactive: 'gone',
  cant_update_message: 'gone',
  cant_delete_message: 'gone',
  edit_window_closed: 'gone',
  streaming_state_conflict: 'gone',
  block_mismatch: 'gone',
  channel_not_found: 'unusable',
  not_in_channel: 'unusable',
  is_archived: 'unusable',
  messages_tab_disabled: 'unusable',
  cannot_reply_to_message: 'unusable',
  message_limit_exceeded: 'unusable',
  token_revoked: 'install-dead',
  token_expired: 'install-dead',
  account_inactive: 'install-dead',
  invalid_auth: 'install-dead',
  not_authed: 'install-dead',
  team_access_not_granted: 'install-dead',
  app_uninstalled: 'install-dead',
}

/** A 429 that names no time, and Slack's "too many messages" in a body. */
const DEFAULT_WAIT_MS = 10_000

function toSlackError(error: unknown): SlackError {
  if (error instanceof SlackError) return error
  if (error instanceof WebAPIRateLimitedError) {
    return new SlackError('ratelimited', 'wait', error.retryAfter * 1000, error)
  }
  if (error instanceof WebAPIPlatformError) {
    const {error: code} = error.data
    return new SlackError(code, kindOf(code), DEFAULT_WAIT_MS, error)
  }
  if (error instanceof WebAPIHTTPError || error instanceof WebAPIRequestError) {
    return new SlackError('no_answer', 'retry', 0, error)
  }
  // The client throws a plain error for a 429 whose Retry-After it cannot read.
  if (error instanceof Error && error.message.startsWith('Retry header')) {
    return new SlackError('ratelimited', 'wait', DEFAULT_WAIT_MS, error)
  }
  // Nothing went out: the client could not write the request.
  if (error instanceof URIError) return new SlackError('malformed', 'refused', 0, error)
  return new SlackError('no_answer', 'retry', 0, error)
}

function kindOf(code: string): SlackError['kind'] {
  if (code.startsWith('restricted_action')) return 'unusable'
  return KINDS[code] ?? 'mistake'
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
