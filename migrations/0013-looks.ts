import {type Kysely, sql} from 'kysely'

/** What is looked for again and again is found in an index, however much there is beside it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keepHeads(db)
  await sql`create index announcements_due on announcements (team, made_at_ms)
    where state in ('wanted', 'intended') or (state = 'placed' and ended_by is not null)`.execute(
    db,
  )
  await sql`create index posts_intended on posts (link_id) where state = 'intended'`.execute(db)
  await sql`create index posts_ts on posts (ts)`.execute(db)
  await sql`create index sends_receipt on sends (receipt_id)`.execute(db)
  await sql`create index pings_newest on pings (link_id, made_at_ms, id)`.execute(db)
  await sql`create index audit_newest on audit (team, id)`.execute(db)
  await sql`create index links_archived on links (connection_id, project_id, thread_id, id)
    where state = 'archived' and task_id is null`.execute(db)
}

/**
 * Which open row of each lane is the oldest stands in the row itself: found out anew at every look, it costs more the
 * more there is to do. The database keeps it, whoever writes to the table.
 */
async function keepHeads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('inbox')
    .addColumn('head', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update inbox set head = 1
    where id in (select min(id) from inbox where state = 'open' group by lane)`.execute(db)
  await sql`create index inbox_heads on inbox (due_at_ms, id) where head = 1`.execute(db)

  const oldest = sql`(select min(id) from inbox where state = 'open' and lane = new.lane)`
  const next = sql`(select min(id) from inbox where state = 'open' and lane = new.lane and id > new.id)`
  await sql`create trigger inbox_head_added after insert on inbox when new.state = 'open' begin
    update inbox set head = 0 where id = ${next};
    update inbox set head = 1 where id = ${oldest};
  end`.execute(db)
  await sql`create trigger inbox_head_moved after update of state on inbox when old.state != new.state begin
    update inbox set head = 0 where id = new.id or id = ${next};
    update inbox set head = 1 where id = ${oldest};
  end`.execute(db)
  await sql`create trigger inbox_head_deleted after delete on inbox when old.head = 1 begin
    update inbox set head = 1
      where id = (select min(id) from inbox where state = 'open' and lane = old.lane);
  end`.execute(db)
}
