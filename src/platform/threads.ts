import {z} from 'zod'
import type {Calls} from './calls.ts'
import {type MachineSize, type ModelSelection, type Thread, threadSchema} from './model.ts'

/** Threads, section 4.1; what is said in them is in `messages.ts`. */
export interface ThreadCalls {
  createThread(thread: NewThread, signal: AbortSignal): Promise<Thread>
  listThreads(filter: ThreadFilter, signal: AbortSignal): AsyncGenerator<Thread>
  getThread(threadId: string, signal: AbortSignal): Promise<Thread>
  /** Stops active work. The answer's shape is not documented; it may be empty. */
  interrupt(threadId: string, signal: AbortSignal): Promise<unknown>
  /** Does not stop active work (section 3.1). */
  archive(threadId: string, signal: AbortSignal): Promise<Thread>
  unarchive(threadId: string, signal: AbortSignal): Promise<Thread>
  takeOver(threadId: string, signal: AbortSignal): Promise<Thread>
  regenerateTitle(threadId: string, signal: AbortSignal): Promise<Thread>
}

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

interface ThreadFilter {
  projectId?: string
  status?: string
  /** Threads on a page; the client's `pageSize` without it. */
  limit?: number
}

export function createThreadCalls({act, create, pages, pageSize, read}: Calls): ThreadCalls {
  return {
    createThread: (thread, signal) => create(['threads'], threadSchema, signal, thread),
    listThreads: ({projectId, status, limit = pageSize}, signal) => {
      const query = {projectId, status, limit}
      return pages({path: ['threads'], item: threadSchema, cursorName: 'cursor', query}, signal)
    },
    getThread: (id, signal) => read(['threads', id], threadSchema, signal),
    interrupt: (id, signal) => act(['threads', id, 'interrupt'], z.unknown(), signal),
    archive: (id, signal) => act(['threads', id, 'archive'], threadSchema, signal),
    unarchive: (id, signal) => act(['threads', id, 'unarchive'], threadSchema, signal),
    takeOver: (id, signal) => act(['threads', id, 'takeover'], threadSchema, signal),
    regenerateTitle: (id, signal) => act(['threads', id, 'regenerate-title'], threadSchema, signal),
  }
}
