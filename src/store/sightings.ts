import {randomBytes} from 'node:crypto'
import type {Kysely, Transaction} from 'kysely'
import type {AnnouncementState, AnnouncementWords, Ending} from './announcements.ts'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

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
}

export interface SightingStore {
  ofProject(projectId: string): Promise<Sighting[]>
  /**
   * Writes them down, and with them what is to be announced in the channels that watch the project: each state
   * once in each, unless the channel shows the thread anyhow. In one transaction, so that a crash leaves
   * both or neither. True: the channels have something new to show.
   */
  record(projectId: string, findings: Findings, nowMs: number): Promise<boolean>
}

/** Far below what SQLite takes in one statement. */
const PER_STATEMENT = 200

export function createSightingStore(db: Kysely<Schema>, write: Write): SightingStore {
  const ofProject: SightingStore['ofProject'] = async (projectId) => {
    const rows = await db
      .selectFrom('sightings')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute()
    return rows.map(({thread_id: threadId, status, times}) => ({threadId, status, times}))
  }

  const record: SightingStore['record'] = (projectId, findings, nowMs) =>
    write(async (transaction) => {
      await keep(transaction, projectId, findings)
      const over = await endAnnouncements(transaction, findings)
      return (await announce(transaction, projectId, {...findings, nowMs})) || over
    })

  return {ofProject, record}
}

async function keep(
  db: Transaction<Schema>,
  projectId: string,
  {changed, ended}: Findings,
): Promise<void> {
  for (const some of inParts(changed)) {
    const rows = some.map(({threadId, status, times}) => {
      return {project_id: projectId, thread_id: threadId, status, times}
    })
    await db.replaceInto('sightings').values(rows).execute()
  }
  for (const some of inParts([...ended.keys()])) {
    await db
      .deleteFrom('sightings')
      .where('project_id', '=', projectId)
      .where('thread_id', 'in', some)
      .execute()
  }
}

/** True: one of them stands in a channel and has to say that it is over. */
async function endAnnouncements(
  db: Transaction<Schema>,
  {changed, ended}: Findings,
): Promise<boolean> {
  const fresh = changed.filter(({times}) => times === 1)
  const endings = [
    ...[...ended].map(([threadId, by]) => ({threadId, by, status: ''})),
    ...fresh.map(({threadId, status}) => ({threadId, by: 'answered' as const, status})),
  ]
  let isAny = false
  for (const some of Map.groupBy(endings, ({by, status}) => `${by}\n${status}`).values()) {
    const [{by, status} = {by: 'answered', status: ''}] = some
    for (const part of inParts(some)) {
      const {numUpdatedRows} = await db
        .updateTable('announcements')
        .set({ended_by: by})
        .where(
          'thread_id',
          'in',
          part.map(({threadId}) => threadId),
        )
        .where('ended_by', 'is', null)
        .where('status', '!=', status)
        .executeTakeFirst()
      isAny ||= numUpdatedRows > 0n
    }
  }
  return isAny
}

async function announce(
  db: Transaction<Schema>,
  projectId: string,
  {standing, nowMs}: Findings & {nowMs: number},
): Promise<boolean> {
  let isAny = false
  for (const some of inParts([...standing.keys()])) {
    const due = await missing(db, projectId, some)
    for (const part of inParts(due)) {
      isAny = true
      const rows = part.map(({team, channel, thread_id, status}) => ({
        ...{id: randomBytes(9).toString('base64url'), team, channel, thread_id, status},
        words: JSON.stringify(standing.get(thread_id)?.words ?? {}),
        state: 'found' satisfies AnnouncementState,
        made_at_ms: nowMs,
      }))
      await db.insertInto('announcements').values(rows).execute()
    }
  }
  return isAny
}

/** What a watching channel has not been told, does not show, and may be told. */
function missing(db: Transaction<Schema>, projectId: string, threadIds: readonly string[]) {
  return db
    .selectFrom('sightings')
    .innerJoin('watches', 'watches.project_id', 'sightings.project_id')
    .select(['watches.team', 'watches.channel', 'sightings.thread_id', 'sightings.status'])
    .where('sightings.project_id', '=', projectId)
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
        .whereRef('links.channel', '=', 'watches.channel')
        .whereRef('links.thread_id', '=', 'sightings.thread_id')
        .where('links.task_id', 'is', null)
        .where('links.state', 'in', ['starting', 'open'])
      return eb.not(eb.exists(shown))
    })
    .execute()
}

function* inParts<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += PER_STATEMENT) {
    yield items.slice(start, start + PER_STATEMENT)
  }
}
