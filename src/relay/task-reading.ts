import type {PlatformClient} from '../platform/client.ts'
import {PlatformError} from '../platform/errors.ts'
import {boundedId, excerpt} from '../platform/excerpt.ts'
import type {Frame} from '../platform/stream/frame.ts'
import {isAborted} from '../async/pause.ts'
import type {Link, TaskState} from '../store/tables/work/link.ts'
import {againMs} from './asking-again.ts'
import type {LinkKeeper} from './link-keeper.ts'
import {type Clock, waitOn} from '../async/clock.ts'
import type {Log} from './ports.ts'

/** More than that nobody looks at. */
const MAX_TASKS = 500
/** Of a title, and of each word: they stand in a table, and are never shown longer. */
const MAX_TITLE = 200
/** Between two readings of the whole list: tasks come in crowds, and one that is not in it asks for it in vain. */
const REST_MS = 1000

/**
 * Keeps the thread's tasks in the books. Frames say which task is how, but not what it is called, and none comes
 * again after a reconnection: so the list is read then, and for a task that is not known.
 */
export function createTaskReading({
  keeper,
  clientOf,
  clock,
  log,
  signal,
}: {
  keeper: LinkKeeper
  clientOf: (link: Link) => PlatformClient
  clock: Clock
  log: Log
  signal: AbortSignal
}): (frame: Frame, threadId: string) => void {
  let isReading = false
  let isAsked = false
  /** Ahead of the books: several frames may come before one is written. */
  let known = keeper.link().tasks

  const keep = (tasks: readonly TaskState[]): void => {
    known = tasks
    keeper.note({tasks})
  }

  const list = async (threadId: string): Promise<TaskState[]> => {
    const tasks: TaskState[] = []
    for await (const task of clientOf(keeper.link()).listTasks(threadId, signal)) {
      const {id, taskPath: path, title = '', status} = task
      tasks.push({
        id: boundedId(id),
        path: excerpt(path, MAX_TITLE),
        title: excerpt(title, MAX_TITLE),
        status: excerpt(status, MAX_TITLE),
      })
      if (tasks.length === MAX_TASKS) break
    }
    return tasks
  }

  const readAll = async (threadId: string): Promise<void> => {
    let failures = 0
    try {
      while (isAsked && !signal.aborted) {
        isAsked = false
        let restMs = REST_MS
        try {
          const tasks = await list(threadId)
          if (JSON.stringify(known ?? []) !== JSON.stringify(tasks)) keep(tasks)
          failures = 0
        } catch (error) {
          if (!(error instanceof PlatformError) || isAborted(signal)) throw error
          log.info({err: error, linkId: keeper.link().id}, 'The tasks could not be read')
          // Of those that are over no frame comes any more. What is declined the next frame, or the next connection, asks for.
          const waitMs = againMs(error, failures)
          failures += 1
          isAsked ||= waitMs !== undefined
          restMs += waitMs ?? 0
        }
        await waitOn(clock, restMs, signal)
      }
    } finally {
      isReading = false
    }
  }

  const read = (threadId: string): void => {
    isAsked = true
    if (isReading) return
    isReading = true
    keeper.keep(readAll(threadId))
  }

  return (frame, threadId) => {
    if (keeper.link().taskId !== undefined) return
    // Also of what has just begun: where the stream opens late, its tasks may have come and gone.
    if (frame.type === 'connected') read(threadId)
    // Among what was dropped may be a task's.
    if (frame.type === 'turn' && frame.outcome === 'dropped') read(threadId)
    if (frame.type !== 'task') return
    const {taskId: id, status} = frame
    const at = known?.findIndex((task) => task.id === id) ?? -1
    const task = known?.[at]
    if (known === undefined || task === undefined) {
      read(threadId)
      return
    }
    if (task.status !== status) keep(known.with(at, {...task, status}))
    // What is being read may be older than this, and it may fail.
    if (isReading) read(threadId)
  }
}
