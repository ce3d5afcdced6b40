import {type Kysely, sql} from 'kysely'
import {inParts} from '../../database/in-parts.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {type AutomationOrigins, createAutomationOrigins} from './automation-origins.ts'
import {FOLLOWED} from './link.ts'
import {hashOf, isMarked, markPrivate} from './private-marks.ts'
import type {Origin} from './origin.ts'

/** A thread that is being begun in a private place: nobody knows its id yet. */
interface Beginning {
  /** What it is created with. */
  requestId: string
  /** `undefined`: the platform chooses it. */
  projectId: string | undefined
  nowMs: number
}

/** One of them that has not been settled. */
export interface Underway {
  projectId: string | undefined
  begunAtMs: number
  /** It begins at each of its moments since. */
  recurs: boolean
}

/** Where work comes from. What was private is remembered for good, by a hash of the thread's id. */
export interface OriginStore extends AutomationOrigins {
  /** Written down before it is created. False: it was before, so that it may be there already. */
  begin(beginning: Beginning): Promise<boolean>
  /** It was written down, and nobody knows what came of it. */
  isUnderway(requestId: string): Promise<boolean>
  /** It was created as this thread, and was private; without one it was not created here. */
  settle(requestId: string, threadId: string | undefined): Promise<void>
  /** Whether it was settled that this thread was created by this request. */
  hasBegun(requestId: string, threadId: string): Promise<boolean>
  /** What has been begun and not been settled, and what hooks and schedules of private places may have begun that nobody has found yet. */
  underway(nowMs: number): Promise<Underway[]>
  /** Of each of these threads; those that our tables don't know are not in it. */
  of(threadIds: readonly string[]): Promise<ReadonlyMap<string, Origin>>
}

type Gathered = Origin & {channels: Channel[]; rooms: Channel[]}
type Channel = Origin['channels'][number]

/** The platform's clock may be ahead of ours. */
const EARLY_MS = 20_000
/** Work of which nobody knows the project is looked for so long; what it may be is not held back in all of them for longer. */
const ANYWHERE_MS = 900_000

export function createOriginStore(db: Kysely<Schema>, write: Write): OriginStore {
  const begin: OriginStore['begin'] = ({requestId, projectId = '', nowMs}) =>
    write(async (transaction) => {
      const {numInsertedOrUpdatedRows} = await transaction
        .insertInto('private_beginnings')
        .values({request_id: requestId, project_id: projectId, begun_at_ms: nowMs})
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    })

  const isUnderway: OriginStore['isUnderway'] = async (requestId) => {
    const row = await db
      .selectFrom('private_beginnings')
      .select('request_id')
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    return row !== undefined
  }

  const settle: OriginStore['settle'] = (requestId, threadId) =>
    write(async (transaction) => {
      if (threadId !== undefined) {
        await markPrivate(transaction, threadId)
        await markPrivate(transaction, requestMark(requestId, threadId))
      }
      await transaction
        .deleteFrom('private_beginnings')
        .where('request_id', '=', requestId)
        .execute()
    })

  const underway: OriginStore['underway'] = async (nowMs) => {
    const rows = await db
      .selectFrom('private_beginnings')
      .select(['project_id', 'begun_at_ms', sql<number>`0`.as('recurs')])
      .where((eb) =>
        eb.or([eb('project_id', '!=', ''), eb('begun_at_ms', '>', nowMs - ANYWHERE_MS)]),
      )
      .unionAll(
        db
          .selectFrom('runs')
          .select(['project_id', 'begun_at_ms', sql<number>`0`.as('recurs')])
          .where('thread_id', 'is', null)
          .where('is_private', '=', 1)
          .where((eb) =>
            eb.or([eb('project_id', '!=', ''), eb('begun_at_ms', '>', nowMs - ANYWHERE_MS)]),
          ),
      )
      .unionAll(
        db
          .selectFrom('timetables')
          .select(['project_id', 'moment_ms as begun_at_ms', sql<number>`1`.as('recurs')])
          .where('is_private', '=', 1)
          .where('moment_ms', '<=', nowMs + EARLY_MS),
      )
      .execute()
    return rows.map(({project_id: projectId, begun_at_ms: begunAtMs, recurs}) => {
      return {projectId: projectId || undefined, begunAtMs, recurs: recurs === 1}
    })
  }

  const of: OriginStore['of'] = async (threadIds) => {
    const found = new Map<string, Gathered>()
    const originOf = (threadId: string) => {
      const known = found.get(threadId) ?? {channels: [], mark: undefined, rooms: []}
      found.set(threadId, known)
      return known
    }
    for (const some of inParts(threadIds)) {
      const hashes = new Map(some.map((threadId) => [hashOf(threadId), threadId]))
      const marks = await db
        .selectFrom('private_threads')
        .selectAll()
        .where('thread_hash', 'in', [...hashes.keys()])
        .execute()
      for (const {thread_hash: hash, is_certain: isCertain} of marks) {
        originOf(hashes.get(hash) ?? '').mark = isCertain === 1 ? 'private' : 'unnoted'
      }
      const links = await db
        .selectFrom('links')
        .select(['thread_id', 'team', 'channel'])
        .where('thread_id', 'in', some)
        .where('task_id', 'is', null)
        .where('request_id', 'not like', `${FOLLOWED}%`)
        .execute()
      const runs = await db
        .selectFrom('runs')
        .select(['thread_id', 'team', 'channel'])
        .where('thread_id', 'in', some)
        .execute()
      for (const {thread_id: threadId, team, channel} of [...links, ...runs]) {
        originOf(threadId ?? '').channels.push({team, channel})
      }
      const rooms = await db
        .selectFrom('rooms')
        .select(['thread_id', 'team', 'channel'])
        .where('thread_id', 'in', some)
        .execute()
      for (const {thread_id: threadId, team, channel} of rooms) {
        if (channel !== null) found.get(threadId)?.rooms.push({team, channel})
      }
    }
    return found
  }

  const hasBegun: OriginStore['hasBegun'] = (requestId, threadId) =>
    isMarked(db, requestMark(requestId, threadId))

  return {begin, isUnderway, settle, hasBegun, underway, of, ...createAutomationOrigins(db, write)}
}

/** It stands beside the ids of threads, none of which has a blank in it. */
function requestMark(requestId: string, threadId: string): string {
  return `${requestId} began ${threadId}`
}
