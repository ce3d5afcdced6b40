import {createMemory} from '../../../async/memory.ts'
import type {PlatformClient} from '../../../platform/client.ts'
import {type PlatformUnreachable, isOutOfSight, mayFailAlone} from '../../../platform/errors.ts'
import type {Thread} from '../../../platform/model.ts'
import type {OriginStore} from '../../../store/tables/work/origins.ts'
import {referencesIn} from './run-reference.ts'

/** Looks among the newest threads of a project for those that bear a reference. */
export interface RunFinder {
  /**
   * Those that were begun since, and that no table of ours knows, newest first. Not all: more of them are to be read than one look
   * reads, or one could not be read. One that fails by itself hides no other.
   *
   * @throws {PlatformError} also when one could not be read and no other is found: it may be that one.
   */
  find(
    where: FindWhere,
    wanted: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<{found: FoundThread[]; isAll: boolean}>
}

interface FindWhere {
  projectId: string | undefined
  connectionId: string | undefined
  sinceMs: number
  /** It ends as soon as there are so many. */
  most: number
}

interface FoundThread {
  thread: Thread
  /** All that it bears. */
  references: readonly string[]
}

interface RunFinderOptions {
  origins: Pick<OriginStore, 'of'>
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
}

/** From one look in vain to the next; after the last of them it is not looked for any more: ten minutes, all in all. */
export const LOOKS_MS = [2000, 5000, 15_000, 30_000, 60_000, 180_000, 300_000]
/** While the platform does not answer. */
export const AGAIN_MS = 15_000
/** While it declines to say, as where its key is refused. */
export const RARELY_MS = 300_000
/** What could not be looked for that long is not looked for any more; what may be private is held back over a weekend. */
export const GIVE_UP_MS = 24 * 3_600_000
export const GIVE_UP_PRIVATE_MS = 3 * GIVE_UP_MS
/** Of a project so many threads are looked at in one look, so many on a page, and so many of them read. */
const MAX_LISTED = 200
/** In which order a platform lists them is its own choice: where it is not the newest first, so many are listed for the newest of them. */
const MAX_SWEPT = 2000
const PER_PAGE = 100
const MAX_READ = 50
/** What an agent was told first stands in front. */
const FIRST_ENTRIES = 5
/** The clocks of two machines. */
const SKEW_MS = 300_000
const MAX_KNOWN = 2000

export function createRunFinder({origins, clientOf}: RunFinderOptions): RunFinder {
  /** What stands in the first words of threads that were read: those never change. */
  const read = createMemory<readonly string[]>({most: MAX_KNOWN})

  /** Without `isAll` there may be newer ones. */
  const listNewest = async (
    client: PlatformClient,
    projectId: string | undefined,
    signal: AbortSignal,
  ): Promise<{listed: Thread[]; isAll: boolean}> => {
    const listed: Thread[] = []
    const filter = {limit: PER_PAGE, ...(projectId !== undefined && {projectId})}
    for await (const thread of client.listThreads(filter, signal)) {
      listed.push(thread)
      if (listed.length === MAX_LISTED && isNewestFirst(listed)) return {listed, isAll: true}
      if (listed.length >= MAX_SWEPT) return {listed: newestOf(listed), isAll: false}
    }
    return {listed: newestOf(listed), isAll: true}
  }

  const readFirst = async (
    client: PlatformClient,
    {id, title}: Thread,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    let entries = 0
    let isTold = false
    const references = referencesIn(title ?? '')
    for await (const {source, text} of client.listMessages(id, undefined, signal, {
      limit: FIRST_ENTRIES,
    })) {
      entries += 1
      if (source === 'user') {
        isTold = true
        references.push(...referencesIn(text))
      }
      if (isTold || entries >= FIRST_ENTRIES) break
    }
    // Of one that was told nothing yet, the first words are still to come.
    if (isTold) read.keep(id, references)
    return references
  }

  const find: RunFinder['find'] = async (where, wanted, signal) => {
    const {projectId, connectionId, sinceMs, most} = where
    const client = clientOf({connectionId})
    const {listed, isAll} = await listNewest(client, projectId, signal)
    const fresh = listed.filter(
      // What is its author's alone is shown in no channel, whatever it quotes.
      ({createdAt, personal}) =>
        personal !== true && !(Date.parse(createdAt ?? '') < sinceMs - SKEW_MS),
    )
    const known = await origins.of(fresh.map(({id}) => id))
    const found: FoundThread[] = []
    let unread: PlatformUnreachable | undefined
    let left = MAX_READ
    for (const thread of fresh) {
      if (found.length >= most) break
      if (known.has(thread.id)) continue
      const before = read.of(thread.id)
      if (before === undefined) {
        if (left === 0) return {found, isAll: false}
        left -= 1
      }
      try {
        const references = before ?? (await readFirst(client, thread, signal))
        if (references.some((one) => wanted.has(one))) found.push({thread, references})
      } catch (error) {
        if (mayFailAlone(error)) unread = error
        else if (!isOutOfSight(error)) throw error
      }
    }
    if (found.length === 0 && unread !== undefined) throw unread
    return {found, isAll: isAll && unread === undefined}
  }

  return {find}
}

function madeAtMs({createdAt}: Thread): number {
  return Date.parse(createdAt ?? '')
}

function isNewestFirst(listed: readonly Thread[]): boolean {
  const [first, last] = [listed[0], listed.at(-1)]
  return first === undefined || last === undefined || !(madeAtMs(first) < madeAtMs(last))
}

function newestOf(listed: readonly Thread[]): Thread[] {
  if (isNewestFirst(listed)) return listed.slice(0, MAX_LISTED)
  return listed.toSorted((a, b) => madeAtMs(b) - madeAtMs(a) || 0).slice(0, MAX_LISTED)
}

/** What one look finds together. */
export function projectKey({
  projectId,
  connectionId,
}: Pick<FindWhere, 'projectId' | 'connectionId'>): string {
  return JSON.stringify([connectionId, projectId])
}
