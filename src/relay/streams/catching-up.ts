import {PlatformRateLimited, PlatformRefused, PlatformUnreachable} from '../../platform/errors.ts'
import type {Frame} from '../../platform/frame.ts'
import type {Entry} from '../../platform/model.ts'
import {backoffMs, isAborted} from '../../async/pause.ts'
import {type Clock, waitOn} from '../../async/clock.ts'
import type {Follower} from './follower.ts'

const RETRY = {baseMs: 500, maxMs: 30_000}

/**
 * Pages through what is behind the follower's cursor, as often as it takes until no entry of the stream is left of
 * which it is not known whether it belongs behind that.
 */
export async function* catchUp(
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
