import {PlatformRateLimited, PlatformRefused, PlatformUnreachable} from '../../platform/errors.ts'
import type {Frame} from '../../platform/stream/frame.ts'
import type {Entry} from '../../platform/model.ts'
import {backoffMs, isAborted} from '../../async/pause.ts'
import {type Clock, waitOn} from '../../async/clock.ts'
import {type Follower, type Limits, createFollower} from './stream-reader.ts'

/** The streams of one connection: one for each thread, however many links follow it. */
interface SharedStreams {
  /**
   * The thread's frames behind the cursor, as a stream of one's own would bring them. Entries that were caught up
   * with by paging bear no cursor, and may come a second time with one.
   */
  follow(from: From, signal: AbortSignal): AsyncGenerator<Frame, void>
  /** How many there are now. */
  count(): number
}

interface From {
  threadId: string
  cursor: string | undefined
}

interface SharedStreamOptions {
  open: (from: From, signal: AbortSignal) => AsyncIterable<Frame>
  /** The transcript behind the cursor, by paging. */
  list: (from: From, signal: AbortSignal) => AsyncIterable<Entry>
  clock: Clock
  limits?: Limits
}

/** What one follower may leave unread before it has to catch up by paging, if others read faster. */
const LIMITS: Limits = {maxFrames: 512, maxChars: 256 * 1024}
/** Those who join meanwhile share one new connection. */
const JOIN_MS = 250
const RETRY = {baseMs: 500, maxMs: 30_000}

export function createSharedStreams(options: SharedStreamOptions): SharedStreams {
  const {clock, list, limits = LIMITS} = options
  const hubs = new Map<string, Hub>()

  async function* follow(from: From, signal: AbortSignal): AsyncGenerator<Frame, void> {
    const {threadId} = from
    if (signal.aborted) return
    const follower = createFollower(from.cursor, limits)
    const hub = hubs.get(threadId) ?? createHub(threadId, options, () => hubs.delete(threadId))
    hubs.set(threadId, hub)
    hub.join(follower)
    const wake = (): void => follower.wake()
    signal.addEventListener('abort', wake, {once: true})
    try {
      while (!isAborted(signal)) {
        if (follower.mustCatchUp()) {
          yield* catchUp(follower, (cursor) => list({threadId, cursor}, signal), {clock, signal})
          continue
        }
        const frame = follower.shift()
        if (frame !== undefined) {
          yield frame
          follower.passed(frame)
          hub.resume()
          continue
        }
        const ending = follower.ending()
        if (ending?.failure !== undefined) throw ending.failure
        if (ending !== undefined) return
        await follower.news()
      }
    } finally {
      signal.removeEventListener('abort', wake)
      hub.leave(follower)
    }
  }
  return {follow, count: () => hubs.size}
}

/**
 * Pages through what is behind the follower's cursor, as often as it takes until no entry of the stream is left of
 * which it is not known whether it belongs behind that.
 */
async function* catchUp(
  follower: Follower,
  list: (cursor: string | undefined) => AsyncIterable<Entry>,
  {clock, signal}: {clock: Clock; signal: AbortSignal},
): AsyncGenerator<Frame, void> {
  const paged = new Set<string>()
  let failures = 0
  while (follower.mustCatchUp() && !isAborted(signal)) {
    const before = follower.startPaging()
    try {
      for await (const entry of list(follower.cursor())) {
        if (paged.has(entry.id)) continue
        paged.add(entry.id)
        yield {type: 'transcript', entry, cursor: undefined}
      }
      failures = 0
      follower.settle(paged, before)
    } catch (error) {
      if (isAborted(signal)) return
      follower.markStale()
      if (error instanceof PlatformRefused && follower.cursor() !== undefined) {
        follower.rewind()
        paged.clear()
        yield {type: 'rewound'}
      } else if (error instanceof PlatformUnreachable || error instanceof PlatformRateLimited) {
        const leastMs = error instanceof PlatformRateLimited ? error.retryAfterMs : 0
        failures += 1
        await waitOn(clock, leastMs + backoffMs(failures, RETRY), signal)
      } else {
        throw error
      }
    }
  }
}

/** The one stream of a thread. */
interface Hub {
  join(follower: Follower): void
  /** The last one closes the stream. */
  leave(follower: Follower): void
  /** Somebody has read: there may be room again. */
  resume(): void
}

/**
 * The fastest reader sets the pace: the stream waits only while nobody has room. A reader that stays behind is
 * dropped from it and catches up by paging, and so does one that joins with another cursor, since cursors cannot
 * be compared. The turn in progress is sent again on a new connection alone, so there is one for those who join.
 */
function createHub(threadId: string, {open, clock}: SharedStreamOptions, onEmpty: () => void): Hub {
  const followers = new Set<Follower>()
  let cursor: string | undefined
  let connection: AbortController | undefined
  let isConnected = false
  let isOver = false
  let roomFor: (() => void) | undefined
  let cancelRenewal: (() => void) | undefined

  const join = (follower: Follower): void => {
    if (followers.size === 0) cursor = follower.cursor()
    followers.add(follower)
    if (cursor === follower.cursor()) follower.keepStep()
    if (connection === undefined) connect()
    else if (isConnected) cancelRenewal ??= clock.after(JOIN_MS, connect)
  }

  const connect = (): void => {
    cancelRenewal?.()
    cancelRenewal = undefined
    connection?.abort()
    roomFor?.()
    isConnected = false
    connection = new AbortController()
    void read(connection.signal)
  }

  const read = async (signal: AbortSignal): Promise<void> => {
    try {
      for await (const frame of open({threadId, cursor}, signal)) {
        if (signal.aborted) return
        hand(frame)
        if (!hasRoom()) await room(signal)
      }
      if (!signal.aborted) finish()
    } catch (error) {
      if (!signal.aborted) finish(error instanceof Error ? error : new Error(String(error)))
    }
  }

  const hand = (frame: Frame): void => {
    if (frame.type === 'connected') isConnected = true
    if (frame.type === 'broken' || frame.type === 'disconnected') {
      // It asks again in its own time, and that brings what those who join want.
      isConnected = false
      cancelRenewal?.()
      cancelRenewal = undefined
    }
    if (frame.type === 'rewound') cursor = undefined
    if (frame.type === 'transcript') cursor = frame.cursor ?? cursor
    for (const follower of followers) follower.take(frame)
  }

  const hasRoom = (): boolean => {
    for (const follower of followers) if (follower.hasRoom()) return true
    return false
  }

  const room = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve()
      else roomFor = resolve
    })

  const resume = (): void => {
    if (roomFor === undefined || !hasRoom()) return
    roomFor()
    roomFor = undefined
  }

  /** The same for all; whoever comes now finds another hub. */
  const finish = (failure?: Error): void => {
    close()
    for (const follower of followers) follower.end(failure)
  }

  const close = (): void => {
    if (isOver) return
    isOver = true
    cancelRenewal?.()
    connection?.abort()
    onEmpty()
  }

  const leave = (follower: Follower): void => {
    followers.delete(follower)
    if (followers.size > 0) resume()
    else {
      close()
      roomFor?.()
    }
  }
  return {join, leave, resume}
}
