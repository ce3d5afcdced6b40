import {Kysely} from 'kysely'
import {createSealer} from '../../security/seal.ts'
import {createCondition} from '../database/condition.ts'
import {refuseNewer, refuseOlder} from '../database/migrate.ts'
import {refuseMoved} from '../database/moves.ts'
import type {Schema} from '../database/schema.ts'
import {addSeal, checkSeals, sealingKeyOf} from '../database/seals.ts'
import {LOCK_WAIT_MS, unlessLocked} from '../database/waits.ts'
import {createWriter} from '../database/writer.ts'
import type {ToolOptions, ToolStore} from '../opening.ts'
import {createAuditStore} from '../tables/audit.ts'
import {examine, explain, openFile} from './database-file.ts'
import {PatientSqliteDialect} from './dialect.ts'
import {isBotRunning} from './one-bot/bot-lock.ts'
import {nameOf, removeMark} from './one-bot/bot-mark.ts'
import {checkUp} from './upkeep/checkup.ts'

/**
 * Opens a database that stands, and changes nothing about it.
 *
 * @throws {StoreError} when it is missing, damaged, of another version, or sealed with other keys.
 */
export async function openSqliteTool({path: given, sealingKeys}: ToolOptions): Promise<ToolStore> {
  const path = nameOf(given)
  try {
    const sealer = createSealer(sealingKeys)
    // A mark is claimed, so that a tool never makes a database.
    const found = await unlessLocked(() => examine(path, true))
    refuseMoved(path, found.moves)
    refuseNewer(path, found.migrations)
    refuseOlder(path, found.migrations)
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
      doAllSealWith: (keyId) => sealingKeyOf(found.seals) === keyId,
      beginSealing: () => addSeal(write, sealer, {seals: found.seals, keys: sealingKeys}),
      checkUp: () => checkUp(path),
      // Its bot sees it in the audit.
      tellBots: async () => undefined,
      emptyLog: () => {
        database.pragma(`busy_timeout = ${LOCK_WAIT_MS}`)
        const [row] = database.pragma('wal_checkpoint(truncate)') as {busy: number}[]
        return row?.busy === 0
      },
      vacuum: async () => {
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
