import {pause} from '../../async/pause.ts'
import type {Secret} from '../../security/secret.ts'
import {isRecord, parseJson} from '../../security/foreign-json.ts'

/** What the platform answered, whatever it is. */
export interface Answer {
  /** What was asked: reads like `POST /threads`. */
  what: string
  status: number
  type: string
  header: (name: string) => string | undefined
  /** The JSON of the body; `undefined` where it is none. */
  body: unknown
}

export interface Request {
  query?: Readonly<Record<string, string | number | undefined>>
  /** Goes out as JSON; a text as it stands. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** `null`: none goes along. */
  key?: string | null
}

/** The fields of a body; none of what is no object. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return isRecord(body) ? body : {}
}

export type Method = 'GET' | 'POST' | 'DELETE'

/** Asks the platform, within bounds, and takes whatever comes for an answer. */
export interface Asking {
  ask: (method: Method, path: string, request?: Request) => Promise<Answer>
  /** The answer as it opens, for whoever reads its body as it comes. */
  open: (method: Method, path: string, request?: Request, signal?: AbortSignal) => Promise<Response>
  /** Makes an attempt again where it was answered with 429, after the wait that this names. */
  patiently: <Made>(
    attempt: () => Promise<Made>,
    answerOf: (made: Made) => Answer | undefined,
  ) => Promise<Made>
  calls: () => number
}

/** So many calls were made that something goes in a circle. */
export class TooManyCalls extends Error {
  override name = 'TooManyCalls' as const
}

const TIMEOUT_MS = 15_000
/** A longer wait is not worth it: whoever runs this waits for it. */
const MAX_RETRY_AFTER_S = 30
const MAX_RETRIES = 3

interface AskingOptions {
  baseUrl: string
  key: Secret
  maxCalls: number
  signal: AbortSignal
  /** Told of each 429, which is waited for. */
  onLimit: (answer: Answer) => void
}

export function createAsking(options: AskingOptions): Asking {
  const {baseUrl, maxCalls, signal, onLimit} = options
  let calls = 0

  const open: Asking['open'] = async (method, path, request = {}, ending = signal) => {
    calls += 1
    if (calls > maxCalls) throw new TooManyCalls(`More than ${maxCalls} calls.`)
    const {body, headers, key = options.key.reveal()} = request
    return fetch(toUrl(baseUrl, path, request.query), {
      method,
      redirect: 'manual',
      signal: ending,
      headers: {
        accept: 'application/json',
        ...(key !== null && {authorization: `Bearer ${key}`}),
        ...(body !== undefined && {'content-type': 'application/json'}),
        ...headers,
      },
      ...(body !== undefined && {body: typeof body === 'string' ? body : JSON.stringify(body)}),
    })
  }

  const askOnce: Asking['ask'] = async (method, path, request) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await open(method, path, request, ending)
    return toAnswer(`${method} ${withoutSecret(path)}`, response, await response.text())
  }

  const patiently: Asking['patiently'] = async (attempt, answerOf) => {
    for (let retries = 0; ; retries += 1) {
      const made = await attempt()
      const answer = answerOf(made)
      if (answer?.status !== 429) return made
      onLimit(answer)
      const seconds = waitOf(answer)
      if (retries === MAX_RETRIES || seconds > MAX_RETRY_AFTER_S) return made
      await pause(seconds * 1000, signal)
      signal.throwIfAborted()
    }
  }
  const ask: Asking['ask'] = (method, path, request) =>
    patiently(
      () => askOnce(method, path, request),
      (answer) => answer,
    )
  return {ask, open, patiently, calls: () => calls}
}

/** The address below the base address; a whole one, such as a webhook's, stays as it is. */
function toUrl(baseUrl: string, path: string, query: Request['query'] = {}): URL {
  const url = new URL(/^https?:/.test(path) ? path : `${baseUrl.replace(/\/$/, '')}${path}`)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** The address of a webhook is a credential. */
function withoutSecret(path: string): string {
  return /^https?:/.test(path) ? 'a webhook' : path
}

export function toAnswer(what: string, response: Response, text: string): Answer {
  return {
    what,
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    header: (name) => response.headers.get(name) ?? undefined,
    body: parseJson(text),
  }
}

function waitOf({body, header}: Answer): number {
  const named = [header('retry-after'), isRecord(body) ? body['retryAfterSeconds'] : undefined]
  return Math.max(1, ...named.map(Number).filter((seconds) => seconds > 0))
}

/** A path of segments, of which ids may hold anything. */
export function pathOf(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}
