import type {Kysely} from 'kysely'

/** How work stands is seen on the message that began it. Of what was begun before that nothing is noted, and what rests stays as it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('links').addColumn('marks', 'text').execute()
}
