import type Database from 'better-sqlite3'
import type {SqliteDatabase} from 'kysely'

/** More than there are queries in the code; those whose lists are of another length each time fall out again. */
const MAX_KEPT = 500
/** After these a `*` may stand for other columns. */
const CHANGES_SCHEMA = /^\s*(?:create|alter|drop)\b/i

/**
 * The database with statements that are prepared once: for each, better-sqlite3 compiles a function that makes
 * its rows, which takes longer than most queries do.
 */
export function keepStatements(database: Database.Database): SqliteDatabase {
  const kept = new Map<string, Database.Statement>()
  const prepare = (sql: string): Database.Statement => {
    const statement = kept.get(sql) ?? database.prepare(sql)
    if (CHANGES_SCHEMA.test(sql)) {
      kept.clear()
      return statement
    }
    // The one that was not used for longest is first.
    kept.delete(sql)
    kept.set(sql, statement)
    if (kept.size > MAX_KEPT) kept.delete(String(kept.keys().next().value))
    return statement
  }
  return {prepare, close: () => void database.close()}
}
