import {type Kysely, PostgresAdapter} from 'kysely'

/** Where a database has to be told in its own words. */
export function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
