/**
 * Why Slack did not take a call, by what has to happen next.
 *
 * `wait`: not before `retryAfterMs`. `retry`: no answer, or that Slack failed; it may have been applied. `refused`: this
 * content, as it is. `gone`: there is no such message (any more). `stuck`: the message stands, and can't
 * be changed any more. `streaming`: it can't be until its stream is closed. `ended`: its stream is
 * closed already. `closed`: nobody can write in this Slack thread. `unusable`: nor in this channel.
 * `dead`: nor anywhere in this workspace. `mistake`: this method is not ours to call, until somebody
 * mends it.
 */
export type SlackErrorKind =
  | 'wait'
  | 'retry'
  | 'refused'
  | 'gone'
  | 'stuck'
  | 'streaming'
  | 'ended'
  | 'closed'
  | 'unusable'
  | 'dead'
  | 'mistake'

/** It did not go out: for now it is not ours to make. */
export const NOT_OURS = 'not_ours'
/** It did not go out: people of another company have come to read the channel, and no admin has let us go on there. */
export const BARRED = 'shared_with_another_company'

/** Slack did not do what a call asked for. */
export class SlackError extends Error {
  override name = 'SlackError' as const
  readonly kind: SlackErrorKind
  /** Slack's own error string, or ours for what has none: `no_answer`, `not_ours`, `shared_with_another_company`. */
  readonly code: string
  readonly retryAfterMs: number
  /** Slack itself said so, and not a proxy, or nobody. */
  readonly isAnswered: boolean
  /** Where in the call it is wrong, or which scope it missed: words of Slack's protocol. */
  readonly hints: readonly string[]

  constructor(
    kind: SlackErrorKind,
    code: string,
    options: {
      message?: string
      retryAfterMs?: number
      isAnswered?: boolean
      hints?: readonly string[]
      cause?: unknown
    } = {},
  ) {
    super(options.message ?? `Slack said: ${code}`, {cause: options.cause})
    this.kind = kind
    this.code = code
    this.retryAfterMs = options.retryAfterMs ?? 0
    this.isAnswered = options.isAnswered ?? false
    this.hints = options.hints ?? []
  }
}

/** So long a message is tried as it is of which Slack itself says each time that making it failed. */
export const AS_IT_IS_MS = 300_000

const OVER_CONTENT = ['internal_error', 'fatal_error', 'messaging_processing_failed']

/** Slack itself failed, and it may be over what it was given. */
export function isInVain({kind, code, isAnswered}: SlackError): boolean {
  return kind === 'retry' && isAnswered && OVER_CONTENT.includes(code)
}

/** Slack may take the same call later: what it says now, also of a token that may be renewed, tells nothing of what was asked. */
export function mayPass({kind}: SlackError): boolean {
  return kind === 'wait' || kind === 'retry' || kind === 'dead'
}

/** After how long what Slack has not answered is asked again: behind a limit, else as soon as anything is. `undefined`: it has. */
export function askAgainAfterMs(error: SlackError): number | undefined {
  if (!mayPass(error)) return undefined
  return error.kind === 'wait' ? error.retryAfterMs : 0
}
