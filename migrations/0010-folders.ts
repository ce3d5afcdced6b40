import {type Kysely, sql} from 'kysely'

/** Folders that people have named, and what code on agents' machines has posted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('folders')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('added_by', 'text', (column) => column.notNull())
    .addColumn('added_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('folders_of', ['team', 'connection_id', 'id'])
    .execute()

  await db.schema
    .createTable('agent_posts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('link_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('text', 'text')
    .addColumn('file_name', 'text')
    .addColumn('file_bytes', 'blob')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('step', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('slack_file', 'text')
    .addColumn('reason', 'text')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('agent_posts_key', ['link_id', 'key'])
    .execute()
  // Of what is done only the key is left: nearly all rows, and none of them is looked for.
  await sql`create index agent_posts_due on agent_posts (made_at_ms) where state in ('wanted', 'intended')`.execute(
    db,
  )
  await db.schema
    .createIndex('agent_posts_time')
    .on('agent_posts')
    .columns(['link_id', 'made_at_ms'])
    .execute()
}
