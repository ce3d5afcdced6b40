import {type Kysely, sql} from 'kysely'

/** When automations that were made in a channel run by themselves, and whether it follows what they begin: a row for each, and not one for each next run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('timetables')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('automation_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('schedules', 'text', (column) => column.notNull())
    .addColumn('is_private', 'integer', (column) => column.notNull())
    .addColumn('followed_by', 'text')
    .addColumn('moment_ms', 'integer', (column) => column.notNull())
    .addColumn('looks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('timetables_of', ['team', 'channel', 'automation_id'])
    .execute()
  await db.schema.createIndex('timetables_due').on('timetables').column('due_at_ms').execute()
  // Of each automation the last one that was expected.
  await sql`
    insert into timetables
      (id, team, channel, automation_id, name, project_id, connection_id, reference, schedules, is_private, moment_ms, due_at_ms)
    select id, team, channel, automation_id, name, project_id, connection_id, reference, schedules, is_private, begun_at_ms, begun_at_ms
    from runs
    where schedules is not null and due_at_ms is not null and not exists (
      select 1 from runs as later
      where later.schedules is not null and later.due_at_ms is not null
        and later.team = runs.team and later.channel = runs.channel and later.automation_id = runs.automation_id
        and (later.begun_at_ms, later.id) > (runs.begun_at_ms, runs.id)
    )`.execute(db)
  await sql`delete from runs where schedules is not null and thread_id is null`.execute(db)
  await db.schema.alterTable('runs').dropColumn('schedules').execute()
  // What is older would expect runs of schedules in `runs`, and read the column that is gone.
  await sql`update schema_compat set min_version = 25`.execute(db)
}
