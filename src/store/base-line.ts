import type {Transaction} from 'kysely'
import type {AnnouncementState} from './announcements.ts'
import {inParts} from './database/in-parts.ts'
import type {Schema} from './database/schema.ts'
import {newId} from './new-id.ts'
import type {WatchedProject} from './watches.ts'

/** What stands when a watch is read for the first time is no news to it, unless it has changed since the watch began. */
export async function takeBaseLine(
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
    for (const part of inParts(old)) {
      const rows = part.map(({thread_id, status}) => ({
        ...{id: newId(), team, channel, thread_id, status},
        connection_id: connectionId,
        ...{words: '{}', state: 'before' satisfies AnnouncementState, made_at_ms: nowMs},
      }))
      await db.insertInto('announcements').values(rows).execute()
    }
  }
}
