import Database from 'better-sqlite3'
import {Kysely, SqliteDialect} from 'kysely'
import {Migrator} from 'kysely/migration'
import pg from 'pg'
import {isPostgres} from '../../../src/store/is-postgres.ts'
import {PortableDialect, types} from '../../../src/store/postgres/dialect.ts'
import {readMigrations} from '../old-database.ts'
import {migrationsOf} from './rows.ts'

/**
 * Brings a database to today's version as somebody does who has taken every version in between: one migration at a time.
 *
 * @returns how many there were.
 */
export async function migrateInSteps(path: string): Promise<number> {
  const migrations = await readMigrations()
  const applied = await migrationsOf(path)
  const pending = Object.keys(migrations).filter((name) => !applied.includes(name))
  for (const name of pending.toSorted()) {
    await using db = new Kysely<unknown>({dialect: dialectOf(path)})
    const migrator = new Migrator({db, provider: {getMigrations: async () => migrations}})
    const {error} = await migrator.migrateTo(name)
    if (error instanceof Error) throw error
  }
  return pending.length
}

function dialectOf(path: string): SqliteDialect | PortableDialect {
  if (!isPostgres(path)) return new SqliteDialect({database: new Database(path)})
  return new PortableDialect(new pg.Pool({connectionString: path, types, max: 1}))
}
