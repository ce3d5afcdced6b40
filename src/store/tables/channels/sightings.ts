import {type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import {
  type AnnouncementState,
  type AnnouncementWords,
  type Ending,
  toPerson,
} from './announcement.ts'
import {inParts} from '../../database/in-parts.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'
import {FOLLOWED} from '../work/link.ts'
import {WITH_THE_AGENT} from '../work/send.ts'
import type {WatchedProject} from './watches.ts'

/** A state in which a watched thread was at the last reading. */
export interface Sighting {
  threadId: string
  status: string
  /** Readings in a row at which it was this; not counted further than to two. */
  times: number
}

/** What a reading of a project found. */
export interface Findings {
  /** Sightings that are new, or have become something else. */
  changed: readonly Sighting[]
  /** Threads that were in a state before and are in none now, and how that ended. */
  ended: ReadonlyMap<string, Ending>
  /** Threads that stand at two readings with what is to be said of them. */
  standing: ReadonlyMap<string, {status: string; words: AnnouncementWords}>
  /** When threads of the reading last changed, as far as the platform says. */
  changedAtMs: ReadonlyMap<string, number>
}

/** Whether a watching channel may be told of a thread. */
export type MayHear = (at: {team: string; channel: string}, threadId: string) => boolean

export interface SightingStore {
  ofProject(project: WatchedProject): Promise<Sighting[]>
  /**
   * Writes them down, and with them what is to be announced in the channels that watch the project: each state
   * once in each that may hear of it, unless the channel shows the thread anyhow. To a watch the first reading is what stood before it,
   * except for what has changed since it began. Where it `mayTell`, it is said who has ended what was told. In one transaction, so that a crash leaves all or nothing. True: the
   * channels have something new to show.
   */
  record(
    project: WatchedProject,
    findings: Findings,
    mayHear: MayHear,
    nowMs: number,
    mayTell?: MayHear,
  ): Promise<boolean>
}

/** So long after it was made an announcement that is over is kept: forms about it may still be open. */
const KEEP_MS = 7 * 86_400_000
/** All that is over is walked through for it: the longer Bosun is here the more that is. */
const FORGET_EVERY_MS = 3_600_000

export function createSightingStore(db: Kysely<Schema>, write: Write): SightingStore {
  let forgotAtMs: number | undefined

  /** Whoever has set the clock back waits no longer for it. */
  const isToForget = (nowMs: number): boolean => {
    const isDue = forgotAtMs === undefined || Math.abs(nowMs - forgotAtMs) >= FORGET_EVERY_MS
    if (isDue) forgotAtMs = nowMs
    return isDue
  }

  const ofProject: SightingStore['ofProject'] = async ({projectId, connectionId = ''}) => {
    const rows = await db
      .selectFrom('sightings')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('connection_id', '=', connectionId)
      .execute()
    return rows.map(({thread_id: threadId, status, times}) => ({threadId, status, times}))
  }

  const record: SightingStore['record'] = (
    project,
    findings,
    mayHear,
    nowMs,
    mayTell = mayHear,
  ) => {
    const isDue = isToForget(nowMs)
    return write(async (transaction) => {
      await keep(transaction, project, findings)
      const over = await endAnnouncements(transaction, project, findings, mayTell)
      await takeBaseLine(transaction, project, {...findings, nowMs})
      if (isDue) await forget(transaction, nowMs)
      return (await announceStanding(transaction, project, {...findings, mayHear, nowMs})) || over
    })
  }

  return {ofProject, record}
}

async function keep(
  db: Transaction<Schema>,
  {projectId, connectionId = ''}: WatchedProject,
  {changed, ended}: Findings,
): Promise<void> {
  for (const some of inParts(changed)) {
    const rows = some.map(({threadId, status, times}) => {
      return {
        connection_id: connectionId,
        project_id: projectId,
        thread_id: threadId,
        status,
        times,
      }
    })
    await db
      .insertInto('sightings')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['connection_id', 'project_id', 'thread_id'])
          .doUpdateSet((eb) => ({
            status: eb.ref('excluded.status'),
            times: eb.ref('excluded.times'),
          })),
      )
      .execute()
  }
  for (const some of inParts([...ended.keys()])) {
    await db
      .deleteFrom('sightings')
      .where('project_id', '=', projectId)
      .where('connection_id', '=', connectionId)
      .where('thread_id', 'in', some)
      .execute()
  }
}

