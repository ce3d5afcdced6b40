import type {Feature} from '../../../src/platform/contract/refusals.ts'
import type {ModelSeed} from '../seed/seed.ts'

/** The extra fields of `svc/ModelSelection.Rejected`. */
interface ModelRejection extends NonNullable<ModelSeed['refused']> {
  message: string
  candidates: {entryId: string; name: string; billingLabel: string}[]
  modelId: string
}

/** An answer that says no: a status and a tagged JSON object. Section 7. */
export class Refusal extends Error {
  override name = 'Refusal' as const
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    tag: string,
    fields: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${status} svc/${tag}`)
    this.status = status
    this.body = {_tag: `svc/${tag}`, ...fields}
    this.headers = headers
  }

  toResponse(): Response {
    return Response.json(this.body, {status: this.status, headers: this.headers})
  }
}

export const invalidRequest = (message: string): Refusal =>
  new Refusal(400, 'InvalidRequest', {message})

export const unauthorized = (): Refusal => new Refusal(401, 'Unauthorized')

/** No access, or a read-only service key on a mutation. */
export const forbidden = (): Refusal => new Refusal(403, 'Forbidden')

/** Asked under a name that is not this machine's own. */
export const foreignHost = (host: string): Refusal =>
  new Refusal(403, 'Forbidden', {
    message: `"${host}" is not this machine: ask 127.0.0.1 or localhost.`,
  })

export const paidFeatureUnavailable = (feature: Feature): Refusal =>
  new Refusal(402, 'PaidFeatureUnavailable', {feature})

/** The model that a captain shall have cannot be chosen; `candidates` can. */
export const modelRejected = (fields: ModelRejection): Refusal =>
  new Refusal(400, 'ModelSelection.Rejected', {...fields})

export const projectNotFound = (projectId: string): Refusal =>
  new Refusal(404, 'ProjectNotFound', {projectId})

export const threadNotFound = (threadId: string): Refusal =>
  new Refusal(404, 'ThreadNotFound', {threadId})

export const taskNotFound = (taskId: string): Refusal => new Refusal(404, 'TaskNotFound', {taskId})

/** Section 7 leaves its status open. */
export const folderNotFound = (): Refusal => new Refusal(404, 'ThreadOrganizationNotFound')

/** Section 7 leaves its status open. */
export const conflict = (message: string): Refusal => new Refusal(409, 'Conflict', {message})

export const reviewRefused = (reason: string): Refusal =>
  new Refusal(422, 'ReviewRefused', {reason})

export const rateLimited = (retryAfterSeconds: number): Refusal =>
  new Refusal(429, 'RateLimited', {retryAfterSeconds}, {'retry-after': String(retryAfterSeconds)})

/** Not in section 7: an event id that belongs to no message of the thread. */
export const messageNotFound = (eventId: string): Refusal =>
  new Refusal(404, 'MessageNotFound', {eventId})

/** Not in section 7. */
export const automationNotFound = (automationId: string): Refusal =>
  new Refusal(404, 'AutomationNotFound', {automationId})

/** Not in section 7: the same for a wrong address and for an automation that does not run. Section 4.9. */
export const webhookNotFound = (): Refusal =>
  new Refusal(404, 'NotFound', {message: 'There is no such webhook.'})

/** Not in section 7: the thread has no session right now. Section 3.5. */
export const sessionNotFound = (threadId: string): Refusal =>
  new Refusal(404, 'SessionNotFound', {threadId})

/** Not in section 7: no such address. */
export const routeNotFound = (path: string): Refusal =>
  new Refusal(404, 'NotFound', {message: `There is nothing at ${path}.`})

/** Not in section 7: the address exists, for other methods. */
export const methodNotAllowed = (allowed: readonly string[]): Refusal =>
  new Refusal(
    405,
    'MethodNotAllowed',
    {message: `Use ${allowed.join(' or ')}.`},
    {allow: allowed.join(', ')},
  )

/** Not in section 7: the head of the request is larger than the server reads. */
export const headersTooLarge = (): Refusal =>
  new Refusal(431, 'HeadersTooLarge', {message: 'The headers are too large.'})

/** Not in section 7: the request did not arrive in time. */
export const requestTimedOut = (): Refusal =>
  new Refusal(408, 'RequestTimedOut', {message: 'The request did not arrive in time.'})

/** Not in section 7: the body is larger than the server reads. */
export const bodyTooLarge = (maxBytes: number): Refusal =>
  new Refusal(
    413,
    'PayloadTooLarge',
    {message: `The body may have at most ${maxBytes} bytes.`},
    // The rest of the body stays unread, so the connection cannot carry another request.
    {connection: 'close'},
  )

/** Not in section 7: a mistake of the server. */
export const internalError = (): Refusal =>
  new Refusal(500, 'InternalError', {message: 'The server made a mistake. Try again.'})
