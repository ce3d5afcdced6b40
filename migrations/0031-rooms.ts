import type {Kysely} from 'kysely'

/** Work that goes on in a channel of its own, and which workspaces have such channels. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rooms')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('link_id', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('room_link_id', 'text')
    .addColumn('is_closed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('shown', 'text')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rooms_of', ['team', 'thread_id'])
    .execute()
  await db.schema.createIndex('rooms_at').on('rooms').columns(['team', 'channel']).execute()
  for (const column of ['thread_id', 'link_id', 'room_link_id']) {
    await db.schema.createIndex(`rooms_${column}`).on('rooms').column(column).execute()
  }
  await db.schema
    .createTable('room_support')
    .addColumn('team', 'text', (column) => column.primaryKey())
    .addColumn('has_rooms', 'integer', (column) => column.notNull())
    .addColumn('checked_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .alterTable('links')
    .addColumn('is_room', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('links').addColumn('room', 'text').execute()
  await db.schema
    .alterTable('links')
    .addColumn('moved', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
