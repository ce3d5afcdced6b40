import {type Kysely, sql} from 'kysely'

/** Of questions, those whose message does not say yet what became of them: an answer that did not reach the agent is one of that, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('questions_due').execute()
  await sql`create index questions_due on questions (made_at_ms) where state in ('answered', 'unsent') and words is not null`.execute(
    db,
  )
}
