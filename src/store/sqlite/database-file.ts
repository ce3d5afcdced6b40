import {statSync} from 'node:fs'
import Database from 'better-sqlite3'
import {StoreError, troubleOf} from '../database/errors.ts'
import {MOVES, type Move} from '../database/moves.ts'
import {SEALED_COLUMNS, type SealedValue} from '../database/sealed-values.ts'
import type {Seal} from '../database/seals.ts'

/** Up to this size all of it is checked before it is used, indexes too: 80 ms when the system has it in memory. */
const CHECK_MAX_BYTES = 64_000_000
/** What a log that had to grow keeps of it once it is emptied: a longer one has not been emptied yet. */
export const LOG_MAX_BYTES = 16_000_000
const HEADER_BYTES = 100

/** What a database says of itself before it is used; empty for one that is yet to be made. */
export interface Found {
  migrations: readonly string[]
  seals: readonly Seal[]
  sealed: readonly SealedValue[]
  moves: readonly Move[]
}

const NOTHING: Found = {migrations: [], seals: [], sealed: [], moves: []}

/**
 * Looks at what is there, and changes nothing. Nothing at all is well too, when nothing has been: then
 * a new database may be made.
 *
 * @throws {StoreError} `missing`, `damaged` or `unreadable`.
 */
export function examine(path: string, hasBeen: boolean): Found {
  const bytes = sizeOf(path)
  const logBytes = sizeOf(`${path}-wal`) ?? 0
  if (bytes === undefined || bytes === 0) {
    const what = bytes === 0 ? 'is empty' : 'is not there'
    if (logBytes > 0) throw missing(path, `${what}, but ${path}-wal is`)
    if (hasBeen) throw missing(path, `${what}, though there has been one`)
    return NOTHING
  }
  // A database that was never finished is rolled back by the next one who opens it.
  if (!hasBeen && sizeOf(`${path}-journal`) !== undefined) return NOTHING
  if (bytes < HEADER_BYTES) throw damaged(path, `it has ${bytes} bytes`)
  return readThrough(path, bytes + logBytes)
}

/** To write to, which is tried, and never to be waited for by the event loop. */
export function openFile(path: string): Database.Database {
  const sqlite = new Database(path, {timeout: 0})
  try {
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('synchronous = full')
    sqlite.pragma(`journal_size_limit = ${LOG_MAX_BYTES}`)
    sqlite.pragma('foreign_keys = on')
    // What is deleted is gone from the file, too.
    sqlite.pragma('secure_delete = on')
    // SQLite opens what may not be written, too, and tells nobody before the first change.
    sqlite.exec('begin immediate; pragma user_version = 0; commit')
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/**
 * Throws once the file at this path, its log or the index of that is not the one that was there at first, or cannot be looked at.
 * SQLite itself goes on to write to files that were deleted: what it acknowledges then is lost with the process, and what others
 * write meanwhile with the next change.
 */
export function createStillThere(path: string): () => void {
  const look = (): string => ['', '-wal', '-shm'].map((end) => identityOf(path + end)).join()
  const identity = look()
  return () => {
    if (look() === identity) return
    throw new Database.SqliteError(`${path} was moved or deleted`, 'SQLITE_READONLY_DBMOVED')
  }
}

function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, {throwIfNoEntry: false})
    return stats && `${stats.dev}:${stats.ino}`
  } catch {
    return undefined // in a place that is closed to us by now
  }
}

/** The one line that an operator needs of an error which came while the database was opened. */
export function explain(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const why = error instanceof Error ? error.message : String(error)
  const unreadable = (what: string): StoreError =>
    new StoreError('unreadable', `The database ${path} ${what}`, error)
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
      return unreadable('cannot be written: the disk is full. Free some space, and start again.')
    case 'read-only':
      return unreadable(
        'cannot be written: the file, its folder or the file system is read-only. Make them writable for the user that Bosun runs as, and start again.',
      )
    default:
      return unreadable(
        `cannot be used: ${why}. Check DATABASE_URL and the permissions of the file and its folder, or restore a backup.`,
      )
  }
}

/** Read-only, so that what is refused stays byte for byte what it was. */
export function readThrough(path: string, bytes: number): Found {
  const sqlite = new Database(path, {readonly: true, fileMustExist: true, timeout: 0})
  try {
    const tables = new Set(sqlite.prepare('select name from sqlite_schema').pluck().all())
    if (bytes <= CHECK_MAX_BYTES) {
      const [first] = sqlite.prepare('pragma integrity_check(1)').pluck().all()
      if (first !== 'ok') throw damaged(path, String(first).replaceAll('\n', ' '))
    }
    const rowsOf = <Row>(table: string): Row[] =>
      tables.has(table) ? sqlite.prepare<[], Row>(`select * from ${table}`).all() : []
    return {
      migrations: rowsOf<{name: string}>('kysely_migration').map(({name}) => name),
      seals: rowsOf<Seal>('seals'),
      moves: rowsOf<Move>(MOVES),
      sealed: SEALED_COLUMNS.flatMap(({table, id, column}) =>
        rowsOf<Record<string, string | null>>(table).flatMap((row) => {
          const sealed = row[column] ?? null
          return sealed === null ? [] : [{table, row: row[id] ?? '', sealed}]
        }),
      ),
    }
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
