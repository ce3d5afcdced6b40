import {type Kysely, sql} from 'kysely'

/** What stood before a watch began is no news to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('watches').addColumn('based_at_ms', 'integer').execute()
  // Those that stand have heard of what stood before them.
  await sql`update watches set based_at_ms = made_at_ms`.execute(db)
}
