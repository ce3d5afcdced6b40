import type {Kysely} from 'kysely'

/** Each pull request that an agent names gets one card. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('links').addColumn('pull_requests', 'text').execute()
}
