import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformFolderNotFound} from '../../platform/errors.ts'
import type {Link} from '../../store/link.ts'
import {type Declined, throwIfPassing, toDeclined} from '../../agents/work.ts'

/** `otherwise`: the platform's own word for what became of it. */
export type Filed =
  | {outcome: 'filed' | 'not-started' | 'no-folder' | 'not-found' | 'not-allowed'}
  | {outcome: 'otherwise'; word: string}
  | Declined

/**
 * Files work in a folder (section 4.6); to file it there once more changes nothing.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function fileWork(
  client: () => Pick<PlatformClient, 'fileThreads'>,
  {threadId}: Link,
  folderId: string,
  signal: AbortSignal,
): Promise<Filed> {
  if (threadId === undefined) return {outcome: 'not-started'}
  try {
    const outcomes = await client().fileThreads(folderId, [threadId], signal)
    const word = outcomes.find((it) => it.threadId === threadId)?.outcome ?? ''
    return OUTCOMES.get(word) ?? {outcome: 'otherwise', word}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    // The work would have been told in its own outcome: what is absent is the folder.
    if (error instanceof PlatformFolderNotFound || error.status === 404) {
      return {outcome: 'no-folder'}
    }
    return toDeclined(error)
  }
}

const OUTCOMES: ReadonlyMap<string, Filed> = new Map<string, Filed>([
  ['ok', {outcome: 'filed'}],
  ['not_found', {outcome: 'not-found'}],
  ['not_allowed', {outcome: 'not-allowed'}],
])
