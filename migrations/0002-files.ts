import type {Kysely} from 'kysely'

/** The rest of a long reply is a file: its id stands in the intent before anybody sees it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('posts').addColumn('file', 'text').execute()
}
