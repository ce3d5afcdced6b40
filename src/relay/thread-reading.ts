import type {PlatformClient} from '../platform/client.ts'
import type {Link} from '../store/links.ts'
import type {Books} from './books.ts'

/** Reads what the stream does not say: title, cost. Who asks meanwhile has it read once more. */
export function createThreadReading({
  books,
  clientOf,
  signal,
}: {
  books: Books
  clientOf: (link: Link) => PlatformClient
  signal: AbortSignal
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
        const client = clientOf(books.link())
        const {taskId} = books.link()
        const thread =
          taskId === undefined
            ? await client.getThread(threadId, signal)
            : await client.getTask(taskId, signal)
        const {title, credits} = books.link()
        await books.change({
          title: thread.title ?? title,
          credits: thread.usage?.totalCredits ?? credits,
        })
      }
    } finally {
      isReading = false
    }
  }
}
