import {existsSync, mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import Database from 'better-sqlite3'
import {StoreError, isBusy, troubleOf} from './errors.ts'

/** Held by the one bot of a database for as long as it lives. */
interface BotLock {
  /** A database has been here, so that a place where none is now is no fresh start. */
  hasMark: boolean
  mark(): void
  release(): void
}

/** The lock file's `user_version` once the database beside it exists. */
const MARK = 1

/**
 * The lock is SQLite's own on a file beside the database: the system gives it up when the process
 * dies, however it dies. Tools open the database itself, which stays unlocked between transactions.
 *
 * @throws {StoreError} `in-use` when another bot holds it.
 */
export function takeBotLock(path: string): BotLock {
  const file = `${path}.lock`
  const lock = explained(path, () => {
    mkdirSync(dirname(path), {recursive: true})
    return new Database(file, {timeout: 0})
  })
  try {
    return explained(path, () => {
      lock.pragma('journal_mode = delete')
      lock.exec('begin exclusive')
      return {
        hasMark: lock.pragma('user_version', {simple: true}) === MARK,
        mark: () =>
          explained(path, () => {
            lock.pragma(`user_version = ${MARK}`)
            // For an instant another bot could come in between: then that one has it, and we have not.
            lock.exec('commit; begin exclusive')
          }),
        release: () => void lock.close(),
      }
    })
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Whether a bot lives on this database. Only asks, and holds nothing. */
export function isBotRunning(path: string): boolean {
  const file = `${path}.lock`
  if (!existsSync(file)) return false
  const lock = new Database(file, {timeout: 0, readonly: true})
  try {
    lock.pragma('user_version')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    lock.close()
  }
}

function explained<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (isBusy(error)) {
      throw new StoreError(
        'in-use',
        `Another bot is running on the database ${path}. Stop it first, or give this one another DATABASE_URL.`,
        error,
      )
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
