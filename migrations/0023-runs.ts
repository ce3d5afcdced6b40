import {type Kysely, sql} from 'kysely'

/** Which thread a delivery to a hook or a schedule began, and whether a hook's channel follows its runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('hook_id', 'text', (column) => column.notNull())
    .addColumn('automation_id', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('is_private', 'integer', (column) => column.notNull())
    .addColumn('receipt_id', 'text')
    .addColumn('schedules', 'text')
    .addColumn('begun_at_ms', 'integer', (column) => column.notNull())
    .addColumn('looks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at_ms', 'integer')
    .addColumn('thread_id', 'text')
    .addColumn('title', 'text')
    .execute()
  await db.schema
    .createIndex('runs_due')
    .on('runs')
    .column('due_at_ms')
    .where(sql.ref('due_at_ms'), 'is not', null)
    .execute()
  await db.schema.createIndex('runs_thread').on('runs').column('thread_id').execute()
  await db.schema
    .createIndex('runs_automation')
    .on('runs')
    .columns(['team', 'automation_id'])
    .execute()
  await db.schema
    .alterTable('hooks')
    .addColumn('follows', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
