import {sql} from 'kysely'
import {createSealer} from '../../security/seal.ts'
import {createCondition} from '../database/condition.ts'
import {refuseNewer, refuseOlder} from '../database/migrate.ts'
import {refuseMoved} from '../database/moves.ts'
import {addSeal, checkSeals, sealingKeyOf} from '../database/seals.ts'
import {createWriter} from '../database/writer.ts'
import type {ToolOptions, ToolStore} from '../opening.ts'
import {createAuditStore} from '../tables/audit.ts'
import {isBotLocked} from './bot-lock.ts'
import {connect} from './connect.ts'
import {checkUp, examine, explain, nameOf} from './examine.ts'

/** @throws {StoreError} as {@link openToolStore} says. */
export async function openPostgresTool({path: url, sealingKeys}: ToolOptions): Promise<ToolStore> {
  const condition = createCondition()
  const db = connect(url, condition.failed)
  try {
    const sealer = createSealer(sealingKeys)
    const found = await examine(db, nameOf(url))
    refuseMoved(nameOf(url), found.moves)
    refuseNewer(nameOf(url), found.migrations)
    refuseOlder(nameOf(url), found.migrations)
    checkSeals(found.seals, sealer)
    const {write, stop} = createWriter({db, condition})
    return {
      db,
      write,
      sealer,
      audit: createAuditStore(db, write),
      isBotRunning: await isBotLocked(url),
      sealingKey: sealingKeyOf(found.seals),
      checkUp: () => checkUp(db),
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
