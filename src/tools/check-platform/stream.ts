import {setTimeout as delay} from 'node:timers/promises'
import {createParser} from 'eventsource-parser'
import {isRecord, parseJson} from '../../security/foreign-json.ts'
import {type Answer, type Asking, toAnswer} from './asking.ts'

/** One frame as it came. */
export interface Frame {
  event: string
  id: string | undefined
  data: Readonly<Record<string, unknown>>
  /** The `data:` line was no JSON object. */
  isBroken: boolean
}

/** A stream that is read while it is open. */
export interface Stream extends Disposable {
  /** Of a stream that did not open: why. */
  refusal: Answer | undefined
  type: string
  frames: readonly Frame[]
  /** Milliseconds of each `retry:` line, and how many frames came before it. */
  retries: readonly {ms: number; afterFrames: number}[]
  /** Whether the condition came true in time. */
  until: (holds: (frames: readonly Frame[]) => boolean, withinMs: number) => Promise<boolean>
  /** Whether the server closed it in time. */
  ended: (withinMs: number) => Promise<boolean>
}

export interface StreamRequest {
  query?: Readonly<Record<string, string | undefined>>
  lastEventId?: string | undefined
}

/** Opens a stream, and reads on until it is disposed of. */
export async function openStream(
  {open}: Asking,
  path: string,
  {query, lastEventId}: StreamRequest,
  signal: AbortSignal,
): Promise<Stream> {
  const closing = new AbortController()
  const ending = AbortSignal.any([signal, closing.signal])
  const opening = setTimeout(() => closing.abort(new Error('The stream did not open.')), OPEN_MS)
  const headers = {
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && {'last-event-id': lastEventId}),
  }
  const request = {headers, ...(query && {query})}
  const response = await open('GET', path, request, ending).finally(() => clearTimeout(opening))
  const type = response.headers.get('content-type') ?? ''
  if (response.status !== 200 || !/^text\/event-stream\b/i.test(type)) {
    const refusal = toAnswer(`GET ${path}`, response, await textOf(response, closing))
    return {...NO_FRAMES, refusal, type, [Symbol.dispose]: () => closing.abort()}
  }
  return {
    ...readOn(response, ending),
    refusal: undefined,
    type,
    [Symbol.dispose]: () => closing.abort(),
  }
}

const OPEN_MS = 15_000

const NO_FRAMES = {
  frames: [],
  retries: [],
  until: () => Promise.resolve(false),
  ended: () => Promise.resolve(true),
}

/** Whatever it is, it ends. */
async function textOf(response: Response, closing: AbortController): Promise<string> {
  const timer = setTimeout(() => closing.abort(), OPEN_MS)
  try {
    return await response.text()
  } catch {
    return ''
  } finally {
    clearTimeout(timer)
  }
}

function readOn(response: Response, signal: AbortSignal) {
  const frames: Frame[] = []
  const retries: {ms: number; afterFrames: number}[] = []
  let isEnded = false
  let news = Promise.withResolvers<undefined>()
  const tell = (): void => {
    news.resolve(undefined)
    news = Promise.withResolvers()
  }
  const parser = createParser({
    onEvent: ({event = 'message', id, data}) => frames.push(toFrame(event, id, data)),
    onRetry: (ms) => retries.push({ms, afterFrames: frames.length}),
  })
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      parser.feed(decoder.decode(chunk, {stream: true}))
      tell()
    }
  }
  void read()
    // A connection that breaks is one that ends.
    .catch(() => undefined)
    .then(() => {
      isEnded = true
      tell()
    })
  const wait = async (holds: () => boolean, withinMs: number): Promise<boolean> => {
    const endMs = Date.now() + withinMs
    while (!holds()) {
      const leftMs = endMs - Date.now()
      if (leftMs <= 0 || signal.aborted) return false
      await Promise.race([news.promise, delay(Math.min(leftMs, 500))])
    }
    return true
  }
  return {
    frames,
    retries,
    until: (holds: (all: readonly Frame[]) => boolean, withinMs: number) =>
      wait(() => holds(frames), withinMs),
    ended: (withinMs: number) => wait(() => isEnded, withinMs),
  }
}

function toFrame(event: string, id: string | undefined, text: string): Frame {
  const data = parseJson(text)
  return isRecord(data) ? {event, id, data, isBroken: false} : {event, id, data: {}, isBroken: true}
}
