import type {Kysely} from 'kysely'

/** A message that Slack still streams can be neither edited nor deleted: a restart has to know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('posts')
    .addColumn('streaming', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
