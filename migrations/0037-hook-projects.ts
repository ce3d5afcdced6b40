import type {Kysely} from 'kysely'

/**
 * Where a hook's automation works, which need not be where its channel does: its project, and the key that reached it. Of hooks from before nobody
 * noted that: the project is learned from the first work that is found, or taken for the channel's after it was looked for in vain.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['project_id', 'connection_id']) {
    await db.schema.alterTable('hooks').addColumn(name, 'text').execute()
  }
}
