import {type Kysely, sql} from 'kysely'
import {isPostgres} from './is-postgres.ts'

/** After so long nobody goes on with what was asked for: below a message that may not stand nothing would begin. */
const GIVEN_UP_AFTER_MS = 86_400_000

/** The message that new work hangs on is the head of a Slack thread like every other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) await moveOpenings(db)
  await sql`alter table starts drop column opening`.execute(db)
  await sql`alter table starts drop column sought_at_ms`.execute(db)
}

/** A PostgreSQL never held any. */
async function moveOpenings(db: Kysely<unknown>): Promise<void> {
  await sql`insert or ignore into announcements
      (id, team, channel, thread_id, connection_id, words, state, ts, made_at_ms)
    select id, team, json_extract(wish, '$.channel'), '', '',
      json_object('askedBy', user, 'task', substr(json_extract(wish, '$.task'), 1, 300)),
      case opening when '' then 'intended' else 'placed' end, nullif(opening, ''), made_at_ms
    from starts where opening is not null and json_extract(wish, '$.channel') is not null
      and (opening != '' or made_at_ms > unixepoch() * 1000 - ${GIVEN_UP_AFTER_MS})`.execute(db)
}
