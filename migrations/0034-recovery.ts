import {type Kysely, sql} from 'kysely'

/** What a start and a takeover look for is found by itself, not among all that has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index links_at_work on links (team)
    where state in ('starting', 'open')`.execute(db)
  await sql`create index links_of_key on links (connection_id)
    where state in ('starting', 'open')`.execute(db)
  await sql`create index posts_unfinished on posts (link_id)
    where final = 0 and state != 'gone'`.execute(db)
  await sql`create index named_pull_requests_unshown on named_pull_requests (link_id)
    where version > shown`.execute(db)
}
