import {
  PlatformError,
  PlatformNotFound,
  PlatformRateLimited,
  PlatformUnauthorized,
  PlatformUnreachable,
  reasonOf,
} from '../platform/errors.ts'
import type {Frame} from '../platform/stream/frame.ts'
import {backoffMs, isAborted} from '../async/pause.ts'
import type {Link, LinkChange} from '../store/tables/work/link.ts'
import type {LinkKeeper} from './link-keeper.ts'
import {type Clock, waitOn} from '../async/clock.ts'
import type {Log} from './ports.ts'

/** The link's thread as an endless iteration of frames. */
export type Follow = (link: Link & {threadId: string}, signal: AbortSignal) => AsyncIterable<Frame>

/** A relay's hold on the stream of its thread. */
interface Following {
  /** What is wanted may have changed: the stream begins or ends. */
  look(): void
  /** There is none, and nothing of one is under way. */
  isResting(): boolean
}

interface FollowingOptions {
  follow: Follow
  keeper: LinkKeeper
  clock: Clock
  log: Log
  /** The thread that is to be followed just now. */
  wanted: () => string | undefined
  /** The next frame waits for it, or for the end of the stream. */
  take: (frame: Frame, threadId: string) => Promise<void> | undefined
  /** The stream said that nothing more will come. */
  isDone: () => boolean
  /** What it has come to, as the platform says now; `undefined`: it goes on. */
  endOf: (threadId: string) => Promise<LinkChange | undefined>
  /** It ended by itself; whatever it brought is all there will be. */
  onEnd: () => void
  /** Nothing that is known to happen. */
  onFailure: (error: unknown) => void
}

/** Between two streams of which the first one ended though the work goes on. */
const RETRY = {baseMs: 1000, maxMs: 30_000}
/** A stream that ran for so long ended for a reason of its own. */
const WELL_AFTER_MS = 60_000

export function createFollowing(options: FollowingOptions): Following {
  const {keeper, clock, log, wanted, take, isDone, endOf, onEnd, onFailure} = options
  let current: AbortController | undefined
  let inVain = 0

  /** Whether it ended in such a way that it may be wanted once more. */
  const follow = async (threadId: string, until: AbortSignal): Promise<boolean> => {
    const beganMs = clock.nowMs()
    let letGo: (() => void) | undefined
    until.addEventListener('abort', () => letGo?.(), {once: true})
    try {
      for await (const frame of options.follow({...keeper.link(), threadId}, until)) {
        const room = take(frame, threadId)
        if (room === undefined || until.aborted) continue
        await new Promise<void>((resolve, reject) => {
          letGo = resolve
          room.then(resolve, reject)
        })
      }
      if (isAborted(until) || !isDone() || keeper.link().state !== 'open') return isDone()
      const end = await readEnd(threadId)
      if (end !== undefined) await keeper.changeIfKnown(end)
      else await rest(clock.nowMs() - beganMs, until)
      return true
    } catch (error) {
      if (until.aborted) return false
      log.warn({err: error, linkId: keeper.link().id}, 'A stream ended for good')
      await keeper.change(toEnd(error))
      return false
    }
  }

  /** The end of a stream tells of the past: the work may have come out of the archive since. */
  const readEnd = async (threadId: string): Promise<LinkChange | undefined> => {
    try {
      return await endOf(threadId)
    } catch (error) {
      // The next stream ends just so, and is asked about again.
      if (error instanceof PlatformUnreachable || error instanceof PlatformRateLimited)
        return undefined
      throw error
    }
  }

  const rest = async (ranMs: number, until: AbortSignal): Promise<void> => {
    inVain = ranMs > WELL_AFTER_MS ? 0 : inVain + 1
    if (inVain > 1) await waitOn(clock, backoffMs(inVain, RETRY), until)
  }

  const fail = (error: unknown): boolean => {
    onFailure(error)
    return false
  }

  const start = (threadId: string): void => {
    const one = new AbortController()
    current = one
    const run = async (): Promise<void> => {
      const mayGoOn = await follow(threadId, one.signal).catch(fail)
      current = undefined
      if (!one.signal.aborted) onEnd()
      // Meanwhile it may have been wanted again.
      if (one.signal.aborted || mayGoOn) look()
    }
    keeper.keep(run())
  }

  const look = (): void => {
    const threadId = wanted()
    if (threadId === undefined) current?.abort()
    else if (current === undefined) start(threadId)
  }
  return {look, isResting: () => current === undefined}
}

/**
 * A refused key may be replaced, and a proxy finds its way again, so the link stays open: the next message or the next start
 * tries again.
 */
function toEnd(error: unknown): LinkChange {
  if (error instanceof PlatformNotFound && error.isCertain) {
    return {state: 'ended', notice: {code: 'gone'}}
  }
  if (error instanceof PlatformUnauthorized) return {notice: {code: 'key-refused'}}
  if (error instanceof PlatformError) return {notice: {code: 'refused', detail: reasonOf(error)}}
  throw error
}
