import type {Kysely} from 'kysely'

/** Steps of workflows that asked for an agent, until they have been told how it ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('executions')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('asked_at_ms', 'integer', (column) => column.notNull())
    .addColumn('ending', 'text')
    .addColumn('is_refused', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('told_at_ms', 'integer')
    .execute()
  await db.schema
    .createIndex('executions_untold')
    .on('executions')
    .columns(['team', 'told_at_ms', 'asked_at_ms'])
    .execute()
  await db.schema
    .createIndex('executions_asked')
    .on('executions')
    .columns(['team', 'channel', 'asked_at_ms'])
    .execute()
}
