import type {PlatformClient} from '../platform/client.ts'
import {PlatformError} from '../platform/errors.ts'
import type {Frame} from '../platform/frame.ts'
import {isAborted} from '../platform/pause.ts'
import type {Link, TaskState} from '../store/link.ts'
import type {Books} from './books.ts'
import type {Log} from './ports.ts'

/** More than that nobody looks at. */
const MAX_TASKS = 500
/** Of a title: it stands in a table, and is never shown longer. */
const MAX_TITLE = 200

/**
 * Keeps the thread's tasks in the books. Frames say which task is how, but not what it is called, and none comes
 * again after a reconnection: so the list is read then, and for a task that is not known.
 */
export function createTaskReading({
  books,
  clientOf,
  log,
  signal,
}: {
  books: Books
  clientOf: (link: Link) => PlatformClient
  log: Log
  signal: AbortSignal
}): (frame: Frame, threadId: string) => Promise<void> | undefined {
  let reading: Promise<void> | undefined
  let isAsked = false
  /** Ahead of the books: several frames may come before one is written. */
  let known = books.link().tasks

  const keep = async (tasks: readonly TaskState[]): Promise<void> => {
    const isSame = JSON.stringify(known ?? []) === JSON.stringify(tasks)
    known = tasks
    if (!isSame) await books.change({tasks})
  }

  const list = async (threadId: string): Promise<TaskState[]> => {
    const tasks: TaskState[] = []
    for await (const task of clientOf(books.link()).listTasks(threadId, signal)) {
      const {id, taskPath: path, title = '', status} = task
      tasks.push({id, path, title: title.slice(0, MAX_TITLE), status})
      if (tasks.length === MAX_TASKS) break
    }
    return tasks
  }

  const readAll = async (threadId: string): Promise<void> => {
    try {
      while (isAsked && !signal.aborted) {
        isAsked = false
        try {
          await keep(await list(threadId))
        } catch (error) {
          // The next frame of a task, or the next connection, asks again, or has done so meanwhile.
          if (!(error instanceof PlatformError) || isAborted(signal)) throw error
          log.info({err: error, linkId: books.link().id}, 'The tasks could not be read')
        }
      }
    } finally {
      reading = undefined
    }
  }

  const read = (threadId: string): Promise<void> => {
    isAsked = true
    reading ??= readAll(threadId)
    return reading
  }

  return (frame, threadId) => {
    if (books.link().taskId !== undefined) return undefined
    // Also of what has just begun: where the stream opens late, its tasks may have come and gone.
    if (frame.type === 'connected') return read(threadId)
    if (frame.type !== 'task') return undefined
    const {taskId: id, status} = frame
    const isKnown = known?.some((task) => task.id === id) === true
    if (!isKnown) return read(threadId)
    const kept = keep((known ?? []).map((task) => (task.id === id ? {...task, status} : task)))
    // What is being read may be older than this, and it may fail.
    return reading === undefined ? kept : Promise.all([kept, read(threadId)]).then(() => undefined)
  }
}
