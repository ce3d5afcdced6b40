import {type Clock, waitOn} from '../async/clock.ts'
import type {PlatformClient} from '../platform/client.ts'
import {type Thread, isWorking} from '../platform/model.ts'
import {FOLLOWED, type Link, type LinkChange} from '../store/tables/work/link.ts'
import {againMs} from './asking-again.ts'
import type {LinkKeeper} from './link-keeper.ts'
import type {Log} from './ports.ts'
import type {Timeline} from './timeline/timeline.ts'

interface ThreadReading {
  /** Reads it now, and until the platform tells it. Who asks meanwhile has it read once more. */
  read(threadId: string): Promise<void>
  /** Whether the platform has told a title: until then the work bears the words of who asked for it. */
  isNamed(): boolean
}

/** Reads what the stream does not say: title, cost, whether it needs somebody. */
export function createThreadReading({
  keeper,
  timeline,
  clientOf,
  isMisplaced,
  clock,
  log,
  signal,
  onUsage,
  onRead,
}: {
  keeper: LinkKeeper
  /** What the stream has said so far, which the table may not say yet. */
  timeline: () => Timeline
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
    const {taskId, title, credits, lastModelId, requestId} = keeper.link()
    const client = clientOf(keeper.link())
    // A task is as private as its agent, and only that says so.
    const thread = await client.getThread(threadId, signal)
    if (requestId.startsWith(FOLLOWED) && (await isMisplaced(keeper.link(), thread))) {
      return {state: 'ended', notice: {code: 'misplaced'}}
    }
    if (taskId !== undefined) {
      const task = await client.getTask(taskId, signal)
      isNamed ||= task.title !== undefined
      return {title: task.title ?? title, credits: task.usage?.totalCredits ?? credits}
    }
    isNamed ||= thread.title !== undefined
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
    const {status = ''} = timeline()
    return isWorking(status) && status !== 'waiting' && !isWorking(thread.status)
  }

  const keep = async (threadId: string): Promise<void> => keeper.change(await read(threadId))

  let isReading = false
  let isAsked = false
  let failures = 0

  const takeWish = (): boolean => {
    const isWished = isAsked && !signal.aborted
    isAsked = false
    return isWished
  }

  /** It is asked again, since nothing else says whether it needs somebody; what can be told without that is told now. */
  const restAfter = async (error: unknown): Promise<void> => {
    const waitMs = againMs(error, failures)
    if (waitMs === undefined) {
      // Who asked meanwhile may be luckier.
      if (isAsked) return
      throw error
    }
    log.info({err: error, linkId: keeper.link().id}, 'The thread could not be read yet')
    isAsked = true
    failures += 1
    if (!signal.aborted) onRead()
    await waitOn(clock, waitMs, signal)
  }

  const readAgain: ThreadReading['read'] = async (threadId) => {
    isAsked = true
    if (isReading) return
    isReading = true
    try {
      while (takeWish()) await keep(threadId).then(() => void (failures = 0), restAfter)
    } finally {
      isReading = false
      if (!signal.aborted) onRead()
    }
  }
  return {read: readAgain, isNamed: () => isNamed}
}

/** What work whose stream is over has come to; `undefined`: it has come out of the archive since. */
export async function readEnd(
  client: PlatformClient,
  {threadId, taskId}: Pick<Link, 'taskId'> & {threadId: string},
  signal: AbortSignal,
): Promise<LinkChange | undefined> {
  if (taskId !== undefined) {
    const {status} = await client.getTask(taskId, signal)
    if (status === 'done') return {state: 'ended', status}
  }
  const {archived, status} = await client.getThread(threadId, signal)
  if (!archived && status !== 'archived') return undefined
  // A task has no archive of its own to come out of: it can be followed again.
  return {state: taskId === undefined ? 'archived' : 'ended', status: 'archived'}
}
