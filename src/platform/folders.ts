import {z} from 'zod'
import type {Calls} from './calls.ts'
import {type Filing, filingSchema} from './model.ts'

/** Shared folders, section 4.6. */
export interface FolderCalls {
  /** What became of each thread; a thread that was filed already is `ok` too. */
  fileThreads(
    folderId: string,
    threadIds: readonly string[],
    signal: AbortSignal,
  ): Promise<Filing[]>
}

export function createFolderCalls({act}: Calls): FolderCalls {
  return {
    fileThreads: async (folderId, threadIds, signal) =>
      (await act(['folders', folderId, 'threads'], filingsSchema, signal, {threadIds})).outcomes,
  }
}

const filingsSchema = z.looseObject({outcomes: z.array(filingSchema)})
