import {type Clock, waitOn} from '../async/clock.ts'
import {backoffMs} from '../async/pause.ts'
import type {PlatformClient} from '../platform/client.ts'
import {PlatformRateLimited, PlatformUnreachable} from '../platform/errors.ts'
import {type Thread, isWorking} from '../platform/model.ts'
import {FOLLOWED, type Link, type LinkChange} from '../store/tables/work/link.ts'
import type {LinkKeeper} from './link-keeper.ts'
import type {Log} from './ports.ts'

interface ThreadReading {
  /** Reads it now, and until the platform tells it. Who asks meanwhile has it read once more. */
  read(threadId: string): Promise<void>
  /** Whether the platform has told a title: until then the work bears the words of who asked for it. */
  isNamed(): boolean
}

/** Between two attempts to read it: nothing else says that it needs somebody. */
const RETRY = {baseMs: 2000, maxMs: 60_000}

/** Reads what the stream does not say: title, cost, whether it needs somebody. */
export function createThreadReading({
  keeper,
  clientOf,
  isMisplaced,
  clock,
  log,
  signal,
  onUsage,
  onRead,
}: {
  keeper: LinkKeeper
  clientOf: (link: Link) => PlatformClient
  /** Whether what is followed must not be shown in its place any more. */
  isMisplaced: (link: Link, thread: Thread) => Promise<boolean>
  clock: Clock
  log: Log
  signal: AbortSignal
  /** What it costs was read. */
  onUsage: (link: Link, usage: {credits: number | undefined; isAtWork: boolean}) => void
  /** Whatever could be read has been. */
  onRead: () => void
}): ThreadReading {
  let isNamed = false

  const read = async (threadId: string): Promise<LinkChange> => {
    const {taskId, title, credits, lastModelId} = keeper.link()
    const client = clientOf(keeper.link())
    if (taskId !== undefined) {
      const task = await client.getTask(taskId, signal)
      isNamed ||= task.title !== undefined
      return {title: task.title ?? title, credits: task.usage?.totalCredits ?? credits}
    }
    const thread = await client.getThread(threadId, signal)
    isNamed ||= thread.title !== undefined
    if (
      keeper.link().requestId.startsWith(FOLLOWED) &&
      (await isMisplaced(keeper.link(), thread))
    ) {
      return {state: 'ended', notice: {code: 'misplaced'}}
    }
    const spent = thread.usage?.totalCredits
    onUsage(keeper.link(), {credits: spent, isAtWork: isWorking(thread.status)})
    return {
      title: thread.title ?? title,
      lastModelId: thread.lastModelId ?? lastModelId,
      credits: spent ?? credits,
      needsYou: thread.needsYou === true && !hasBegun(thread),
    }
  }

  /** The stream has said since that it works: what was asked of somebody before is over. */
  const hasBegun = (thread: Thread): boolean => {
    const {status = ''} = keeper.link()
    return isWorking(status) && status !== 'waiting' && !isWorking(thread.status)
  }

  const keep = async (threadId: string): Promise<void> => keeper.change(await read(threadId))

  let isReading = false
  let isAsked = false
  let failures = 0

  const keepOnce = async (threadId: string): Promise<void> => {
    isAsked = false
    try {
      await keep(threadId)
      failures = 0
    } catch (error) {
      if (error instanceof PlatformUnreachable || error instanceof PlatformRateLimited) {
        await rest(error)
      } else if (!isAsked) throw error
    }
  }

  const rest = async (error: PlatformUnreachable | PlatformRateLimited): Promise<void> => {
    log.info({err: error, linkId: keeper.link().id}, 'The thread could not be read yet')
    isAsked = true
    failures += 1
    if (!signal.aborted) onRead()
    const leastMs = error instanceof PlatformRateLimited ? error.retryAfterMs : 0
    await waitOn(clock, leastMs + backoffMs(failures, RETRY), signal)
  }

  const readAgain: ThreadReading['read'] = async (threadId) => {
    isAsked = true
    if (isReading) return
    isReading = true
    try {
      while (isAsked && !signal.aborted) await keepOnce(threadId)
    } finally {
      isReading = false
      if (!signal.aborted) onRead()
    }
  }
  return {read: readAgain, isNamed: () => isNamed}
}
