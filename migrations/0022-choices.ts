import {type Kysely, sql} from 'kysely'

/** What is asked with buttons and who was first to answer, and how far a plan is that was asked for before the work. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('questions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('link_id', 'text', (column) => column.notNull())
    .addColumn('words', 'text')
    .addColumn('ts', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('taken_by', 'text')
    .addColumn('answered_by', 'text')
    .addColumn('answer', 'text')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('questions_link').on('questions').column('link_id').execute()
  // Those whose message does not say yet who answered: a few at a time.
  await sql`create index questions_due on questions (made_at_ms) where state = 'answered' and words is not null`.execute(
    db,
  )
  await db.schema.alterTable('links').addColumn('plan', 'text').execute()
}