/** True: one of them stands in a channel and has to say that it is over. What another key told is not ended by this one. */
async function endAnnouncements(
  db: Transaction<Schema>,
  {connectionId = ''}: WatchedProject,
  {changed, ended}: Findings,
  mayTell: MayHear,
): Promise<boolean> {
  const fresh = changed.filter(({times}) => times === 1)
  const endings = new Map<string, {by: Ending; status: string}>([
    ...[...ended].map(([threadId, by]) => [threadId, {by, status: ''}] as const),
    ...fresh.map(({threadId, status}) => [threadId, {by: 'answered' as const, status}] as const),
  ])
  let isAny = false
  for (const part of inParts([...endings.keys()])) {
    const open = await db
      .selectFrom('announcements')
      .selectAll()
      .where('thread_id', 'in', part)
      .where('connection_id', '=', connectionId)
      .where('ended_by', 'is', null)
      .where('status', 'is not', null)
      .execute()
    for (const told of open) {
      const {by, status} = endings.get(told.thread_id) ?? {by: 'over', status: told.status}
      if (told.status === status) continue
      // Where it may not be told of any more nobody is named.
      const endedBy = mayTell(told, told.thread_id) ? await whoEnded(db, told, by) : 'over'
      const set = {ended_by: endedBy}
      await db.updateTable('announcements').set(set).where('id', '=', told.id).execute()
      isAny = true
    }
  }
  return isAny
}

/**
 * Whoever wrote to the agent first since a question was told, or that somebody stopped it: as the link says with which the
 * work began. What it is followed by may stand where others are not.
 */
async function whoEnded(
  db: Transaction<Schema>,
  told: Pick<Selectable<Schema['announcements']>, 'team' | 'thread_id' | 'status' | 'made_at_ms'>,
  by: Ending,
): Promise<Ending> {
  const link = await db
    .selectFrom('links')
    .select(['id', 'stopped_by'])
    .where('team', '=', told.team)
    .where('thread_id', '=', told.thread_id)
    .where('task_id', 'is', null)
    .where('request_id', 'not like', `${FOLLOWED}%`)
    .executeTakeFirst()
  if (link === undefined || (by !== 'answered' && by !== 'done')) return by
  if (by === 'done' && link.stopped_by !== null) return 'stopped'
  if (told.status !== 'pending_user') return by
  const answer = await db
    .selectFrom('sends')
    .select('sender')
    .where('link_id', '=', link.id)
    .where('created_at_ms', '>=', told.made_at_ms)
    .where('state', 'in', WITH_THE_AGENT)
    .orderBy('created_at_ms')
    .executeTakeFirst()
  return answer === undefined ? by : toPerson(answer.sender)
}

/** What is over for good is of use to nobody: its buttons are gone. */
async function forget(db: Transaction<Schema>, nowMs: number): Promise<void> {
  const done: AnnouncementState[] = ['before', 'over', 'gone']
  await db
    .deleteFrom('announcements')
    .where('state', 'in', done)
    .where('made_at_ms', '<', nowMs - KEEP_MS)
    .where('status', 'is not', null)
    .where('ended_by', 'is not', null)
    .where('ended_by', '!=', 'hushed' satisfies Ending)
    .execute()
}

async function announceStanding(
  db: Transaction<Schema>,
  project: WatchedProject,
  {standing, mayHear, nowMs}: Findings & {mayHear: MayHear; nowMs: number},
): Promise<boolean> {
  let isAny = false
  for (const some of inParts([...standing.keys()])) {
    const all = await missing(db, project, some)
    const due = all
      .filter((row) => mayHear(row, row.thread_id))
      .map((row) => ({...row, words: standing.get(row.thread_id)?.words}))
    isAny ||= due.length > 0
    await announce(db, due, {...project, state: 'found', nowMs})
  }
  return isAny
}

