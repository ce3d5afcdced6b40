import {Kysely} from 'kysely'
import {type SealingKey, type Sealer, createSealer} from '../security/seal.ts'
import {type AuditStore, createAuditStore} from './tables/audit.ts'
import {isBotRunning} from './sqlite/one-bot/bot-lock.ts'
import {nameOf, removeMark} from './sqlite/one-bot/bot-mark.ts'
import {createCondition} from './database/condition.ts'
import {examine, explain, openFile} from './sqlite/database-file.ts'
import {PatientSqliteDialect} from './sqlite/dialect.ts'
import {StoreError} from './database/errors.ts'
import {NEWEST, refuseNewer} from './database/migrate.ts'
import type {Schema} from './database/schema.ts'
import {addSeal, checkSeals, sealingKeyOf} from './database/seals.ts'
import {LOCK_WAIT_MS, unlessLocked} from './database/waits.ts'
import {type Write, createWriter} from './database/writer.ts'

/** The database as a tool opens it, while a bot runs or not. */
export interface ToolStore extends AsyncDisposable {
  db: Kysely<Schema>
  write: Write
  sealer: Sealer
  audit: AuditStore
  isBotRunning: boolean
  /** The key that the newest start seals with. */
  sealingKey: string | undefined
  /** As a start of the bot would say it: the first key seals from now on. */
  beginSealing(): Promise<void>
  /** Moves what was written into the file itself, and cuts the log off: what was deleted is then in neither. */
  emptyLog(): boolean
  /** Writes the file anew, without what was deleted and without a word of who used it. Only while no bot runs. */
  vacuum(): void
}

/**
 * Opens a database that stands, and changes nothing about it.
 *
 * @throws {StoreError} when it is missing, damaged, of another version, or sealed with other keys.
 */
export async function openToolStore({
  path: given,
  sealingKeys,
}: {
  path: string
  sealingKeys: readonly SealingKey[]
}): Promise<ToolStore> {
  const path = nameOf(given)
  try {
    const sealer = createSealer(sealingKeys)
    // A mark is claimed, so that a tool never makes a database.
    const found = await unlessLocked(() => examine(path, true))
    refuseNewer(path, found.migrations)
    if (!found.migrations.includes(NEWEST)) {
      throw new StoreError(
        'unreadable',
        `The database ${path} is of an earlier version of Bosun. Start Bosun once, so that it brings it to this one.`,
      )
    }
    checkSeals(found.seals, sealer)
    const database = await unlessLocked(() => openFile(path))
    const condition = createCondition()
    const db = new Kysely<Schema>({dialect: new PatientSqliteDialect({database, condition})})
    const {write, stop} = createWriter({db, condition})
    return {
      db,
      write,
      sealer,
      audit: createAuditStore(db, write),
      isBotRunning: await isBotRunning(path),
      sealingKey: sealingKeyOf(found.seals),
      beginSealing: () => addSeal(write, sealer, {seals: found.seals, keys: sealingKeys}),
      emptyLog: () => {
        database.pragma(`busy_timeout = ${LOCK_WAIT_MS}`)
        const [row] = database.pragma('wal_checkpoint(truncate)') as {busy: number}[]
        return row?.busy === 0
      },
      vacuum: () => {
        database.pragma(`busy_timeout = ${LOCK_WAIT_MS}`)
        removeMark(path)
        database.exec('vacuum')
      },
      [Symbol.asyncDispose]: async () => {
        await stop()
        await db.destroy()
      },
    }
  } catch (error) {
    throw explain(path, error)
  }
}
