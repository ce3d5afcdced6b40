import type {Kysely} from 'kysely'

/** Who gets a digest and when, and which of them have been told, by the day of their own calendar. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('digests')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('every', 'text', (column) => column.notNull())
    .addColumn('weekday', 'integer')
    .addColumn('minute', 'integer', (column) => column.notNull())
    .addColumn('zone', 'text', (column) => column.notNull())
    .addColumn('since_ms', 'integer', (column) => column.notNull())
    .addColumn('day_micros', 'real', (column) => column.notNull())
    .addColumn('changed_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('digests_of', ['team', 'target'])
    .execute()
  await db.schema
    .createTable('digest_days')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('date', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('code', 'text')
    .addColumn('until_ms', 'integer', (column) => column.notNull())
    .addColumn('day_micros', 'real', (column) => column.notNull())
    .addPrimaryKeyConstraint('digest_days_of', ['team', 'target', 'date'])
    .execute()
}
