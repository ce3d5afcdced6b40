import type {Dispatcher} from 'undici'
import {NotOurs} from '../async/fence.ts'
import {isRecord, parseJson} from '../security/foreign-json.ts'
import {type PlatformError, PlatformUnreachable} from './errors.ts'
import {toPlatformError} from './error-answer.ts'

/** One HTTP request and its answer. Redirects are not followed. */
export interface ExchangeRequest {
  /** How errors call it, for example `POST /threads`. */
  what: string
  /** Not a part of any error. */
  origin: string
  /** With its query, encoded. Not a part of any error. */
  path: string
  method: 'GET' | 'POST' | 'DELETE'
  headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
  /** JSON that stands already, and goes out as it is: in place of `body`. */
  json?: string
  signal: AbortSignal
  /** Until the whole answer is read; of a stream until its headers are. */
  timeoutMs: number
}

/** An answer whose headers are here. */
export interface OpenAnswer {
  status: number
  /** The content type; empty where none is named. */
  type: string
  retryAfter: string | undefined
  /** The header of that name. */
  date: string | undefined
  /** By which the platform finds the request again, if it says so. */
  trace: string | undefined
  body: AsyncIterable<Uint8Array>
  /** Lifts the deadline, so that the body may take as long as it takes. Whoever reads it closes the answer. */
  endDeadline(): void
  /** Reads the body to its end, within the deadline, and closes the answer. */
  readText(): Promise<string>
  /** What has not been read is not wanted. */
  close(): void
}

function toJson(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body)
}

/** @throws {PlatformUnreachable} when no answer comes; what the signal was aborted with, when it was. */
export async function exchange(agent: Dispatcher, request: ExchangeRequest): Promise<OpenAnswer> {
  const {what, timeoutMs, body, json = toJson(body), ...rest} = request
  // One of thousands: a signal made of two others would cost four times as much, and stay behind in both.
  const cut = new AbortController()
  const stop = (): void => cut.abort(request.signal.reason)
  const timer = setTimeout(() => cut.abort(LATE), timeoutMs)
  const endDeadline = (): void => clearTimeout(timer)
  const leave = (): void => {
    endDeadline()
    request.signal.removeEventListener('abort', stop)
  }
  const toFailure = (error: unknown): Error => {
    leave()
    if (request.signal.aborted) return toError(request.signal.reason)
    if (cut.signal.reason !== LATE) return toUnreachable(what, error)
    return new PlatformUnreachable(`${what} had no answer in ${timeoutMs} ms`, true)
  }
  try {
    if (request.signal.aborted) stop()
    else request.signal.addEventListener('abort', stop, {once: true})
    const response = await agent.request({
      ...rest,
      headers: {
        ...rest.headers,
        'accept-encoding': 'identity',
        ...(json === undefined ? {} : {'content-type': JSON_TYPE}),
      },
      body: json ?? null,
      signal: cut.signal,
    })
    const {statusCode: status, headers} = response
    return {
      status,
      type: String(headers['content-type'] ?? ''),
      retryAfter: headers['retry-after']?.toString(),
      date: headers['date']?.toString(),
      trace: (headers['x-trace-id'] ?? headers['x-request-id'])?.toString(),
      body: response.body,
      endDeadline,
      readText: () =>
        readAll(response, leave).catch((error: unknown) => {
          throw toFailure(error)
        }),
      close: () => {
        leave()
        cut.abort()
      },
    }
  } catch (error) {
    throw toFailure(error)
  }
}

const LATE = Symbol('late')

/**
 * The JSON of a good answer; `undefined` for an empty one. Where the shape is free, because it is
 * not documented, text that does not claim to be JSON is an answer too.
 *
 * @throws {PlatformUnreachable} for a page, or half an answer: it is somebody else's.
 */
export function parseAnswer(
  what: string,
  {type}: OpenAnswer,
  text: string,
  isFree: boolean,
): unknown {
  if (text.trim() === '') return undefined
  const value = parseJson(text)
  if (value !== undefined) return value
  if (isFree && !/html|json/i.test(type)) return text
  throw new PlatformUnreachable(`${what} was answered with ${notJson(type)}`, true)
}

/**
 * The error of an answer that is not good. That something is gone is not believed in words that are not the platform's JSON:
 * a proxy says it of everything while what is behind it starts again. Nor is a refusal believed on a web page.
 */
export function toAnswerError(what: string, answer: OpenAnswer, text: string): PlatformError {
  const {status, type, retryAfter, trace} = answer
  const value = parseJson(text)
  const body = isRecord(value) ? value : undefined
  if (body === undefined && (status < 400 || isSomebodyElses(status, type, text))) {
    const message = `${what} was answered with ${status} and ${notJson(type)}`
    return new PlatformUnreachable(message, true, {status})
  }
  return toPlatformError({what, status, retryAfter, trace, body})
}

function isSomebodyElses(status: number, type: string, text: string): boolean {
  if (status === 404) return text.trim() !== ''
  const isPage = /html/i.test(type) || text.trimStart().startsWith('<')
  return isPage && (status === 401 || status === 403)
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

const JSON_TYPE = 'application/json'
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_ERROR_BYTES = 64 * 1024

async function readAll(
  {statusCode, body}: Dispatcher.ResponseData,
  onEnd: () => void,
): Promise<string> {
  const maxBytes = isGood(statusCode) ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      body.destroy()
      throw new Error(`the answer is longer than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  onEnd()
  return Buffer.concat(chunks).toString('utf8')
}

/** Failures before a connection stood: the request cannot have arrived. Nor has what is not ours to ask. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

function toUnreachable(what: string, error: unknown): PlatformUnreachable {
  const code = codeOf(error)
  const said = error instanceof Error ? error.message : String(error)
  const message = `${what} got no answer: ${said || code}`
  const wasSent = !NEVER_SENT.has(code) && !(error instanceof NotOurs)
  return new PlatformUnreachable(message, wasSent, {cause: error})
}

/** A failed connect to several addresses arrives as an AggregateError with the code on it. */
function codeOf(error: unknown): string {
  const code = isRecord(error) ? error['code'] : undefined
  return typeof code === 'string' ? code : 'unknown'
}

function notJson(type: string): string {
  return `${type || 'no content type'}, which is not the platform's JSON`
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
