import {createHash} from 'node:crypto'
import {type Kysely, sql} from 'kysely'

/** What is remembered of work that was begun in a direct message or a private channel, longer than the work itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('private_threads')
    .addColumn('thread_hash', 'text', (column) => column.primaryKey())
    .addColumn('is_certain', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('private_beginnings')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('begun_at_ms', 'integer', (column) => column.notNull())
    .execute()

  // Of work that stands already nobody noted whether its channel was private: only direct messages tell by their id.
  const {rows} = await sql<{thread_id: string; channel: string}>`
    select thread_id, channel from links
    where thread_id is not null and task_id is null and request_id not like 'follow:%'`.execute(db)
  for (const {thread_id: threadId, channel} of rows) {
    const hash = createHash('sha256').update(threadId).digest('base64url')
    const isCertain = channel.startsWith('D') ? 1 : 0
    await sql`insert into private_threads values (${hash}, ${isCertain})
      on conflict do nothing`.execute(db)
  }
}
