import {sql} from 'kysely'
import {createSealer} from '../../security/seal.ts'
import {createCondition} from '../database/condition.ts'
import {StoreError} from '../database/errors.ts'
import {NEWEST, refuseNewer} from '../database/migrate.ts'
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
    if (!found.migrations.includes(NEWEST)) {
      throw new StoreError(
        'unreadable',
        `The database ${nameOf(url)} is empty or of an earlier version of Bosun. Start Bosun once, so that it brings it to this one.`,
      )
    }
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
