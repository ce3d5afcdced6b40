import {Agent, type Dispatcher} from 'undici'
import type {Secret} from '../security/secret.ts'
import {type AnswerBody, PlatformUnreachable, toPlatformError} from './errors.ts'

/** The way to one platform: its address and the connections to it. Keys come with each request. */
export interface Transport extends AsyncDisposable {
  /** The parsed JSON of a 2xx answer; `undefined` for an empty one. Throws a `PlatformError`. */
  json(request: TransportRequest): Promise<unknown>
  /** The body of a 2xx event stream, as it arrives. Throws a `PlatformError` before the first byte. */
  events(request: TransportRequest): Promise<AsyncIterable<Uint8Array>>
}

interface TransportRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below `/api/v1`, each segment already encoded. */
  path: string
  apiKey: Secret
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** The answer's shape is not documented: whatever a 2xx brings is an answer. */
  isAnswerFree?: boolean
  signal: AbortSignal
  /** Until the whole answer is read; of a stream until its headers are. */
  timeoutMs: number
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_ERROR_BYTES = 64 * 1024

/** Failures before a connection stood: the request cannot have arrived. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Requests and streams have pools of their own, so that 2,000 streams never starve a request. */
export function createTransport(baseUrl: string): Transport {
  const requests = new Agent({connections: 32, connectTimeout: 5000})
  const streams = new Agent({connections: null, connectTimeout: 5000, bodyTimeout: 0})

  const send = async (agent: Agent, request: TransportRequest, accept: string) => {
    const {method, path, apiKey, headers, body, timeoutMs} = request
    const what = `${method} ${path}`
    // The deadline of a stream ends with its headers: the timer is cleared then.
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const signal = AbortSignal.any([request.signal, deadline.signal])
    const isLate = (): boolean => deadline.signal.aborted && !request.signal.aborted
    const fail = (error: unknown): Error => {
      clearTimeout(timer)
      if (request.signal.aborted) return toError(request.signal.reason)
      if (isLate()) return new PlatformUnreachable(`${what} had no answer in ${timeoutMs} ms`, true)
      return toUnreachable(what, error)
    }
    try {
      const response = await agent.request({
        origin: new URL(baseUrl).origin,
        path: new URL(baseUrl).pathname + path,
        method,
        signal,
        headers: {
          ...headers,
          accept,
          authorization: `Bearer ${apiKey.reveal()}`,
          ...(body === undefined ? {} : {'content-type': 'application/json'}),
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
      return {what, response, fail, done: () => clearTimeout(timer)}
    } catch (error) {
      throw fail(error)
    }
  }

  const json = async (request: TransportRequest): Promise<unknown> => {
    const {what, response, fail, done} = await send(requests, request, 'application/json')
    const isGood = response.statusCode >= 200 && response.statusCode < 300
    let text: string
    try {
      text = await readText(response.body, isGood ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES)
    } catch (error) {
      throw fail(error)
    }
    done()
    if (!isGood) throw toAnswerError(what, response, text)
    if (text.trim() === '') return undefined
    const value = parseJson(text)
    // A page is somebody else's answer, whatever shape was asked for.
    const isPage = /html/i.test(String(response.headers['content-type'] ?? ''))
    if (value === undefined && (isPage || request.isAnswerFree !== true)) {
      throw new PlatformUnreachable(notJson(what, response), true)
    }
    return value
  }

  const events = async (request: TransportRequest): Promise<AsyncIterable<Uint8Array>> => {
    const {what, response, fail, done} = await send(streams, request, 'text/event-stream')
    const type = String(response.headers['content-type'] ?? '')
    if (response.statusCode === 200 && /^text\/event-stream\b/i.test(type)) {
      done()
      return response.body
    }
    let text: string
    try {
      text = await readText(response.body, MAX_ERROR_BYTES)
    } catch (error) {
      throw fail(error)
    }
    done()
    if (response.statusCode < 300) {
      throw new PlatformUnreachable(
        `${what} was answered with ${type || 'no type'}, not events`,
        true,
      )
    }
    throw toAnswerError(what, response, text)
  }

  const dispose = async (): Promise<void> => {
    await Promise.all([requests.destroy(), streams.destroy()])
  }
  return {json, events, [Symbol.asyncDispose]: dispose}
}

async function readText(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
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
  return Buffer.concat(chunks).toString('utf8')
}

function toAnswerError(what: string, response: Dispatcher.ResponseData, text: string): Error {
  const value = parseJson(text)
  const retryAfter = response.headers['retry-after']
  const body = isRecord(value) ? value : undefined
  if (body === undefined && response.statusCode < 400) {
    return new PlatformUnreachable(notJson(what, response), true, {status: response.statusCode})
  }
  return toPlatformError(what, response.statusCode, retryAfter?.toString(), body)
}

function notJson(what: string, response: Dispatcher.ResponseData): string {
  const type = String(response.headers['content-type'] ?? 'no content type')
  return `${what} was answered with ${response.statusCode} and ${type}, which is not the platform's JSON`
}

function toUnreachable(what: string, error: unknown): PlatformUnreachable {
  const code = codeOf(error)
  const said = error instanceof Error ? error.message : String(error)
  const message = `${what} got no answer: ${said || code}`
  return new PlatformUnreachable(message, !NEVER_SENT.has(code), {cause: error})
}

/** A failed connect to several addresses arrives as an AggregateError with the code on it. */
function codeOf(error: unknown): string {
  const code = isRecord(error) ? error['code'] : undefined
  return typeof code === 'string' ? code : 'unknown'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // what is not JSON is told by the caller, with the status beside it
  }
}

function isRecord(value: unknown): value is NonNullable<AnswerBody> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
