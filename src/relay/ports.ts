import type {Place} from '../store/links.ts'
import type {PostContent} from './posts.ts'

/** Slack as the relay needs it: somewhere to write posts. Every call throws a {@link WriteError}. */
export interface PostWriter {
  /** What the pacer knows each call as. */
  readonly methods: Readonly<Record<Move, string>>
  create(post: {place: Place; linkId: string; key: string; content: PostContent}): Promise<string>
  edit(post: {place: Place; ts: string; content: PostContent}): Promise<void>
  remove(post: {place: Place; ts: string}): Promise<void>
  /**
   * Looks for the message of an open intent: the one that bears its key, or else a message of ours
   * that bears none and is not known. Its `ts`, or `undefined`.
   */
  find(post: {
    place: Place
    linkId: string
    key: string
    isKnown: (ts: string) => boolean
  }): Promise<string | undefined>
}

/** What a publisher can do to one post. */
type Move = 'create' | 'edit' | 'remove' | 'find'

/**
 * Why Slack did not take a call, by what has to happen next.
 *
 * `wait`: not before `retryAfterMs`. `retry`: no answer; it may have been applied. `refused`: this
 * content, as it is. `gone`: there is no such message (any more). `unusable`: nobody can write in
 * this place for now. `mistake`: the call was wrong, and somebody has to mend it.
 */
export type WriteErrorKind = 'wait' | 'retry' | 'refused' | 'gone' | 'unusable' | 'mistake'

export class WriteError extends Error {
  override name = 'WriteError' as const
  readonly kind: WriteErrorKind
  readonly retryAfterMs: number

  constructor(
    kind: WriteErrorKind,
    message: string,
    options: {retryAfterMs?: number; cause?: unknown} = {},
  ) {
    super(message, {cause: options.cause})
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs ?? 0
  }
}

/** The part of a logger that the relay writes to. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
