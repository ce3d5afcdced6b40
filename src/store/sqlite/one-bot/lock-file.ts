import {existsSync} from 'node:fs'
import Database from 'better-sqlite3'
import {StoreError, isBusy, troubleOf} from '../../database/errors.ts'
import {makeOwnFile} from '../own-files.ts'

/** Beside the database; held by one process at a time. */
export interface LockFile {
  /** A database has been here. */
  hasBeen: boolean
  /** The start of the bot that held it last. */
  last: string | undefined
  /** A database is here from now on, and is this start's. */
  sign(start: string): void
  release(): void
}

/** The lock file's `user_version` once the database beside it exists. */
const HAS_BEEN = 1

/**
 * The lock is SQLite's own on a file beside the database: the system gives it up when the process
 * dies, however it dies. Tools open the database itself, which stays unlocked between transactions.
 */
export function takeLockFile(path: string): LockFile | 'held' {
  const file = `${path}.lock`
  const lock = explained(path, () => {
    makeOwnFile(file)
    return new Database(file, {timeout: 0})
  })
  try {
    return explained(path, () => {
      lock.pragma('journal_mode = delete')
      lock.exec('begin exclusive')
      return {
        ...contentOf(lock),
        sign: (start) =>
          explained(path, () => {
            lock.pragma(`user_version = ${HAS_BEEN}`)
            lock.exec('create table if not exists holder (start text not null); delete from holder')
            lock.prepare('insert into holder values (?)').run(start)
            // For an instant another bot could come in between: then that one has it, and we have not.
            lock.exec('commit; begin exclusive')
          }),
        release: () => void lock.close(),
      }
    })
  } catch (error) {
    lock.close()
    if (error instanceof StoreError && error.code === 'in-use') return 'held'
    throw error
  }
}

/** Only asks, and holds nothing. */
export function lookAtLockFile(path: string): 'held' | Pick<LockFile, 'last'> {
  const file = `${path}.lock`
  if (!existsSync(file)) return {last: undefined}
  const lock = new Database(file, {timeout: 0, readonly: true})
  try {
    return contentOf(lock)
  } catch (error) {
    if (isBusy(error)) return 'held'
    // A change to it was cut off, and is taken back by the next who takes it.
    if (troubleOf(error) === 'read-only') return {last: undefined}
    throw error
  } finally {
    lock.close()
  }
}

function contentOf(lock: Database.Database): Pick<LockFile, 'hasBeen' | 'last'> {
  const hasBeen = lock.pragma('user_version', {simple: true}) === HAS_BEEN
  const isSigned = lock.prepare(`select 1 from sqlite_schema where name = 'holder'`).get()
  if (isSigned === undefined) return {hasBeen, last: undefined}
  return {hasBeen, last: lock.prepare<[], string>('select start from holder').pluck().get()}
}

function explained<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (isBusy(error)) {
      throw new StoreError('in-use', `Another bot has taken the database ${path}.`, error)
    }
    const why = error instanceof Error ? error.message : String(error)
    throw new StoreError(
      'unreadable',
      troubleOf(error) === 'damaged'
        ? `The lock file ${path}.lock is not Bosun's or is damaged (${why}). Delete it, and start again.`
        : `The database ${path} cannot be used, because ${path}.lock cannot be written: ${why}. Check DATABASE_URL, the folder's permissions and the free space.`,
      error,
    )
  }
}
