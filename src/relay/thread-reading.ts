import type {PlatformClient} from '../platform/client.ts'
import type {Link} from '../store/links.ts'
import type {Books} from './books.ts'

/** Reads what the stream does not say: title, cost, whether it needs somebody. Who asks meanwhile has it read once more. */
export function createThreadReading({
  books,
  clientOf,
  signal,
  onRead,
}: {
  books: Books
  clientOf: (link: Link) => PlatformClient
  signal: AbortSignal
  /** Whatever could be read has been. */
  onRead: () => void
}): (threadId: string) => Promise<void> {
  let isReading = false
  let isAsked = false

  return async (threadId) => {
    isAsked = true
    if (isReading) return
    isReading = true
    try {
      while (isAsked) {
        isAsked = false
        const thread = await clientOf(books.link()).getThread(threadId, signal)
        const {title, credits, lastModelId} = books.link()
        await books.change({
          title: thread.title ?? title,
          lastModelId: thread.lastModelId ?? lastModelId,
          credits: thread.usage?.totalCredits ?? credits,
          needsYou: thread.needsYou ?? false,
        })
      }
    } finally {
      isReading = false
      if (!signal.aborted) onRead()
    }
  }
}
