import {z} from 'zod'
import type {Calls, Paging} from '../calls.ts'
import {
  type Avatar,
  type Captain,
  type Entry,
  type MachineSize,
  type ModelSelection,
  type Task,
  type Thread,
  captainSchema,
  entrySchema,
  taskSchema,
  threadSchema,
} from '../model.ts'

/** Threads, section 4.1, and what belongs to them; what is said in them is in `messages.ts`. */
interface ThreadCalls {
  createThread(thread: NewThread, signal: AbortSignal): Promise<Thread>
  listThreads(filter: ThreadFilter, signal: AbortSignal, paging?: Paging): AsyncGenerator<Thread>
  getThread(threadId: string, signal: AbortSignal): Promise<Thread>
  /** Stops active work. The answer's shape is not documented; it may be empty. */
  interrupt(threadId: string, signal: AbortSignal): Promise<unknown>
  /** Does not stop active work (section 3.1). */
  archive(threadId: string, signal: AbortSignal): Promise<Thread>
  unarchive(threadId: string, signal: AbortSignal): Promise<Thread>
  takeOver(threadId: string, signal: AbortSignal): Promise<Thread>
  regenerateTitle(threadId: string, signal: AbortSignal): Promise<Thread>
  /** A captain is a thread with a name and a face. Section 4.4. */
  createCaptain(captain: NewCaptain, signal: AbortSignal): Promise<Captain>
  /** Tasks under a thread are read-only, and driven by messages to it. Depth-first: a parent comes before its children. */
  listTasks(threadId: string, signal: AbortSignal): AsyncGenerator<Task>
  getTask(taskId: string, signal: AbortSignal): Promise<Task>
  /** Pages through the task's transcript behind `after` (everything without it), in order. Section 4.2. */
  listTaskMessages(
    taskId: string,
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Entry>
  /** Into a shared folder, section 4.6. What became of each; a thread that was filed already is `ok` too. */
  fileThreads(
    folderId: string,
    threadIds: readonly string[],
    signal: AbortSignal,
  ): Promise<z.infer<typeof filingsSchema>['outcomes']>
}

/** What became of each thread that was to be filed: `ok`, `not_found` or `not_allowed`. Section 4.6. */
const filingsSchema = z.looseObject({
  outcomes: z.array(z.looseObject({threadId: z.string(), outcome: z.string()})),
})

interface NewThread {
  /** 1 to 191 characters; a repeated one returns the original thread. */
  requestId: string
  projectId: string
  message: string
  title?: string
  model?: ModelSelection
  machineSize?: MachineSize
  /** An active member of the organization, to whom the thread is attributed. */
  authorId?: string
}

interface NewCaptain {
  /** 1 to 191 characters; a repeated one returns the existing captain unchanged. */
  requestId: string
  projectId: string
  /** 1 to 100 characters. */
  name: string
  /** The owner's first message; without it the captain greets and asks. */
  brief?: string
  model?: ModelSelection
  avatar?: Avatar
  /** The member who owns it. A service key must name one. */
  authorId?: string
}

interface ThreadFilter {
  projectId?: string
  status?: string
  /** Threads on a page; the client's `pageSize` without it. */
  limit?: number
}

export function createThreadCalls({act, create, pages, pageSize, read}: Calls): ThreadCalls {
  const paging = {cursorName: 'after', query: {limit: pageSize}} as const
  return {
    createThread: (thread, signal) => create(['threads'], threadSchema, signal, thread),
    listThreads: ({projectId, status, limit = pageSize}, signal, paging = {}) => {
      const query = {projectId, status, limit}
      const list = {path: ['threads'], item: threadSchema, cursorName: 'cursor', query} as const
      return pages({...paging, ...list}, signal)
    },
    getThread: (id, signal) => read(['threads', id], threadSchema, signal),
    interrupt: (id, signal) => act(['threads', id, 'interrupt'], z.unknown(), signal),
    archive: (id, signal) => act(['threads', id, 'archive'], threadSchema, signal),
    unarchive: (id, signal) => act(['threads', id, 'unarchive'], threadSchema, signal),
    takeOver: (id, signal) => act(['threads', id, 'takeover'], threadSchema, signal),
    regenerateTitle: (id, signal) => act(['threads', id, 'regenerate-title'], threadSchema, signal),
    createCaptain: (captain, signal) => create(['captains'], captainSchema, signal, captain),
    listTasks: (id, signal) =>
      pages({...paging, path: ['threads', id, 'tasks'], item: taskSchema}, signal),
    getTask: (id, signal) => read(['tasks', id], taskSchema, signal),
    listTaskMessages: (id, after, signal) =>
      pages({...paging, path: ['tasks', id, 'messages'], item: entrySchema, from: after}, signal),
    fileThreads: async (id, threadIds, signal) =>
      (await act(['folders', id, 'threads'], filingsSchema, signal, {threadIds})).outcomes,
  }
}
