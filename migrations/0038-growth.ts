import {type Kysely, sql} from 'kysely'

/**
 * What is asked of the tables again and again is found by what is asked, however much work there has been: lists of a channel, of a person and
 * of captains, what a budget was told, what waits in a receipt; and what has served its time by its age.
 * With what is rarer first, SQLite takes these indexes for no other question of a workspace.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index links_starter`.execute(db)
  await sql`create index links_starter on links (started_by, team, created_at_ms)`.execute(db)
  await sql`create index links_channel on links (channel, team, created_at_ms)`.execute(db)
  await sql`create index links_faces on links (connection_id, team, created_at_ms)
    where face is not null`.execute(db)
  await sql`drop index links_of_rules`.execute(db)
  await sql`create index links_of_rules on links (team, created_at_ms)
    where rule is not null`.execute(db)
  await sql`create index links_rested on links (status_since_ms, id)
    where state in ('archived', 'ended')`.execute(db)
  await sql`create index links_settled on links (team, status_since_ms)
    where state in ('archived', 'ended')`.execute(db)
  await sql`drop index budget_notes_period`.execute(db)
  await sql`create index budget_notes_period
    on budget_notes (team, budget, period, thread_id, "user", channel)`.execute(db)
  await sql`create index announcements_receipts on announcements (team, channel)
    where status = 'hook-receipt' and state = 'wanted'`.execute(db)
  await sql`create index announcements_told on announcements (made_at_ms)
    where status = 'hook-receipt'`.execute(db)
  await sql`create index pull_requests_heard on pull_requests (team, changed_at_ms)`.execute(db)
  for (const [table, column] of AGES) {
    await sql`create index ${sql.ref(`${table}_age`)} on ${sql.table(table)} (${sql.ref(column)})`.execute(
      db,
    )
  }
}

const AGES = [
  ['announcements', 'made_at_ms'],
  ['audit', 'at_ms'],
  ['budget_notes', 'made_at_ms'],
  ['commit_checks', 'changed_at_ms'],
  ['pull_requests', 'changed_at_ms'],
  ['runs', 'begun_at_ms'],
  ['spendings', 'risen_at_ms'],
] as const
