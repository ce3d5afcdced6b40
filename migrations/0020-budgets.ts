import {type Kysely, sql} from 'kysely'

/** What work has cost, as it was read, and what was told of budgets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('spendings')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('micros', 'real', (column) => column.notNull())
    .addColumn('risen_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('spendings_key', ['team', 'thread_id', 'day'])
    .execute()
  await sql`create index spendings_user on spendings (team, "user", day)`.execute(db)
  await sql`create index spendings_channel on spendings (team, channel, day)`.execute(db)
  await sql`create index spendings_risen on spendings (team, risen_at_ms)`.execute(db)
  await sql`create index links_working on links (team, status)
    where state = 'open' and task_id is null and thread_id is not null`.execute(db)
  await sql`create index links_put_away on links (team, status_since_ms)
    where state = 'archived' and task_id is null and thread_id is not null`.execute(db)
  // What had been spent before anybody counted belongs to no day.
  await sql`insert into spendings (team, thread_id, day, channel, "user", micros, risen_at_ms)
    select team, thread_id, '', min(channel), min(started_by), max(floor_of), 0 from (
      select team, thread_id, channel, started_by, cast(credits * 1000 as integer) as floor_of from links
      where thread_id is not null and task_id is null and request_id not like 'follow:%'
        and credits > 0 and credits < 1000000000) as known
    group by team, thread_id`.execute(db)
  await db.schema
    .createTable('budget_notes')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('link_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('budget', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('limit_micros', 'real', (column) => column.notNull())
    .addColumn('more_micros', 'real', (column) => column.notNull())
    .addColumn('loud', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('round', 'integer', (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('raised_micros', 'real')
    .addColumn('ended_by', 'text')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .addColumn('changed_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await sql`create index budget_notes_link on budget_notes (link_id)`.execute(db)
  await sql`create index budget_notes_period on budget_notes (team, budget, period)`.execute(db)
}