async function announce(
  db: Transaction<Schema>,
  all: readonly {
    team: string
    channel: string
    thread_id: string
    status: string
    words?: AnnouncementWords | undefined
  }[],
  {
    connectionId = '',
    state,
    nowMs,
  }: {connectionId?: string | undefined; state: AnnouncementState; nowMs: number},
): Promise<void> {
  const same = {connection_id: connectionId, state, made_at_ms: nowMs}
  for (const part of inParts(all)) {
    const rows = part.map(({words = {}, ...row}) => {
      return {...row, ...same, id: newId(), words: JSON.stringify(words)}
    })
    await db.insertInto('announcements').values(rows).execute()
  }
}

/** What stands when a watch is read for the first time is no news to it, unless it has changed since the watch began. */
async function takeBaseLine(
  db: Transaction<Schema>,
  {projectId, connectionId = ''}: WatchedProject,
  {changedAtMs, nowMs}: {changedAtMs: ReadonlyMap<string, number>; nowMs: number},
): Promise<void> {
  const fresh = await db
    .updateTable('watches')
    .set({based_at_ms: nowMs})
    .where('project_id', '=', projectId)
    .where('connection_id', '=', connectionId)
    .where('based_at_ms', 'is', null)
    .returningAll()
    .execute()
  if (fresh.length === 0) return
  const sightings = await db
    .selectFrom('sightings')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('connection_id', '=', connectionId)
    .execute()
  for (const {team, channel, made_at_ms: sinceMs} of fresh) {
    // The first reading may come late: what happened until then is not lost.
    const old = sightings.filter(
      ({thread_id: threadId}) => (changedAtMs.get(threadId) ?? -Infinity) < sinceMs,
    )
    const rows = old.map(({thread_id, status}) => ({team, channel, thread_id, status}))
    await announce(db, rows, {state: 'before', connectionId, nowMs})
  }
}

/** What a watching channel has not been told, does not show, and may be told. */
function missing(
  db: Transaction<Schema>,
  {projectId, connectionId = ''}: WatchedProject,
  threadIds: readonly string[],
) {
  return db
    .selectFrom('sightings')
    .innerJoin('watches', (join) =>
      join
        .onRef('watches.project_id', '=', 'sightings.project_id')
        .onRef('watches.connection_id', '=', 'sightings.connection_id'),
    )
    .select(['watches.team', 'watches.channel', 'sightings.thread_id', 'sightings.status'])
    .where('sightings.project_id', '=', projectId)
    .where('sightings.connection_id', '=', connectionId)
    .where('sightings.thread_id', 'in', threadIds)
    .where('sightings.times', '>=', 2)
    .where((eb) => {
      const told = eb
        .selectFrom('announcements as told')
        .select('told.id')
        .whereRef('told.team', '=', 'watches.team')
        .whereRef('told.channel', '=', 'watches.channel')
        .whereRef('told.thread_id', '=', 'sightings.thread_id')
        .where((of) => {
          const stands = of.and([
            of('told.ended_by', 'is', null),
            of('told.status', '=', of.ref('sightings.status')),
          ])
          return of.or([of('told.ended_by', '=', 'hushed' satisfies Ending), stands])
        })
      return eb.not(eb.exists(told))
    })
    .where((eb) => {
      const shown = eb
        .selectFrom('links')
        .select('links.id')
        .whereRef('links.team', '=', 'watches.team')
        // Written so that SQLite finds it by the thread, and not among all work of the channel.
        .where(sql<boolean>`links.channel || '' = watches.channel`)
        .whereRef('links.thread_id', '=', 'sightings.thread_id')
        .where('links.task_id', 'is', null)
        .where('links.state', 'in', ['starting', 'open'])
      return eb.not(eb.exists(shown))
    })
    .execute()
}
