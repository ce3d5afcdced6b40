import {chmodSync, mkdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import Database from 'better-sqlite3'
import pg from 'pg'
import {isPostgres} from '../../../src/store/is-postgres.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'released')

/** Puts the database of a released version where nothing stands yet; `change` edits its SQL first. */
export async function plant(
  name: string,
  path: string,
  change: (sql: string) => string = (sql) => sql,
): Promise<void> {
  const engine = isPostgres(path) ? 'postgres' : 'sqlite'
  const sql = change(readReleased(name, engine))
  if (engine === 'postgres') await plantServer(path, sql)
  else plantFile(path, sql)
}

export function readReleased(name: string, engine: 'sqlite' | 'postgres'): string {
  return gunzipSync(readFileSync(join(FIXTURES, `${name}.${engine}.sql.gz`))).toString()
}

async function plantServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({connectionString: url})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function plantFile(path: string, sql: string): void {
  mkdirSync(dirname(path), {recursive: true})
  const database = new Database(path)
  database.pragma('journal_mode = wal')
  database.pragma('foreign_keys = off')
  database.transaction(() => database.exec(sql))()
  database.close()
  chmodSync(path, 0o600)
}
