import {type Kysely, sql} from 'kysely'
import {isPostgres} from './is-postgres.ts'

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

  if (isPostgres(db)) await keepInPostgres(db)
  else await keepInSqlite(db)
}

async function keepInSqlite(db: Kysely<unknown>): Promise<void> {
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

/**
 * Several may add to one lane at once: each waits for what the others make of it. Lanes share the locks, of which a server has
 * some thousands for all that is done at once.
 */
async function keepInPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create function keep_inbox_head() returns trigger language plpgsql
    -- A plan that was made while the table was empty would read all of it, row by row, once it is not.
    set enable_seqscan = off as $$
    declare
      of_lane text := case tg_op when 'DELETE' then old.lane else new.lane end;
      oldest bigint;
    begin
      perform pg_advisory_xact_lock(hashtextextended(of_lane, 0) & 1023);
      if tg_op = 'UPDATE' then update inbox set head = 0 where id = new.id and head = 1; end if;
      select min(id) into oldest from inbox where state = 'open' and lane = of_lane;
      if tg_op != 'DELETE' then
        update inbox set head = 0 where head = 1 and id != oldest and id =
          (select min(id) from inbox where state = 'open' and lane = of_lane and id > oldest);
      end if;
      update inbox set head = 1 where id = oldest and head = 0;
      return null;
    end $$`.execute(db)
  const triggers = {
    added: sql`after insert on inbox for each row when (new.state = 'open')`,
    moved: sql`after update of state on inbox for each row when (old.state != new.state)`,
    deleted: sql`after delete on inbox for each row when (old.head = 1)`,
  }
  for (const [name, when] of Object.entries(triggers)) {
    await sql`create trigger ${sql.ref(`inbox_head_${name}`)} ${when}
      execute function keep_inbox_head()`.execute(db)
  }
}
