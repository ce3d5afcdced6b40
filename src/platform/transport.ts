import {Agent, type Dispatcher} from 'undici'
import {fenced} from '../async/fence.ts'
import type {Secret} from '../security/secret.ts'
import {type Turn, createConnectGate} from './connect-gate.ts'
import {PlatformUnreachable} from './errors.ts'
import {
  type ExchangeRequest,
  type OpenAnswer,
  exchange,
  isGood,
  parseAnswer,
  toAnswerError,
} from './exchange.ts'

/** The way to one platform: its address and the connections to it. Keys come with each request. */
export interface Transport extends AsyncDisposable {
  /** The parsed JSON of a 2xx answer; `undefined` for an empty one. Throws a `PlatformError`. */
  json(request: TransportRequest): Promise<unknown>
  /**
   * The body of a 2xx event stream, as it arrives. Throws a `PlatformError` before the first byte. Streams
   * connect at a bounded rate.
   */
  events(request: TransportRequest): Promise<EventBody>
}

interface EventBody extends AsyncIterable<Uint8Array> {
  /** No more of it is wanted; whoever reads it right now hears an error. */
  close(): void
}

/** What was asked, as far as it is no secret. */
type Asked = Pick<TransportRequest, 'method' | 'path'>

interface TransportRequest extends Pick<
  ExchangeRequest,
  'method' | 'body' | 'signal' | 'timeoutMs'
> {
  /** Below `/api/v1`, each segment already encoded. */
  path: string
  apiKey: Secret
  headers?: Readonly<Record<string, string>>
  /** The answer's shape is not documented: whatever a 2xx brings is an answer. */
  isAnswerFree?: boolean
  /** For who may call for now only: what comes too late does not go out. */
  mayCall?: () => boolean
  /** Of streams: those whose turn is `first` pass the others. */
  turn?: Turn
}

/** What is noticed on the way to the platform and back. */
interface Watch {
  /** The `Date` of an answer, as it came. */
  onDate: (date: string | undefined) => void
  /** A request is over; of a stream, its beginning. Without an error it was taken. */
  onAnswer: (request: Asked, tookMs: number, error: unknown) => void
}

/** In place of a key in what the platform says. */
const MARK = '…'

const UNWATCHED: Watch = {onDate: () => undefined, onAnswer: () => undefined}

/** Requests and streams have pools of their own, so that 2,000 streams never starve a request. */
export function createTransport(baseUrl: string, watch: Partial<Watch> = {}): Transport {
  const {onDate, onAnswer} = {...UNWATCHED, ...watch}
  const {origin, pathname} = new URL(baseUrl)
  const requests = new Agent({connections: 128, connectTimeout: 5000})
  const gate = createConnectGate()
  const streams = new Agent({connections: null, connectTimeout: 5000, bodyTimeout: 0})

  const send = async (
    agent: Dispatcher,
    request: TransportRequest,
    accept: string,
  ): Promise<OpenAnswer> => {
    const {method, path, apiKey, headers, body, signal, timeoutMs} = request
    const answer = await exchange(agent, {
      what: `${method} ${path}`,
      origin,
      path: pathname + path,
      method,
      headers: {...headers, accept, authorization: `Bearer ${apiKey.reveal()}`},
      body,
      signal,
      timeoutMs,
    })
    onDate(answer.date)
    return answer
  }

  const timed = async <Answer>(
    asking: Promise<Answer>,
    request: TransportRequest,
  ): Promise<Answer> => {
    const sinceMs = performance.now()
    try {
      const answer = await asking
      onAnswer(request, performance.now() - sinceMs, undefined)
      return answer
    } catch (error) {
      // Who asked does not want it any more: that says nothing of the platform.
      if (!request.signal.aborted) onAnswer(request, performance.now() - sinceMs, error)
      throw error
    }
  }

  const ask = async (request: TransportRequest): Promise<unknown> => {
    const {method, path, isAnswerFree = false} = request
    const what = `${method} ${path}`
    const {mayCall} = request
    const way = mayCall === undefined ? requests : fenced(requests, mayCall)
    const answer = await send(way, request, 'application/json')
    const text = await answer.readText()
    if (!isGood(answer.status)) throw toAnswerError(what, answer, without(request.apiKey, text))
    return parseAnswer(what, answer, text, isAnswerFree)
  }

  const open = async (request: TransportRequest): Promise<EventBody> => {
    const {method, path} = request
    const what = `${method} ${path}`
    const answer = await send(streams, request, 'text/event-stream')
    const {status, type} = answer
    if (status === 200 && /^text\/event-stream\b/i.test(type)) {
      answer.endDeadline()
      return {
        [Symbol.asyncIterator]: () => answer.body[Symbol.asyncIterator](),
        close: () => answer.close(),
      }
    }
    const text = await answer.readText()
    if (!isGood(status)) throw toAnswerError(what, answer, without(request.apiKey, text))
    throw new PlatformUnreachable(
      `${what} was answered with ${type || 'no type'}, not events`,
      true,
    )
  }

  const json: Transport['json'] = (request) => timed(ask(request), request)
  const events: Transport['events'] = async (request) => {
    await gate.enter(request.turn ?? 'again', request.signal)
    return timed(open(request), request)
  }

  const dispose = async (): Promise<void> => {
    await Promise.all([requests.destroy(), streams.destroy()])
  }
  return {json, events, [Symbol.asyncDispose]: dispose}
}

/** Whoever is told no may have typed anything: what they typed is nobody's secret yet, and is said by nobody. */
function without(key: Secret, text: string): string {
  const word = key.reveal()
  const inJson = JSON.stringify(word).slice(1, -1)
  return text.replaceAll(word, MARK).replaceAll(inJson, MARK)
}
