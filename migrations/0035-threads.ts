import {type Kysely, sql} from 'kysely'

/**
 * What stands for a thread in a workspace is found by the thread. Without the rest in its index, SQLite took that of the workspace, and read all
 * work that there ever was in it: at each call, post, stop and follow.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index links_thread`.execute(db)
  await sql`create index links_thread on links (thread_id, team, created_at_ms)`.execute(db)
}
