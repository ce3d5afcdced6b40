import type {PlatformClient} from '../platform/client.ts'
import {type Thread, isWorking} from '../platform/model.ts'
import {FOLLOWED, type Link, type LinkChange} from '../store/tables/work/link.ts'
import type {LinkKeeper} from './link-keeper.ts'

/** Reads what the stream does not say: title, cost, whether it needs somebody. Who asks meanwhile has it read once more. */
export function createThreadReading({
  keeper,
  clientOf,
  isMisplaced,
  signal,
  onRead,
}: {
  keeper: LinkKeeper
  clientOf: (link: Link) => PlatformClient
  /** Whether what is followed must not be shown in its place any more. */
  isMisplaced: (link: Link, thread: Thread) => Promise<boolean>
  signal: AbortSignal
  /** Whatever could be read has been. */
  onRead: () => void
}): (threadId: string) => Promise<void> {
  const read = async (threadId: string): Promise<LinkChange> => {
    const {taskId, title, credits, lastModelId} = keeper.link()
    const client = clientOf(keeper.link())
    if (taskId !== undefined) {
      const task = await client.getTask(taskId, signal)
      return {title: task.title ?? title, credits: task.usage?.totalCredits ?? credits}
    }
    const thread = await client.getThread(threadId, signal)
    if (
      keeper.link().requestId.startsWith(FOLLOWED) &&
      (await isMisplaced(keeper.link(), thread))
    ) {
      return {state: 'ended', notice: {code: 'misplaced'}}
    }
    return {
      title: thread.title ?? title,
      lastModelId: thread.lastModelId ?? lastModelId,
      credits: thread.usage?.totalCredits ?? credits,
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

  return async (threadId) => {
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
}
