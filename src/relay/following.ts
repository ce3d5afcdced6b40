import {
  PlatformError,
  PlatformNotFound,
  PlatformUnauthorized,
  reasonOf,
} from '../platform/errors.ts'
import type {Frame} from '../platform/frame.ts'
import type {Link, LinkChange} from '../store/links.ts'
import type {Books} from './books.ts'
import type {Log} from './ports.ts'

/** The link's thread as an endless iteration of frames. */
export type Follow = (link: Link & {threadId: string}, signal: AbortSignal) => AsyncIterable<Frame>

/** A relay's hold on the stream of its thread. */
interface Following {
  start(threadId: string): void
  stop(): void
}

interface FollowingOptions {
  follow: Follow
  books: Books
  log: Log
  /** The next frame waits for it. */
  take: (frame: Frame, threadId: string) => Promise<void> | undefined
  /** The stream said that nothing more will come. */
  isDone: () => boolean
  /** Nothing that is known to happen. */
  onFailure: (error: unknown) => void
}

export function createFollowing(options: FollowingOptions): Following {
  const {books, log, take, isDone, onFailure} = options
  let current: AbortController | undefined

  const follow = async (threadId: string, until: AbortSignal): Promise<void> => {
    try {
      for await (const frame of options.follow({...books.link(), threadId}, until)) {
        const room = take(frame, threadId)
        if (room !== undefined) await room
      }
      if (isDone() && !until.aborted) await books.change({state: 'archived', status: 'archived'})
    } catch (error) {
      if (until.aborted) return
      log.warn({err: error, linkId: books.link().id}, 'A stream ended for good')
      await books.change(toEnd(error))
    }
  }

  const start = (threadId: string): void => {
    if (current !== undefined) return
    current = new AbortController()
    const work = follow(threadId, current.signal).catch(onFailure)
    books.keep(work.finally(() => (current = undefined)))
  }
  return {start, stop: () => current?.abort()}
}

/** A refused key may be replaced, so the link stays open: the next message or the next start tries again. */
function toEnd(error: unknown): LinkChange {
  if (error instanceof PlatformNotFound) return {state: 'ended', notice: {code: 'gone'}}
  if (error instanceof PlatformUnauthorized) return {notice: {code: 'key-refused'}}
  if (error instanceof PlatformError) return {notice: {code: 'refused', detail: reasonOf(error)}}
  throw error
}
