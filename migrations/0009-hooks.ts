import {type Kysely, sql} from 'kysely'

/** Addresses of ours that pass deliveries on to automations, and what was delivered to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('automation_id', 'text')
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('made_by', 'text', (column) => column.notNull())
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('hooks_channel').on('hooks').columns(['team', 'channel']).execute()

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('hook_id', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('sent_key', 'text', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('outcome', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('repeats', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at_ms', 'integer')
    .addColumn('received_at_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('deliveries_key', ['hook_id', 'key'])
    .execute()
  await db.schema
    .createIndex('deliveries_log')
    .on('deliveries')
    .columns(['hook_id', 'id'])
    .execute()
  await db.schema.createIndex('deliveries_team').on('deliveries').column('team').execute()
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .column('due_at_ms')
    .where(sql.ref('due_at_ms'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .column('hook_id')
    .where(sql.ref('due_at_ms'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('deliveries_bodies')
    .on('deliveries')
    .columns(['hook_id', 'id'])
    .where(sql.ref('body'), 'is not', null)
    .execute()
}
