import {randomUUID} from 'node:crypto'
import {hostname} from 'node:os'
import {realpathSync, readlinkSync, statSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import Database from 'better-sqlite3'
import {StoreError, isBusy} from '../../database/errors.ts'

/** The bot that runs, or ran last, as it stands in the database: one row. */
export interface BotMark {
  /** Random, of this one start. */
  start: string
  pid: number
  host: string
  /** The name of the file that it uses; its log is beside that one alone. */
  path: string
  /** When it started, by its own clock: for people. */
  since: string
  /** Grows while it lives. */
  beat: number
  /** 1 once it has stopped by itself. */
  ended: 0 | 1
}

export function newMark(path: string): BotMark {
  const since = new Date().toISOString()
  return {start: randomUUID(), pid: process.pid, host: hostname(), path, since, beat: 0, ended: 0}
}

/**
 * The one name of a file. A link is followed; and of several names of one file (hard links, or one file that is mounted
 * twice) it is the one by which the last bot has used it: the log beside another name would be another log.
 */
export function nameOf(path: string): string {
  const real = realNameOf(path)
  const used = glanceAt(real)?.path ?? real
  return used !== real && isSameFile(used, real) ? used : real
}

/** Also of a file that is yet to be made. */
export function realNameOf(path: string): string {
  const target = linkTargetOf(path)
  if (target !== undefined) return realNameOf(resolve(dirname(path), target))
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return resolve(path)
  }
}

function linkTargetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined // no link
  }
}

export function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)]
    return a.dev === b.dev && a.ino === b.ino
  } catch {
    return false
  }
}

/**
 * Reads the mark, and changes nothing. Through another name of the file it is what the last checkpoint left.
 *
 * @throws what SQLite does of a file that cannot be read.
 */
function readMark(path: string): BotMark | undefined {
  if ((statSync(path, {throwIfNoEntry: false})?.size ?? 0) === 0) return undefined
  const sqlite = new Database(path, {readonly: true, fileMustExist: true, timeout: 0})
  try {
    return markIn(sqlite)
  } finally {
    sqlite.close()
  }
}

/** The mark as far as it can be read now. */
export function glanceAt(path: string): BotMark | undefined {
  try {
    return readMark(path)
  } catch {
    return undefined
  }
}

/**
 * Takes back what a kill cut off while the file was still in the mode that a new one is in: whoever may only read can tell nothing of such
 * a file. SQLite does it itself at the first look of somebody who may write. What stands against it is met again by whoever opens the file.
 */
export function takeBack(path: string): void {
  try {
    readMark(path)
  } catch (error) {
    const isCutOff =
      error instanceof Database.SqliteError && error.code === 'SQLITE_READONLY_ROLLBACK'
    if (isCutOff) lookAsWriter(path)
  }
}

function lookAsWriter(path: string): void {
  const sqlite = new Database(path, {timeout: 0, fileMustExist: true})
  try {
    markIn(sqlite)
  } catch {
    // It is locked, or not to be written.
  } finally {
    sqlite.close()
  }
}

function markIn(sqlite: Database.Database): BotMark | undefined {
  const isTable = sqlite.prepare(`select 1 from sqlite_schema where name = 'bot_mark'`).get()
  if (isTable === undefined) return undefined
  return sqlite
    .prepare<[], BotMark>('select start, pid, host, path, since, beat, ended from bot_mark')
    .get()
}

/** Between two looks at what may move. */
export const LOOK_MS = 100

/** False: somebody has the file open, by whatever name. */
export function markAlone(mine: BotMark, left: BotMark | undefined): boolean {
  try {
    writeMark(mine, left, (sqlite) => {
      // SQLite holds that on the file itself, whatever its name, until this is closed.
      sqlite.pragma('locking_mode = exclusive')
      sqlite.exec('begin exclusive')
    })
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

/** While others have the file open by the same name. */
export function markBesideOthers(mine: BotMark, left: BotMark | undefined): void {
  writeMark(mine, left, (sqlite) => sqlite.exec('begin immediate'))
}

/** @throws {StoreError} `in-use` when another mark than the one that was left behind is there now. */
function writeMark(
  mine: BotMark,
  left: BotMark | undefined,
  begin: (sqlite: Database.Database) => void,
): void {
  const sqlite = new Database(mine.path, {timeout: 0})
  try {
    sqlite.pragma('synchronous = full')
    begin(sqlite)
    const found = markIn(sqlite)
    if (found?.start !== left?.start || found?.beat !== left?.beat) throw inUse(mine.path, found)
    sqlite.exec(
      `create table if not exists bot_mark (start text not null, pid integer not null, host text not null,
        path text not null, since text not null, beat integer not null, ended integer not null);
      delete from bot_mark`,
    )
    sqlite
      .prepare('insert into bot_mark values (@start, @pid, @host, @path, @since, @beat, @ended)')
      .run(mine)
    sqlite.exec('commit')
    // For those who come by another name: they see the file itself alone.
    sqlite.pragma('wal_checkpoint(passive)')
  } finally {
    sqlite.close()
  }
}

/** A copy is nobody's, and neither is a file that is rewritten. */
export function removeMark(path: string): void {
  const sqlite = new Database(path, {timeout: 0, fileMustExist: true})
  try {
    if (markIn(sqlite) !== undefined) sqlite.exec('delete from bot_mark')
  } finally {
    sqlite.close()
  }
}

/** @param path as whoever starts has named it. */
export function inUse(path: string, mark: BotMark | undefined, cause?: unknown): StoreError {
  const name = mark === undefined || mark.path === resolve(path) ? path : `${path}, as ${mark.path}`
  const who =
    mark === undefined ? '' : ` (process ${mark.pid} on ${mark.host}, since ${mark.since})`
  return new StoreError(
    'in-use',
    `Another bot is running on the database ${name}${who}. Stop it first, or give this one another DATABASE_URL.`,
    cause,
  )
}
