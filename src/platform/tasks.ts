import type {Calls} from './calls.ts'
import {type Entry, type Task, entrySchema, taskSchema} from './model.ts'

/** Tasks under a thread, sections 4.1 and 4.2: read-only, driven by messages to their thread. */
export interface TaskCalls {
  /** Depth-first: a parent comes before its children. */
  listTasks(threadId: string, signal: AbortSignal): AsyncGenerator<Task>
  getTask(taskId: string, signal: AbortSignal): Promise<Task>
  /** Pages through the task's transcript behind `after` (everything without it), in order. */
  listTaskMessages(
    taskId: string,
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Entry>
}

export function createTaskCalls({pages, pageSize, read}: Calls): TaskCalls {
  const paging = {cursorName: 'after', query: {limit: pageSize}} as const
  return {
    listTasks: (threadId, signal) =>
      pages({...paging, path: ['threads', threadId, 'tasks'], item: taskSchema}, signal),
    getTask: (taskId, signal) => read(['tasks', taskId], taskSchema, signal),
    listTaskMessages: (taskId, after, signal) =>
      pages(
        {...paging, path: ['tasks', taskId, 'messages'], item: entrySchema, from: after},
        signal,
      ),
  }
}
