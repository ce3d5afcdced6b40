import {
  PlatformError,
  PlatformNotFound,
  PlatformUnauthorized,
  reasonOf,
} from '../platform/errors.ts'
import type {Frame} from '../platform/frame.ts'
import type {Link, LinkChange} from '../store/link.ts'
import type {Books} from './books.ts'
import type {Log} from './ports.ts'

/** The link's thread as an endless iteration of frames. */
export type Follow = (link: Link & {threadId: string}, signal: AbortSignal) => AsyncIterable<Frame>

/** A relay's hold on the stream of its thread. */
interface Following {
  /** What is wanted may have changed: the stream begins or ends. */
  look(): void
  /** The work came back out of the archive: what still runs is of before, and its end says nothing of now. */
  renew(): void
  /** There is none, and nothing of one is under way. */
  isResting(): boolean
}

interface FollowingOptions {
  follow: Follow
  books: Books
  log: Log
  /** The thread that is to be followed just now. */
  wanted: () => string | undefined
  /** The next frame waits for it, or for the end of the stream. */
  take: (frame: Frame, threadId: string) => Promise<void> | undefined
  /** The stream said that nothing more will come. */
  isDone: () => boolean
  /** It ended by itself; whatever it brought is all there will be. */
  onEnd: () => void
  /** Nothing that is known to happen. */
  onFailure: (error: unknown) => void
}

export function createFollowing(options: FollowingOptions): Following {
  const {books, log, wanted, take, isDone, onEnd, onFailure} = options
  let current: AbortController | undefined

  const follow = async (threadId: string, until: AbortSignal): Promise<void> => {
    const stopped = new Promise<void>((resolve) => {
      until.addEventListener('abort', () => resolve(), {once: true})
    })
    try {
      for await (const frame of options.follow({...books.link(), threadId}, until)) {
        const room = take(frame, threadId)
        if (room !== undefined) await Promise.race([room, stopped])
      }
      if (isDone() && !until.aborted) await books.changeIfKnown(toDone(books.link()))
    } catch (error) {
      if (until.aborted) return
      log.warn({err: error, linkId: books.link().id}, 'A stream ended for good')
      await books.change(toEnd(error))
    }
  }

  const start = (threadId: string): void => {
    const one = new AbortController()
    current = one
    const end = (): void => {
      current = undefined
      // Meanwhile it may have been wanted again.
      if (one.signal.aborted) look()
      else onEnd()
    }
    books.keep(follow(threadId, one.signal).catch(onFailure).finally(end))
  }

  const look = (): void => {
    const threadId = wanted()
    if (threadId === undefined) current?.abort()
    else if (current === undefined) start(threadId)
  }
  const renew = (): void => {
    current?.abort()
    look()
  }
  return {look, renew, isResting: () => current === undefined}
}

/** A task's stream is over when the task is; a thread's, when it is put away. */
function toDone({taskId}: Link): LinkChange {
  if (taskId !== undefined) return {state: 'ended', status: 'done'}
  return {state: 'archived', status: 'archived'}
}

/** A refused key may be replaced, so the link stays open: the next message or the next start tries again. */
function toEnd(error: unknown): LinkChange {
  if (error instanceof PlatformNotFound) return {state: 'ended', notice: {code: 'gone'}}
  if (error instanceof PlatformUnauthorized) return {notice: {code: 'key-refused'}}
  if (error instanceof PlatformError) return {notice: {code: 'refused', detail: reasonOf(error)}}
  throw error
}
