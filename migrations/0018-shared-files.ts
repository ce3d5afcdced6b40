import type {Kysely} from 'kysely'

/** Files that people shared in Slack with work, which code on the work's machine may fetch from us: never their bytes. */
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
}
