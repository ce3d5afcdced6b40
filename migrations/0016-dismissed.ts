import type {Kysely} from 'kysely'

/** What somebody has taken out of their App Home: a mark of how the work stood then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('links').addColumn('dismissed', 'text').execute()
}
