import {sql} from 'kysely'
import {createSealer} from '../../security/seal.ts'
import {type Condition, createCondition} from '../database/condition.ts'
import {migrateFrom, refuseNewer} from '../database/migrate.ts'
import {checkSealedValues, countSealed} from '../database/sealed-values.ts'
import {refuseMoved} from '../database/moves.ts'
import {addSeal, checkSeals} from '../database/seals.ts'
import {LOCK_WAIT_MS, unlessLocked} from '../database/waits.ts'
import {type Write, createWriter} from '../database/writer.ts'
import type {OpeningOptions, Store} from '../opening.ts'
import {openTables} from '../tables.ts'
import {type BotLock, takeBotLock} from './bot-lock.ts'
import {connect} from './connect.ts'
import {checkUp, examine, explain, nameOf} from './examine.ts'
import {addFunctions} from './functions.ts'

const CHECK_WITHIN_MS = 2000

/**
 * Opens a database of a PostgreSQL server, migrates it, and checks that the sealing keys are the ones it knows.
 *
 * @throws {StoreError} when it is in use, cannot be reached or written, is another program's, too old, of a newer
 * version, or sealed with other keys; nothing was changed then.
 */
export async function openPostgresStore({
  url,
  sealingKeys,
  signal,
  learn,
}: OpeningOptions & {url: string}): Promise<Store> {
  const condition = createCondition()
  const db = connect(url, condition.failed)
  let lock: BotLock | undefined
  try {
    const sealer = createSealer(sealingKeys)
    const found = await examine(db, nameOf(url))
    refuseMoved(nameOf(url), found.moves)
    refuseNewer(nameOf(url), found.migrations)
    checkSeals(found.seals, sealer)
    checkSealedValues(found.sealed, sealer)
    lock = await takeBotLock(url)
    const migration = {path: nameOf(url), copy: undefined, before: addFunctions}
    await unlessLocked(() => migrateFrom(db, migration))
    const {write, stop} = createWriter({db, condition})
    const writeSoon: Write = (change) => write(change, AbortSignal.timeout(LOCK_WAIT_MS))
    await addSeal(writeSoon, sealer, {seals: found.seals, keys: sealingKeys})
    signal?.addEventListener('abort', () => void stop())
    const {lost} = lock
    return {
      ...(await openTables(db, write, {sealer, learn})),
      sealer,
      lost,
      checkUp: () => checkUp(db),
      countSealed: () => countSealed(db),
      check: () => check(write, condition),
      settle: () => undefined,
      [Symbol.asyncDispose]: async () => {
        await stop()
        await lock?.[Symbol.asyncDispose]()
        await db.destroy()
      },
    }
  } catch (error) {
    await lock?.[Symbol.asyncDispose]()
    await db.destroy()
    throw explain(url, error)
  }
}

/** Asks for the right to write: a server that has come to be a standby, or whose disk is full, still reads. */
async function check(write: Write, condition: Condition): Promise<string | undefined> {
  const late = AbortSignal.timeout(CHECK_WITHIN_MS)
  try {
    const test = sql`select key_id from seals limit 1 for update`
    await write((transaction) => test.execute(transaction), late)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return condition.words() ?? `does not answer (${why})`
  }
  return condition.words()
}
