import type {Kysely} from 'kysely'

/** Work that is stopped stays stopped: the newest stop of it, which message was written before that, and who held it back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('links').addColumn('stop', 'text').execute()
  await db.schema.alterTable('sends').addColumn('stopped_by', 'text').execute()
  await db.schema.alterTable('sends').addColumn('inbox_id', 'integer').execute()
}
