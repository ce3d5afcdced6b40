/**
 * What went wrong with the platform, by what the caller can do next (platform-api.md section 7).
 * Each carries the answer's `_tag`, its status and its extra fields; none ever holds the key.
 */
export abstract class PlatformError extends Error {
  /** As it came, for example `svc/ThreadNotFound`; absent when the answer bore none. */
  readonly _tag: string | undefined
  readonly status: number | undefined
  /** The other fields of the answer, for example `projectId`, `reason`, `candidates`. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(message: string, details: PlatformErrorDetails = {}) {
    super(message, {cause: details.cause})
    this._tag = details._tag
    this.status = details.status
    this.fields = details.fields ?? {}
  }
}

interface PlatformErrorDetails {
  _tag?: string | undefined
  status?: number | undefined
  fields?: Readonly<Record<string, unknown>> | undefined
  cause?: unknown
}

/** No answer of the platform came: nothing at all, a 5xx, or a page that is not its JSON. May be asked again. */
export class PlatformUnreachable extends PlatformError {
  override name = 'PlatformUnreachable' as const
  /** False only when the request surely never arrived, so that repeating it cannot double anything. */
  readonly mayHaveArrived: boolean

  constructor(message: string, mayHaveArrived: boolean, details?: PlatformErrorDetails) {
    super(message, details)
    this.mayHaveArrived = mayHaveArrived
  }
}

/** 429: ask again after `retryAfterMs`. */
export class PlatformRateLimited extends PlatformError {
  override name = 'PlatformRateLimited' as const
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, details?: PlatformErrorDetails) {
    super(message, details)
    this.retryAfterMs = retryAfterMs
  }
}

/** 401: the key is missing, wrong or revoked. Replace it. */
export class PlatformUnauthorized extends PlatformError {
  override name = 'PlatformUnauthorized' as const
}

/** 403: this key may not do this. */
export class PlatformForbidden extends PlatformError {
  override name = 'PlatformForbidden' as const
}

/** 404: absent, or out of this key's reach; the platform does not tell which. */
export class PlatformNotFound extends PlatformError {
  override name = 'PlatformNotFound' as const
}

/** Any other 4xx: asked, and told no. Change the request; do not repeat it. */
export class PlatformRefused extends PlatformError {
  override name = 'PlatformRefused' as const
}

/** The platform's own words, else its tag: never more than a line. */
export function reasonOf({fields, _tag, message}: PlatformError): string {
  const said = [fields['message'], fields['reason'], _tag].find((it) => typeof it === 'string')
  return (said ?? message).slice(0, 200)
}

/** The answer's body as JSON, when it is an object. */
export type AnswerBody = Readonly<Record<string, unknown>> | undefined

/** The error for an answer that is not 2xx. `what` reads like `POST /threads`. */
export function toPlatformError(
  what: string,
  status: number,
  retryAfterHeader: string | undefined,
  body: AnswerBody,
): PlatformError {
  const {_tag: tag, ...fields} = body ?? {}
  const _tag = typeof tag === 'string' ? tag : undefined
  const details = {_tag, status, fields}
  const said = [fields['message'], fields['reason'], _tag].find((it) => typeof it === 'string')
  const message = `${what} was answered with ${status}${said === undefined ? '' : `: ${said}`}`
  if (status === 401) return new PlatformUnauthorized(message, details)
  if (status === 403) return new PlatformForbidden(message, details)
  if (status === 404) return new PlatformNotFound(message, details)
  if (status === 429) {
    const retryAfterMs = toRetryAfterMs(retryAfterHeader, fields['retryAfterSeconds'])
    return new PlatformRateLimited(message, retryAfterMs, details)
  }
  if (status >= 400 && status < 500 && status !== 408) return new PlatformRefused(message, details)
  return new PlatformUnreachable(message, true, details)
}

/** The longer of the two waits that a 429 names; a second when it names none. */
function toRetryAfterMs(header: string | undefined, field: unknown): number {
  const seconds = [Number(header), Number(field)].filter((value) => value > 0)
  return 1000 * Math.min(3600, seconds.length === 0 ? 1 : Math.max(...seconds))
}
