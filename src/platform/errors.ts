import {z} from 'zod'

/**
 * What went wrong with the platform, by what the caller can do next: branch on the family, which is
 * the answer's status, and only then on the class of the tag (section 7 of its API document). A tag that
 * is unknown falls to its family. None ever holds the key.
 */
export abstract class PlatformError extends Error {
  /** As it came, for example `svc/ThreadNotFound`; absent when the answer bore none. */
  readonly _tag: string | undefined
  readonly status: number | undefined
  /** By which the platform's own people find what happened; the answer's, if it bears one. */
  readonly traceId: string | undefined
  /** The other fields of the answer, as they came. */
  readonly fields: Readonly<Record<string, unknown>>
  /** What was asked for may have been done all the same, by an earlier attempt of the same call whose answer was lost. */
  isDoubtful = false

  constructor(message: string, details: PlatformErrorDetails = {}) {
    super(message, {cause: details.cause})
    this.name = new.target.name
    this._tag = details._tag
    this.status = details.status
    this.traceId = details.traceId
    this.fields = details.fields ?? {}
  }
}

export interface PlatformErrorDetails {
  _tag?: string | undefined
  status?: number | undefined
  traceId?: string | undefined
  fields?: Readonly<Record<string, unknown>> | undefined
  cause?: unknown
}

/** No answer of the platform came: nothing at all, a 5xx, or a page that is not its JSON. May be asked again. */
export class PlatformUnreachable extends PlatformError {
  /** False only when the request surely never arrived, so that repeating it cannot double anything. */
  readonly mayHaveArrived: boolean

  constructor(message: string, mayHaveArrived: boolean, details?: PlatformErrorDetails) {
    super(message, details)
    this.mayHaveArrived = mayHaveArrived
  }
}

/** The stream cannot be served now; worth waiting for. */
export class PlatformStreamUnavailable extends PlatformUnreachable {
  constructor(message: string, details?: PlatformErrorDetails) {
    super(message, true, details)
  }
}

/** 429: ask again after `retryAfterMs`. */
export class PlatformRateLimited extends PlatformError {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, details?: PlatformErrorDetails) {
    super(message, details)
    this.retryAfterMs = retryAfterMs
  }
}

/** 401: the key is missing, wrong or revoked. Replace it. */
export class PlatformUnauthorized extends PlatformError {}

/** 403: this key may not do this. */
export class PlatformForbidden extends PlatformError {}

/** 404: absent, or out of this key's reach; the platform does not tell which. */
export class PlatformNotFound extends PlatformError {
  /** Whether it is said in a form of the platform's own (section 7): a proxy without its way there says it of everything. */
  readonly isCertain =
    this._tag !== undefined || retiredEnvelope.parse(this.fields['error'])?.code === 'not_found'
}

export class PlatformProjectNotFound extends PlatformNotFound {
  readonly projectId = readText(this.fields['projectId'])
}

export class PlatformThreadNotFound extends PlatformNotFound {
  readonly threadId = readText(this.fields['threadId'])
}

export class PlatformTaskNotFound extends PlatformNotFound {
  readonly taskId = readText(this.fields['taskId'])
}

/** The folder that threads were to be filed into is absent. The wire says `ThreadOrganizationNotFound`. */
export class PlatformFolderNotFound extends PlatformNotFound {}

/** Any other 4xx: asked, and told no. Change the request; do not repeat it. */
export class PlatformRefused extends PlatformError {}

/** A body, a parameter, a cursor or a named member is not valid. */
export class PlatformInvalidRequest extends PlatformRefused {}

/** The model cannot be used; `candidates` can. */
export class PlatformModelRejected extends PlatformRefused {
  readonly candidates = candidates.parse(this.fields['candidates'])
  /** `disconnected` or `not_connected`. */
  readonly rejection = readText(this.fields['rejection'])
  readonly modelId = readText(this.fields['modelId'])
  /** The external subscription that the model belongs to. */
  readonly service = readText(this.fields['service'])
  readonly health = health.parse(this.fields['health'])
}

/** The plan has no such feature: a machine size, `byok` or `captain_image`. */
export class PlatformPaidFeature extends PlatformRefused {
  readonly feature = readText(this.fields['feature'])
}

/** The pull request is closed, a draft, or may not be read. */
export class PlatformReviewRefused extends PlatformRefused {
  readonly reason = readText(this.fields['reason'])
}

/** What was asked does not fit the present state: listed for takeover. */
export class PlatformConflict extends PlatformRefused {}

/** This one is absent, or not for this key: what else is asked for may be there. */
export function isOutOfSight(error: unknown): boolean {
  return error instanceof PlatformNotFound || error instanceof PlatformForbidden
}

/** Answered with a failure: it may be of this one alone, where a platform that is away says nothing of any. */
export function mayFailAlone(error: unknown): error is PlatformUnreachable {
  return error instanceof PlatformUnreachable && error.status !== undefined
}

/**
 * The platform's own words, else its tag. Where the fields of the answer say more: the tag, and what they say on lines
 * behind it. Never more than 200 characters.
 */
export function reasonOf(error: PlatformError): string {
  const {fields, _tag, message} = error
  const facts = factsOf(error)
  const reason = facts === undefined ? (saidIn(fields) ?? _tag) : [_tag, ...facts].join('\n')
  return (reason ?? message).slice(0, 200)
}

function factsOf(error: PlatformError): string[] | undefined {
  if (error._tag === undefined) return undefined
  if (error instanceof PlatformPaidFeature) {
    return error.feature === undefined ? undefined : [error.feature]
  }
  if (!(error instanceof PlatformModelRejected)) return undefined
  const usable = error.candidates.flatMap(({entryId, name}) => entryId ?? name ?? [])
  return usable.length === 0 ? undefined : [error.modelId ?? '', usable.join(', ')]
}

/** What an answer says for people: its message or reason, also that of the retired envelope (section 7). */
export function saidIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  const envelope = retiredEnvelope.parse(fields['error'])
  return readText(fields['message']) ?? readText(fields['reason']) ?? envelope?.message
}

// No field of an answer may break the error that it explains, so all of these accept whatever comes.
const text = z.string().optional().catch(undefined)
const candidate = z.looseObject({entryId: text, name: text, billingLabel: text})
const candidates = z
  .array(candidate.optional().catch(undefined))
  .catch([])
  .transform((all) => all.filter((it) => it !== undefined))
const health = z
  .looseObject({state: text, kind: text, provider: text, action: text, resetsAt: text})
  .optional()
  .catch(undefined)
const retiredEnvelope = z.looseObject({code: text, message: text}).optional().catch(undefined)

function readText(value: unknown): string | undefined {
  return text.parse(value)
}
