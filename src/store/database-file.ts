import {statSync} from 'node:fs'
import Database from 'better-sqlite3'
import {StoreError, troubleOf} from './errors.ts'

/** Up to this size all of it is checked before it is used, indexes too: 80 ms when the system has it in memory. */
const CHECK_MAX_BYTES = 64_000_000
/** What a log that had to grow keeps of it once it is emptied. */
const LOG_MAX_BYTES = 64_000_000
const HEADER_BYTES = 100

/**
 * Looks at what is there, and changes nothing. Nothing at all is well too, when nothing has been: then
 * a new database may be made.
 *
 * @throws {StoreError} `missing`, `damaged` or `unreadable`.
 */
export function examine(path: string, hasMark: boolean): void {
  const bytes = sizeOf(path)
  const logBytes = sizeOf(`${path}-wal`) ?? 0
  if (bytes === undefined || bytes === 0) {
    const what = bytes === 0 ? 'is empty' : 'is not there'
    if (logBytes > 0) throw missing(path, `${what}, but ${path}-wal is`)
    if (hasMark) throw missing(path, `${what}, though there has been one`)
    return
  }
  // A database that was never finished is rolled back by the next one who opens it.
  if (!hasMark && sizeOf(`${path}-journal`) !== undefined) return
  if (bytes < HEADER_BYTES) throw damaged(path, `it has ${bytes} bytes`)
  readThrough(path, bytes + logBytes)
}

/** To write to, and never to be waited for by the event loop. */
export function openFile(path: string): Database.Database {
  const sqlite = new Database(path, {timeout: 0})
  try {
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('synchronous = full')
    sqlite.pragma(`journal_size_limit = ${LOG_MAX_BYTES}`)
    sqlite.pragma('foreign_keys = on')
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/**
 * Throws once the file at this path is not the one that was there at first. SQLite itself goes on to write
 * to a file that was deleted, and what it acknowledges then is lost with the process.
 */
export function createStillThere(path: string): () => void {
  const identity = identityOf(path)
  return () => {
    if (identityOf(path) === identity) return
    throw new Database.SqliteError(`${path} was moved or deleted`, 'SQLITE_READONLY_DBMOVED')
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, {throwIfNoEntry: false})
  return stats && `${stats.dev}:${stats.ino}`
}

/** The one line that an operator needs of an error which came while the database was opened. */
export function explain(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const why = error instanceof Error ? error.message : String(error)
  switch (troubleOf(error)) {
    case 'damaged':
      return damaged(path, why)
    case 'locked':
      return new StoreError(
        'in-use',
        `The database ${path} is locked by another program. End it (a backup, or a shell with an open transaction), and start again.`,
        error,
      )
    case 'full':
      return new StoreError(
        'unreadable',
        `The database ${path} cannot be written: the disk is full. Free some space, and start again.`,
        error,
      )
    default:
      return new StoreError(
        'unreadable',
        `The database ${path} cannot be used: ${why}. Check DATABASE_URL and the permissions of the file and its folder, or restore a backup.`,
        error,
      )
  }
}

/** Read-only, so that what is refused stays byte for byte what it was. */
function readThrough(path: string, bytes: number): void {
  const sqlite = new Database(path, {readonly: true, fileMustExist: true, timeout: 0})
  try {
    sqlite.pragma('schema_version')
    if (bytes > CHECK_MAX_BYTES) return
    const [first] = sqlite.prepare('pragma integrity_check(1)').pluck().all()
    if (first !== 'ok') throw damaged(path, String(first))
  } finally {
    sqlite.close()
  }
}

function missing(path: string, what: string): StoreError {
  return new StoreError(
    'missing',
    `The database ${path} ${what}. Put a backup in its place (without -wal and -shm files beside it); to begin with an empty one, delete ${path}.lock and every ${path}* file.`,
  )
}

function damaged(path: string, why: string): StoreError {
  return new StoreError(
    'damaged',
    `The database ${path} is damaged or no database: ${why}. Move it away with its -wal and -shm files, put a backup in its place, and start again.`,
  )
}

function sizeOf(path: string): number | undefined {
  return statSync(path, {throwIfNoEntry: false})?.size
}
