import type {Kysely} from 'kysely'

/** Channels that people of other companies have come to read, until an admin lets us go on there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('barred_channels')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('since_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('barred_channels_of', ['team', 'channel'])
    .execute()
}
