import {type Kysely, sql} from 'kysely'

/** Deliveries to hooks that were given up are kept for a while, and can be sent again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('deliveries').addColumn('given_up_at_ms', 'integer').execute()
  await db.schema
    .alterTable('deliveries')
    .addColumn('is_again', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update deliveries set given_up_at_ms = received_at_ms where body is not null
    and outcome in ('not-found', 'refused', 'expired', 'unsaid')`.execute(db)
  await db.schema
    .createIndex('deliveries_given_up')
    .on('deliveries')
    .columns(['hook_id', 'id'])
    .where(sql.ref('given_up_at_ms'), 'is not', null)
    .execute()
}
