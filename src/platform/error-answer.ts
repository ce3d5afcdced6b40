import {
  PlatformConflict,
  type PlatformError,
  type PlatformErrorDetails,
  PlatformFolderNotFound,
  PlatformForbidden,
  PlatformInvalidRequest,
  PlatformModelRejected,
  PlatformNotFound,
  PlatformPaidFeature,
  PlatformProjectNotFound,
  PlatformRateLimited,
  PlatformRefused,
  PlatformReviewRefused,
  PlatformStreamUnavailable,
  PlatformTaskNotFound,
  PlatformThreadNotFound,
  PlatformUnauthorized,
  PlatformUnreachable,
  saidIn,
} from './errors.ts'

/** An answer that is not 2xx. */
interface ErrorAnswer {
  /** What was asked: reads like `POST /threads`. */
  what: string
  status: number
  retryAfter: string | undefined
  /** Of the headers. */
  trace?: string | undefined
  /** The body, where it is a JSON object. */
  body: Readonly<Record<string, unknown>> | undefined
}

/** The error of an answer: its family by the status, its class by the tag where both agree. Section 7. */
export function toPlatformError({
  what,
  status,
  retryAfter,
  trace,
  body,
}: ErrorAnswer): PlatformError {
  const {_tag: tag, ...fields} = body ?? {}
  const _tag = typeof tag === 'string' ? tag : undefined
  const said = saidIn(fields) ?? _tag
  const message = `${what} was answered with ${status}${said === undefined ? '' : `: ${said}`}`
  const named = fields['traceId']
  const traceId = typeof named === 'string' ? named : trace
  const details = {_tag, status, traceId, fields}

  const family = familyOf(status)
  const tagged = TAGS.get(_tag?.replace(/^[^/]*\//, '') ?? '')
  if (tagged?.families.includes(family) === true) return new tagged.kind(message, details)
  switch (family) {
    case 'unauthorized':
      return new PlatformUnauthorized(message, details)
    case 'forbidden':
      return new PlatformForbidden(message, details)
    case 'not-found':
      return new PlatformNotFound(message, details)
    case 'rate-limited': {
      const retryAfterMs = toRetryAfterMs(retryAfter, fields['retryAfterSeconds'])
      return new PlatformRateLimited(message, retryAfterMs, details)
    }
    case 'refused':
      return new PlatformRefused(message, details)
    case 'unreachable':
      return new PlatformUnreachable(message, true, details)
    default:
      throw new Error(`Unknown family: ${String(family satisfies never)}`)
  }
}

type Family =
  'unauthorized' | 'forbidden' | 'not-found' | 'rate-limited' | 'refused' | 'unreachable'

function familyOf(status: number): Family {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not-found'
  if (status === 429) return 'rate-limited'
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unreachable'
}

interface Tagged {
  kind: new (message: string, details: PlatformErrorDetails) => PlatformError
  /** The statuses under which the tag is believed. */
  families: readonly Family[]
}

const REFUSED = ['refused'] as const
const NOT_FOUND = ['not-found'] as const

/** Without their prefix, which is the service's name. The statuses of the last three are not documented. */
const TAGS: ReadonlyMap<string, Tagged> = new Map<string, Tagged>([
  ['InvalidRequest', {kind: PlatformInvalidRequest, families: REFUSED}],
  ['ModelSelection.Rejected', {kind: PlatformModelRejected, families: REFUSED}],
  ['PaidFeatureUnavailable', {kind: PlatformPaidFeature, families: REFUSED}],
  ['ProjectNotFound', {kind: PlatformProjectNotFound, families: NOT_FOUND}],
  ['ThreadNotFound', {kind: PlatformThreadNotFound, families: NOT_FOUND}],
  ['TaskNotFound', {kind: PlatformTaskNotFound, families: NOT_FOUND}],
  ['ReviewRefused', {kind: PlatformReviewRefused, families: REFUSED}],
  ['Conflict', {kind: PlatformConflict, families: REFUSED}],
  [
    'ThreadOrganizationNotFound',
    {kind: PlatformFolderNotFound, families: ['not-found', 'refused']},
  ],
  [
    'StreamUnavailable',
    {kind: PlatformStreamUnavailable, families: ['unreachable', 'refused', 'not-found']},
  ],
])

/** The longer of the two waits that a 429 names; a second when it names none, an hour at most. */
function toRetryAfterMs(header: string | undefined, field: unknown): number {
  const seconds = [header, field].map(toSeconds).filter((it) => it > 0)
  return 1000 * Math.min(3600, seconds.length === 0 ? 1 : Math.max(...seconds))
}

/** A proxy in between may name a date (RFC 9110, section 10.2.3). */
function toSeconds(said: unknown): number {
  if (typeof said !== 'string' && typeof said !== 'number') return 0
  const seconds = Number(said)
  return Number.isNaN(seconds) ? (Date.parse(String(said)) - Date.now()) / 1000 : seconds
}
