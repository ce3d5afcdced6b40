import type {Kysely} from 'kysely'

/** What stands beside the messages of a room, besides what is drawn of its work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('room_views')
    .addColumn('link_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('room_views_of', ['link_id', 'key'])
    .execute()
}
