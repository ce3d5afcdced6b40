import {sql} from 'kysely'
import {createSealer} from '../../security/seal.ts'
import {createCondition} from '../database/condition.ts'
import {refuseNewer, refuseOlder} from '../database/migrate.ts'
import {refuseMoved} from '../database/moves.ts'
import {addSeal, checkSeals} from '../database/seals.ts'
import {createWriter} from '../database/writer.ts'
import type {ToolOptions, ToolStore} from '../opening.ts'
import {createAuditStore} from '../tables/audit.ts'
import {livingBots} from './bot-lock.ts'
import {GROUP_MS, connect} from './connect.ts'
import {checkUp, examine, explain, nameOf} from './examine.ts'
import {tellWithin} from '../notices/shared.ts'
import {markOf} from './living.ts'

/** @throws {StoreError} as {@link openToolStore} says. */
export async function openPostgresTool({path: url, sealingKeys}: ToolOptions): Promise<ToolStore> {
  const condition = createCondition()
  const db = connect(url, condition.failed, {silentMs: 0})
  try {
    const sealer = createSealer(sealingKeys)
    const found = await examine(db, nameOf(url))
    refuseMoved(nameOf(url), found.moves)
    refuseNewer(nameOf(url), found.migrations, found.minVersion)
    refuseOlder(nameOf(url), found.migrations)
    checkSeals(found.seals, sealer)
    const {write, stop} = createWriter({db, condition, groupMs: GROUP_MS})
    const living = await livingBots(url)
    return {
      db,
      write,
      sealer,
      audit: createAuditStore(db, write),
      isBotRunning: living.length > 0,
      doAllSealWith: (keyId) => living.every((one) => one?.keys[0] === markOf(keyId)),
      checkUp: () => checkUp(db),
      tellBots: (transaction) => tellWithin(transaction, {about: 'settings'}),
      beginSealing: () => addSeal(write, sealer, {seals: found.seals, keys: sealingKeys}),
      // What was deleted leaves the server's log by itself.
      emptyLog: () => true,
      vacuum: async () => {
        await sql`vacuum full`.execute(db)
      },
      [Symbol.asyncDispose]: async () => {
        await stop()
        await db.destroy()
      },
    }
  } catch (error) {
    await db.destroy()
    throw explain(url, error)
  }
}
