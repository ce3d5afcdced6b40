import {mkdirSync, readdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import Database from 'better-sqlite3'
import {Kysely, SqliteDialect} from 'kysely'
import {type Migration, Migrator} from 'kysely/migration'

const FOLDER = join(import.meta.dirname, '..', '..', 'migrations')

/** A database as an earlier version of Bosun has left it, and what is done to it besides. */
export async function makeOldDatabase(
  path: string,
  version: string,
  change: (database: Database.Database) => void = () => undefined,
): Promise<void> {
  mkdirSync(dirname(path), {recursive: true})
  const database = new Database(path)
  database.pragma('journal_mode = wal')
  await using db = new Kysely<unknown>({dialect: new SqliteDialect({database})})
  const migrator = new Migrator({db, provider: {getMigrations: readMigrations}})
  const {error} = await migrator.migrateTo(version)
  if (error instanceof Error) throw error
  change(database)
}

/** All migrations of today, by their names. */
export async function readMigrations(): Promise<Record<string, Migration>> {
  const names = readdirSync(FOLDER)
    .filter((name) => /^\d{4}-/.test(name))
    .map((name) => name.replace(/\.ts$/, ''))
  const read = async (name: string) =>
    [name, (await import(join(FOLDER, `${name}.ts`))) as Migration] as const
  return Object.fromEntries(await Promise.all(names.map(read)))
}
