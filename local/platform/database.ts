import {mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import SqliteDatabase from 'better-sqlite3'

export type Database = SqliteDatabase.Database

/**
 * Opens the one file that holds everything the platform must not forget when its process dies.
 *
 * WAL with `synchronous=NORMAL` survives SIGKILL; only a power cut may lose the last commits, which
 * a stand-in can afford.
 */
export function openDatabase(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), {recursive: true})
  const database = new SqliteDatabase(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  const version = Number(database.pragma('user_version', {simple: true}))
  if (version !== 0 && version !== SCHEMA_VERSION) {
    database.close()
    throw new Error(
      `${file} has schema ${version}, this platform writes ${SCHEMA_VERSION}: delete the file or name another one.`,
    )
  }
  database.pragma(`user_version = ${SCHEMA_VERSION}`)
  return database
}

/** Each table's own `create table` stands with its queries; raise this when any of them changes. */
const SCHEMA_VERSION = 3
