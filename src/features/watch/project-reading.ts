import type {PlatformClient} from '../../platform/client.ts'
import {PlatformRefused, isOutOfSight, mayFailAlone} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import type {Sighting} from '../../store/tables/channels/sightings.ts'
import type {UserNames} from '../../agents/user-names.ts'
import {CALLING_STATUSES, type Seen, toSeen} from './sightings.ts'

/** Reads the threads of one project that may call people. */
export interface ProjectReader {
  /**
   * `quick`: by status, and the newest threads whatever their status. `full`: all of them. Throws a
   * `PlatformError` when it could not be read to its end: half a reading says nothing.
   */
  read(
    kind: 'quick' | 'full',
    known: ReadonlyMap<string, Sighting>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Seen>>
}

/** On most lists the newest come first: there `needsYou` is met soon, under whatever status it stands. */
const NEWEST = 20
/** Threads that were in a state and were not met are asked for one by one, so many in each reading. */
const MAX_ASKED = 25

/**
 * A quick reading costs a call for each word of {@link CALLING_STATUSES} that the platform takes (a page more
 * for every further page of threads in such a state), one for the newest threads, and one for each state that has
 * ended since or stands under another status, {@link MAX_ASKED} at most: 5 to 30. A full one costs a call for
 * each page of the project's threads, and the same last part.
 */
export function createProjectReader(options: {
  client: () => PlatformClient
  projectId: string
  nameOf: ReturnType<UserNames>
}): ProjectReader {
  const {client, projectId, nameOf} = options
  const refused = new Set<string>()

  const read: ProjectReader['read'] = async (kind, known, signal) => {
    const seen = new Map<string, Seen>()
    const note = async (thread: Thread): Promise<void> => {
      const nameless = toSeen(thread, undefined)
      const isTold = nameless.status !== undefined && thread.authorId !== undefined
      const author = isTold ? await nameOf(thread.authorId ?? '', signal) : undefined
      seen.set(thread.id, author === undefined ? nameless : toSeen(thread, author))
    }

    if (kind === 'full') {
      for await (const thread of client().listThreads({projectId}, signal)) await note(thread)
    } else {
      for (const status of CALLING_STATUSES) await readStatus(status, note, signal)
      let left = NEWEST
      for await (const thread of client().listThreads({projectId, limit: NEWEST}, signal)) {
        await note(thread)
        left -= 1
        if (left === 0) break
      }
    }
    await askForOthers(known, seen, {note, signal})
    return seen
  }

  const readStatus = async (
    status: string,
    note: (thread: Thread) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    if (refused.has(status)) return
    try {
      for await (const thread of client().listThreads({projectId, status}, signal))
        await note(thread)
    } catch (error) {
      // It speaks the other vocabulary.
      if (!(error instanceof PlatformRefused) || error.status !== 400) throw error
      refused.add(status)
    }
  }

  /** A list that changes while it is paged may leave one out, so nothing is over because it was not met. */
  const askForOthers = async (
    known: ReadonlyMap<string, Sighting>,
    seen: Map<string, Seen>,
    {note, signal}: {note: (thread: Thread) => Promise<void>; signal: AbortSignal},
  ): Promise<void> => {
    const others = [...known.keys()].filter((threadId) => !seen.has(threadId))
    const start = others.length > MAX_ASKED ? Math.floor(Math.random() * others.length) : 0
    const asked = [...others.slice(start), ...others.slice(0, start)].slice(0, MAX_ASKED)
    for (const threadId of asked) {
      try {
        await note(await client().getThread(threadId, signal))
      } catch (error) {
        // One that fails by itself keeps its state, and no other thread from being heard of.
        if (mayFailAlone(error)) continue
        if (!isOutOfSight(error)) throw error
        seen.set(threadId, {status: undefined, words: {}, ending: 'over'})
      }
    }
  }

  return {read}
}
