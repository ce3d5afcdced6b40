import {type Clock, waitOn} from '../../async/clock.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import type {Frame} from '../../platform/stream/frame.ts'
import {isAborted} from '../../async/pause.ts'
import {FOLLOWED, type Link} from '../../store/tables/work/link.ts'
import type {LinkKeeper} from '../link-keeper.ts'
import type {Log} from '../ports.ts'

interface SightOptions {
  keeper: LinkKeeper
  clientOf: (link: Link) => PlatformClient
  /** Whether what is followed must not be shown in its place any more. */
  isMisplaced: (link: Link, thread: Thread) => Promise<boolean>
  clock: Clock
  log: Log
  signal: AbortSignal
  /** It must not be, and has ended. */
  onEnded: () => void
}

/** Behind these, and with what somebody tells the agent, something else begins. */
const TURNS: readonly Frame['type'][] = ['connected', 'status', 'run']
/** What people would read. */
const WORDS: readonly Frame['type'][] = ['transcript', 'assistant', 'tool_call', 'task']
/** A whole transcript may be told at once. */
const FRESH_MS = 1000
/** Longer than any answer takes; what is said must not wait for one that never comes. */
const WITHIN_MS = 5000

/**
 * What is followed may have become private somewhere else while it rested, or while nobody listened, and nobody tells of that:
 * the first words after it wait until the thread was read. `undefined`: nothing has to be waited for.
 */
export function createSight(
  options: SightOptions,
): (frame: Frame, threadId: string) => Promise<void> | undefined {
  const {keeper, clientOf, isMisplaced, clock, log, signal, onEnded} = options
  let isDue = true
  let lookedAtMs = -Infinity

  const read = async (threadId: string): Promise<void> => {
    try {
      const thread = await clientOf(keeper.link()).getThread(threadId, signal)
      if (!(await isMisplaced(keeper.link(), thread))) return
      await keeper.change({state: 'ended', notice: {code: 'misplaced'}})
      onEnded()
    } catch (error) {
      if (isAborted(signal)) return
      if (!(error instanceof PlatformError)) throw error
      // At the end of the run it is read until the platform tells it.
      log.info({err: error, linkId: keeper.link().id}, 'The thread could not be read yet')
    }
  }

  const look = async (threadId: string): Promise<void> => {
    const enough = new AbortController()
    keeper.keep(read(threadId).finally(() => enough.abort()))
    await waitOn(clock, WITHIN_MS, enough.signal)
  }

  return (frame, threadId) => {
    const isAsked = frame.type === 'transcript' && frame.entry.source === 'user'
    isDue ||= TURNS.includes(frame.type) || (isAsked && clock.nowMs() - lookedAtMs > FRESH_MS)
    const isFollowed = keeper.link().requestId.startsWith(FOLLOWED)
    if (!isDue || !isFollowed || !WORDS.includes(frame.type)) return undefined
    isDue = false
    lookedAtMs = clock.nowMs()
    return look(threadId)
  }
}
