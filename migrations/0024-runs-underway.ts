import {type Kysely, sql} from 'kysely'

/** What hooks of private places may have begun is told by `runs` itself, from before a delivery goes out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from private_beginnings where request_id in (select id from runs)`.execute(db)
  await sql`delete from private_beginnings where request_id in (select hook_id || '-' || id from deliveries)`.execute(
    db,
  )
}
