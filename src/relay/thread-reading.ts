import type {PlatformClient} from '../platform/client.ts'
import {type Thread, isWorking} from '../platform/model.ts'
import {FOLLOWED, type Link, type LinkChange} from '../store/tables/work/link.ts'
import type {LinkKeeper} from './link-keeper.ts'

interface ThreadReading {
  /** Reads it now. Who asks meanwhile has it read once more. */
  read(threadId: string): Promise<void>
  /** Whether the platform has told a title: until then the work bears the words of who asked for it. */
  isNamed(): boolean
}

/** Reads what the stream does not say: title, cost, whether it needs somebody. */
export function createThreadReading({
  keeper,
  clientOf,
  isMisplaced,
  signal,
  onUsage,
  onRead,
}: {
  keeper: LinkKeeper
  clientOf: (link: Link) => PlatformClient
  /** Whether what is followed must not be shown in its place any more. */
  isMisplaced: (link: Link, thread: Thread) => Promise<boolean>
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

  const readAgain: ThreadReading['read'] = async (threadId) => {
    isAsked = true
    if (isReading) return
    isReading = true
    try {
      while (isAsked) {
        isAsked = false
        await keep(threadId).catch((error: unknown) => {
          // Who asked meanwhile may be luckier.
          if (!isAsked) throw error
        })
      }
    } finally {
      isReading = false
      if (!signal.aborted) onRead()
    }
  }
  return {read: readAgain, isNamed: () => isNamed}
}
