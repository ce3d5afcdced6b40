import type {Place} from '../store/links.ts'
import type {FileContent, PostContent} from './post.ts'

/** Slack as the relay needs it: somewhere to write posts. What Slack does not take is thrown as a {@link WriteError}. */
export interface PostWriter {
  /** What the pacer knows each call as. */
  readonly methods: Readonly<Record<Move, string>>
  create(post: {place: Place; linkId: string; key: string; content: PostContent}): Promise<string>
  edit(post: {place: Place; ts: string; content: PostContent}): Promise<void>
  remove(post: {place: Place; ts: string}): Promise<void>
  /** Brings a file to Slack, where nobody sees it yet; its id. What comes of it can be lost without harm. */
  upload(content: FileContent): Promise<string>
  /** Shows an uploaded file. The message that carries it appears by itself, a little later. */
  share(post: {place: Place; file: string; content: FileContent}): Promise<void>
  /**
   * Looks for the message of an open intent: the one that carries its file or bears its key, or else a
   * message of ours that bears none and is not known. Its `ts`, or `undefined`.
   */
  find(post: {
    place: Place
    linkId: string
    key: string
    file: string | undefined
    isKnown: (ts: string) => boolean
  }): Promise<string | undefined>
}

/** What a publisher can do to one post. */
type Move = 'create' | 'edit' | 'remove' | 'share' | 'find'

/**
 * Why Slack did not take a call, by what has to happen next.
 *
 * `wait`: not before `retryAfterMs`. `retry`: no answer; it may have been applied. `refused`: this
 * content, as it is. `gone`: there is no such message (any more). `stuck`: the message stands, and can't
 * be changed any more. `closed`: nobody can write in this Slack thread. `unusable`: nor in this channel.
 * `dead`: nor anywhere in this workspace. `mistake`: this method is not ours to call, until somebody
 * mends it.
 */
export type WriteErrorKind =
  'wait' | 'retry' | 'refused' | 'gone' | 'stuck' | 'closed' | 'unusable' | 'dead' | 'mistake'

export class WriteError extends Error {
  override name = 'WriteError' as const
  readonly kind: WriteErrorKind
  /** In Slack's words, or ours where it has none. */
  readonly code: string
  readonly retryAfterMs: number

  constructor(
    kind: WriteErrorKind,
    code: string,
    options: {message?: string; retryAfterMs?: number; cause?: unknown} = {},
  ) {
    super(options.message ?? code, {cause: options.cause})
    this.kind = kind
    this.code = code
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

/** The part of a logger that the relay writes to. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
