import {mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import Database from 'better-sqlite3'
import {Kysely, sql} from 'kysely'
import {type SealingKey, createSealer} from '../security/seal.ts'
import {TransactionalSqliteDialect} from './dialect.ts'
import {StoreError, isBusy} from './errors.ts'
import {type InboxStore, createInboxStore} from './inbox.ts'
import {type LinkStore, createLinkStore} from './links.ts'
import {migrate} from './migrate.ts'
import {type PostStore, createPostStore} from './posts.ts'
import type {Schema} from './schema.ts'
import {checkSeals} from './seals.ts'
import {type SendStore, createSendStore} from './sends.ts'
import {createWriter} from './writer.ts'

/** Bosun's tables. One bot per file: a second one is refused while this one lives. */
export interface Store extends AsyncDisposable {
  links: LinkStore
  posts: PostStore
  inbox: InboxStore
  sends: SendStore
  /** Throws when the database does not answer. */
  check(): Promise<void>
}

interface StoreOptions {
  path: string
  sealingKeys: readonly SealingKey[]
}

/**
 * Opens the database, migrates it, and checks that the sealing keys are the ones it knows.
 *
 * @throws {StoreError} when it is in use, unreadable, of a newer version, or sealed with other keys;
 * nothing was changed then.
 */
export async function openStore({path, sealingKeys}: StoreOptions): Promise<Store> {
  const releaseLock = lockBeside(path)
  let sqlite: Database.Database | undefined
  try {
    sqlite = openFile(path)
    const db = new Kysely<Schema>({dialect: new TransactionalSqliteDialect({database: sqlite})})
    await migrate(db, path)
    const write = createWriter(db)
    await checkSeals(db, write, createSealer(sealingKeys), sealingKeys)
    return {
      links: createLinkStore(db, write),
      posts: createPostStore(db, write),
      inbox: createInboxStore(db, write),
      sends: createSendStore(db, write),
      check: async () => {
        await sql`select 1`.execute(db)
      },
      [Symbol.asyncDispose]: async () => {
        await db.destroy()
        releaseLock()
      },
    }
  } catch (error) {
    sqlite?.close()
    releaseLock()
    throw error instanceof StoreError ? error : unreadable(path, error)
  }
}

/**
 * The lock is SQLite's own on a file beside the database: the system gives it up when the process
 * dies, however it dies. Tools open the database itself, which stays unlocked between transactions.
 */
function lockBeside(path: string): () => void {
  try {
    mkdirSync(dirname(path), {recursive: true})
    const lock = new Database(`${path}.lock`, {timeout: 0})
    try {
      lock.pragma('journal_mode = delete')
      lock.exec('begin exclusive')
    } catch (error) {
      lock.close()
      throw error
    }
    return () => lock.close()
  } catch (error) {
    if (!isBusy(error)) throw unreadable(path, error)
    throw new StoreError(
      'in-use',
      `Another bot is running on the database ${path}. Stop it first, or give this one another DATABASE_URL.`,
    )
  }
}

function openFile(path: string): Database.Database {
  const sqlite = new Database(path, {timeout: 0})
  try {
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('synchronous = full')
    sqlite.pragma('foreign_keys = on')
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

function unreadable(path: string, error: unknown): StoreError {
  const why = error instanceof Error ? error.message : String(error)
  return new StoreError(
    'unreadable',
    `The database ${path} cannot be used: ${why}. Check DATABASE_URL and the file's permissions, or restore a backup.`,
    error,
  )
}
