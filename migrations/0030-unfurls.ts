import type {Kysely} from 'kysely'

/** Links in people's messages whose preview is ours to keep up to date, and what each of them shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('unfurls')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('ts', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('shown', 'text')
    .addColumn('noted_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('unfurls_of', ['team', 'channel', 'ts', 'url'])
    .execute()
  await db.schema
    .createIndex('unfurls_about')
    .on('unfurls')
    .columns(['team', 'about', 'noted_at_ms'])
    .execute()
  await db.schema.createIndex('unfurls_by_age').on('unfurls').columns(['noted_at_ms']).execute()
}
