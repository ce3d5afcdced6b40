import type {Kysely} from 'kysely'

/** Files that people share with work, and those that code on its machine posts: what they are called, never their bytes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shared_files')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('slack_file', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('mimetype', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('shared_at_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('shared_files_key', ['request_id', 'slack_file'])
    .execute()
  // Files that code on an agent's machine posts, and that Slack has by now: nobody sees them yet.
  await db.schema.alterTable('agent_posts').addColumn('uploads', 'text').execute()
}
