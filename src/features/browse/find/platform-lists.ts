import {createHash} from 'node:crypto'
import type {PlatformClient} from '../../../platform/client.ts'
import {PlatformError, PlatformRefused} from '../../../platform/errors.ts'
import type {Thread} from '../../../platform/model.ts'

/** How far somebody has looked through the platform's lists. */
export interface Reached {
  /** Which of the statuses' lists is read; behind the last of them, the list of all. */
  list: number
  /** The platform's own, opaque: where the page begins that is read next. */
  cursor: string | undefined
  /** Threads on the pages that are done with. */
  looked: number
  /** What was shown last, as `markOf` has it: so a page is read again without showing anything twice. */
  shown: readonly string[]
  /** A list with a status was served, so that no other one has to be. */
  isServed: boolean
  /** What the next list has was in this one, too: the platform has two words for it. */
  isCovered: boolean
}

export const FROM_START: Reached = {
  ...{list: 0, cursor: undefined, looked: 0, shown: []},
  ...{isServed: false, isCovered: false},
}

/** The platform no longer knows the page that we had reached. */
export class LostPage extends Error {}

interface Lists {
  client: Pick<PlatformClient, 'listThreads'>
  projectId: string
  /** Under which all that is meant stands; empty: all has to be looked at. */
  statuses: readonly string[]
}

/** What was found, and where to go on; `next`: `undefined` when all has been looked at. */
interface Look<Row> {
  rows: Row[]
  next: Reached | undefined
}

/** Threads on a page, as far as the platform gives so many; and what one look costs at most. */
const PER_CALL = 100
const MAX_CALLS = 6
const MAX_LOOKED = 300
/** All of a page, and of what a list that changes moves to the next one. */
const MAX_SHOWN = 120

/**
 * Reads on from where the last look stopped, until there are enough rows, or until it has cost enough. `choose` says which
 * of a page's threads are to be shown, and how.
 *
 * @throws {LostPage}
 * @throws {PlatformError}
 */
export async function lookFurther<Row>(
  lists: Lists,
  {from, room}: {from: Reached; room: number},
  choose: (threads: readonly Thread[]) => Promise<{id: string; row: Row}[]>,
  signal: AbortSignal,
): Promise<Look<Row>> {
  const rows: Row[] = []
  const seen = new Set<string>()
  let at = from
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    const page = await readOr(() => readPage(lists, at, signal), calls > 0)
    if (page === undefined) break
    const {threads, next} = page
    const shown = new Set(at.shown)
    const chosen = new Map((await choose(threads)).map((one) => [one.id, one]))
    const fresh = [...chosen.values()].filter(({id}) => !shown.has(markOf(id)))
    const taken = fresh.slice(0, room - rows.length)
    rows.push(...taken.map(({row}) => row))
    const marks = [...at.shown, ...taken.map(({id}) => markOf(id))].slice(-MAX_SHOWN)
    if (taken.length < fresh.length) return {rows, next: {...at, shown: marks}}
    if (next === undefined) return {rows, next: undefined}
    // A cursor that was here before leads in a circle.
    const spot = `${next.list}.${next.cursor ?? ''}`
    if (seen.has(spot)) return {rows, next: undefined}
    seen.add(spot)
    at = {...next, shown: marks}
    if (rows.length >= room || at.looked - from.looked >= MAX_LOOKED) break
  }
  return {rows, next: at}
}

/** What was found before the platform declined is worth showing: whoever looks further hears why. */
async function readOr<Page>(
  read: () => Promise<Page>,
  hasSome: boolean,
): Promise<Page | undefined> {
  try {
    return await read()
  } catch (error) {
    if (hasSome && error instanceof PlatformError) return undefined
    throw error
  }
}

/** Short enough to stand in a button; one in a thousand million is another one's. */
function markOf(threadId: string): string {
  return createHash('sha256').update(threadId).digest('base64url').slice(0, 5)
}

async function readPage(
  {client, projectId, statuses}: Lists,
  at: Reached,
  signal: AbortSignal,
): Promise<{threads: Thread[]; next: Reached | undefined}> {
  const status = statuses[at.list]
  const filter = {projectId, limit: PER_CALL, ...(status !== undefined && {status})}
  try {
    const cursors: (string | null)[] = []
    const onPage = (cursor: string | null): void => void cursors.push(cursor)
    const paging = {from: at.cursor, maxPages: 1, onPage}
    const items = await Array.fromAsync(client.listThreads(filter, signal, paging))
    const [cursor = null] = cursors
    const before = statuses.slice(0, at.list)
    const isCovered = at.isCovered || items.some((one) => one.status === statuses[at.list + 1])
    const looked = at.looked + items.length
    const isLast = cursor === null || cursor === '' || cursor === at.cursor
    const reached = {...at, looked, isServed: true, isCovered}
    return {
      // Under its own word it stood in a list before.
      threads: status === undefined ? items : items.filter((one) => !before.includes(one.status)),
      next: isLast ? behind(reached, statuses, isCovered) : {...reached, cursor},
    }
  } catch (error) {
    if (!(error instanceof PlatformRefused) || error.status !== 400) throw error
    if (at.cursor !== undefined) throw new LostPage('The cursor counts no more', {cause: error})
    if (status === undefined) throw error
    // It speaks the other vocabulary.
    return {threads: [], next: behind(at, statuses, false)}
  }
}

/** The next list, if one is needed; the list of all where none with a status was to be had. */
function behind(at: Reached, statuses: readonly string[], isCovered: boolean): Reached | undefined {
  const list = at.list + 1
  if (isCovered || list > statuses.length) return undefined
  if (list === statuses.length && at.isServed) return undefined
  return {...at, list, cursor: undefined, isCovered: false}
}
