import type {Secret} from '../../security/secret.ts'
import {toPath} from '../calls.ts'
import type {PlatformClient} from '../client.ts'
import {
  PlatformError,
  PlatformRateLimited,
  PlatformRefused,
  PlatformStreamUnavailable,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../errors.ts'
import {createEventReader} from './events.ts'
import {type Frame, parseFrame} from './frame.ts'
import {type Clock, systemClock} from '../../async/clock.ts'
import {backoffMs, isAborted, pause} from '../../async/pause.ts'
import type {Transport} from '../transport.ts'

/** What is followed: a thread, or a task under one. */
type Followed = {threadId: string} | {taskId: string}

type StreamOptions = Followed & {
  transport: Transport
  apiKey: Secret
  /** For the entries of frames that are too large to take from the stream, and while there is no place for one. */
  client: Pick<PlatformClient, 'getTask' | 'getThread' | 'listMessages' | 'listTaskMessages'>
  /** Replay starts behind this entry; without it, at the beginning. */
  after: string | undefined
  /** `run`: end when the run in progress has (section 4.3). */
  until?: 'run'
  signal: AbortSignal
  /** Asked before each event is looked at; it is not while this is pending. */
  turns?: () => Promise<void> | undefined
  /** Called on each failed connection with what failed and the wait that follows. */
  onTrouble?: (error: PlatformError, waitMs: number) => void
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  random?: () => number
  clock?: Pick<Clock, 'nowMs' | 'dateMs'>
  maxFrameChars?: number
  silenceMs?: number
}

/** Heartbeats come every 15 s; two missed ones and some slack mean a dead connection. */
const SILENCE_MS = 35_000
const MAX_FRAME_CHARS = 1024 * 1024
const DEFAULT_RETRY_MS = 2000
/** As long as a 429 may let us wait. */
const MAX_RETRY_MS = 3_600_000
/** An interruption that is shorter is no news; a longer one is told so often, unless it is read meanwhile. */
const SHORT_MS = 60_000
/** Whoever has no place for a stream for longer than this reads meanwhile, so often. */
const PLACELESS_MS = 10_000
const READ_EVERY_MS = 30_000
/** What is added to the server's own wait while nothing is heard: it grows from the one to the other. */
const LEAST_SPREAD_MS = 500
const MAX_SPREAD_MS = 30_000

/**
 * One thread or task as an endless iteration of frames, over as many connections as it takes. It
 * resumes behind the last transcript frame that it yielded, ends after `done` (which it yields) and
 * when the signal aborts, and throws a `PlatformError` where connecting again cannot help: a refused
 * key, a thread that is gone. Sections 4.3 and 6.
 */
export async function* follow(options: StreamOptions): AsyncGenerator<Frame, void> {
  const {signal, onTrouble, wait = pause, random = Math.random, clock = systemClock} = options
  const state: StreamState = {
    cursor: options.after,
    paged: new Set(),
    retryMs: DEFAULT_RETRY_MS,
    failures: 0,
  }
  let broken = {atMs: 0, dateMs: 0}
  while (!signal.aborted) {
    let trouble: PlatformError
    let hasStood = false
    try {
      for await (const frame of readConnection(options, state)) {
        hasStood = true
        if (frame.type === 'error') throw toStreamError(frame)
        yield frame
        if (frame.type === 'done') return
      }
      trouble = new PlatformUnreachable('The stream was closed without a word', true)
    } catch (error) {
      if (isAborted(signal)) return
      if (!(error instanceof PlatformError)) throw error
      if (isRefusedCursor(error, state)) {
        state.cursor = undefined
        state.paged.clear()
        yield {type: 'rewound'}
      } else if (!isWorthWaiting(error)) {
        throw error
      }
      trouble = error
    }
    const waitMs = reconnectDelayMs(trouble, state, random)
    if (state.failures === 0) broken = {atMs: clock.nowMs(), dateMs: clock.dateMs()}
    state.failures += 1
    onTrouble?.(trouble, waitMs)
    if (hasStood) yield {type: 'broken'}
    // Once may be a moment's limit.
    const isPlaceless = hasNoPlace(trouble) && (state.failures > 1 || waitMs > PLACELESS_MS)
    let mayRead = isPlaceless || waitMs > SHORT_MS
    let leftMs = waitMs
    do {
      const outcome = mayRead ? yield* readWithout(options, state) : 'refused'
      const isRead = outcome === 'read'
      // Whom the platform asks for silence asks once; one that is away may be back before its stream is.
      mayRead = outcome !== 'refused'
      if (isRead) broken = {atMs: clock.nowMs(), dateMs: clock.dateMs()}
      if (isAborted(signal)) return
      const shortMs = broken.atMs + SHORT_MS - clock.nowMs()
      if (shortMs <= 0) yield {type: 'disconnected', sinceMs: broken.dateMs}
      const nextMs = isRead ? READ_EVERY_MS : shortMs > 0 ? shortMs : SHORT_MS
      const stepMs = Math.min(leftMs, nextMs)
      await wait(stepMs, signal)
      leftMs -= stepMs
    } while (leftMs > 0 && !isAborted(signal))
  }
}

/** So many streams are open that there is none for us (sections 7 and 8); everything else is answered. */
function hasNoPlace(error: PlatformError): boolean {
  return error instanceof PlatformRateLimited || error instanceof PlatformStreamUnavailable
}

/** A status opens every connection, also one that fails right behind it. */
const OPENING: readonly Frame['type'][] = ['status', 'error']

interface StreamState {
  cursor: string | undefined
  /** Entries behind the cursor that paging has brought. */
  paged: Set<string>
  retryMs: number
  /** Connections in a row that brought nothing of what they are for. */
  failures: number
}

async function* readConnection(options: StreamOptions, state: StreamState): AsyncGenerator<Frame> {
  const {silenceMs = SILENCE_MS} = options
  let silence: NodeJS.Timeout | undefined
  // A reader of frames that takes its time is no silence: it counts only while we wait for bytes.
  const ear = {isListening: true, hasHeardNothing: false}
  let body: Awaited<ReturnType<Transport['events']>> | undefined
  try {
    body = await openBody(options, state, silenceMs)
    yield {type: 'connected'}
    const reader = createEventReader(options.maxFrameChars ?? MAX_FRAME_CHARS)
    silence = setTimeout(() => {
      ear.hasHeardNothing = ear.isListening
      if (ear.isListening) body?.close()
    }, silenceMs)
    for await (const chunk of body) {
      ear.isListening = false
      for (const event of reader.read(chunk)) {
        await options.turns?.()
        if (event.type === 'retry') state.retryMs = Math.min(event.retryMs, MAX_RETRY_MS)
        else if (event.type === 'oversize') yield* readMissed(options, state)
        else {
          const frame = parseFrame(event)
          if (frame === undefined) continue
          if (!OPENING.includes(frame.type)) state.failures = 0
          yield frame
          // Behind the yield: whoever stops listening here resumes in front of this entry.
          if (frame.type === 'transcript') {
            state.cursor = frame.cursor ?? state.cursor
            state.paged.delete(frame.entry.id)
          }
        }
      }
      ear.isListening = true
      silence.refresh()
    }
  } catch (error) {
    if (options.signal.aborted || error instanceof PlatformError) throw error
    const silent = `Nothing was heard on the stream for ${silenceMs} ms`
    const message = ear.hasHeardNothing ? silent : `The stream broke off: ${String(error)}`
    throw new PlatformUnreachable(message, true, {cause: error})
  } finally {
    clearTimeout(silence)
    body?.close()
  }
}

function openBody(
  options: StreamOptions,
  {cursor}: StreamState,
  timeoutMs: number,
): ReturnType<Transport['events']> {
  const {transport, apiKey, signal} = options
  signal.throwIfAborted()
  return transport.events({
    method: 'GET',
    apiKey,
    ...toPlaceOf(options, cursor),
    // What has nothing to resume has just begun, and somebody waits for it.
    turn: cursor === undefined ? 'first' : 'again',
    signal,
    timeoutMs,
  })
}

/** A header holds plain text alone: a cursor that is more goes into the query (section 4.3). */
function toPlaceOf(options: StreamOptions, cursor: string | undefined) {
  const of = 'taskId' in options ? ['tasks', options.taskId] : ['threads', options.threadId]
  const isPlain = cursor !== undefined && /^[!-~]+$/.test(cursor)
  const query = {until: options.until, after: isPlain ? undefined : cursor}
  return {
    path: toPath([...of, 'stream'], query),
    // No proxy on the way may answer from what it kept.
    headers: {'cache-control': 'no-cache', ...(isPlain && {'last-event-id': cursor})},
  }
}

/**
 * A frame was too large for the stream: its entry, if it was one, comes by paging. Whether a stream
 * cursor is good for paging is only implied, so a refused one means paging from the start; the
 * reader drops what it knows by id. The cursor stays where it was until the next frame moves it.
 */
async function* readMissed(options: StreamOptions, state: StreamState): AsyncGenerator<Frame> {
  const {client, signal} = options
  const list = (after: string | undefined) =>
    'taskId' in options
      ? client.listTaskMessages(options.taskId, after, signal)
      : client.listMessages(options.threadId, after, signal)
  const page = async function* (after: string | undefined): AsyncGenerator<Frame> {
    for await (const entry of list(after)) {
      if (state.paged.has(entry.id)) continue
      state.paged.add(entry.id)
      yield {type: 'transcript', entry, cursor: undefined}
    }
  }
  try {
    yield* page(state.cursor)
  } catch (error) {
    if (!(error instanceof PlatformRefused) || state.cursor === undefined) throw error
    yield* page(undefined)
  }
}

/** There is no place for this stream, or not for long: what it would have brought is asked for meanwhile. */
async function* readWithout(
  options: StreamOptions,
  state: StreamState,
): AsyncGenerator<Frame, 'read' | 'away' | 'refused'> {
  const {client, signal} = options
  try {
    // What is at rest by then has said all that is read behind this.
    const {status} =
      'taskId' in options
        ? await client.getTask(options.taskId, signal)
        : await client.getThread(options.threadId, signal)
    yield* readMissed(options, state)
    yield {type: 'status', status}
    return 'read'
  } catch (error) {
    if (isAborted(signal)) return 'refused'
    if (!(error instanceof PlatformError) || !isWorthWaiting(error)) throw error
    return error instanceof PlatformUnreachable ? 'away' : 'refused'
  }
}

function toStreamError({code, message}: {code: string; message: string}): PlatformError {
  const said = `The platform ended the stream: ${code} ${message}`.trim()
  if (code === 'unauthorized') return new PlatformUnauthorized(said, {fields: {code}})
  if (code === 'stream_unavailable') return new PlatformStreamUnavailable(said, {fields: {code}})
  return new PlatformUnreachable(said, true, {fields: {code}})
}

/** Section 4.3: a cursor that is not valid answers 400 before the stream starts. */
function isRefusedCursor(error: PlatformError, state: StreamState): boolean {
  return error instanceof PlatformRefused && error.status === 400 && state.cursor !== undefined
}

function isWorthWaiting(error: PlatformError): boolean {
  return error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
}

/**
 * Never sooner than the server's `retry`, and spread over as long again, also where that is nothing: thousands of streams
 * that broke together must not come back together. It doubles while nothing is heard, up to half a minute.
 */
function reconnectDelayMs(error: PlatformError, state: StreamState, random: () => number): number {
  const {retryMs, failures} = state
  const baseMs = Math.max(retryMs, LEAST_SPREAD_MS)
  const spreadMs = backoffMs(failures, {baseMs, maxMs: MAX_SPREAD_MS}, random)
  const leastMs = error instanceof PlatformRateLimited ? error.retryAfterMs : retryMs
  return leastMs + spreadMs
}
