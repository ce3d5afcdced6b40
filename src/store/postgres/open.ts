import {Kysely, sql} from 'kysely'
import pg from 'pg'
import {createSealer} from '../../security/seal.ts'
import {type Condition, createCondition} from '../database/condition.ts'
import {migrateFrom, refuseNewer} from '../database/migrate.ts'
import type {Schema} from '../database/schema.ts'
import {checkSealedValues, countSealed} from '../database/sealed-values.ts'
import {addSeal, checkSeals} from '../database/seals.ts'
import {LOCK_WAIT_MS} from '../database/waits.ts'
import {type Write, createWriter} from '../database/writer.ts'
import type {OpeningOptions, Store} from '../opening.ts'
import {openTables} from '../tables.ts'
import {type BotLock, takeBotLock} from './bot-lock.ts'
import {PortableDialect, types} from './dialect.ts'
import {examine, explain, nameOf} from './examine.ts'
import {addFunctions} from './functions.ts'

/** One that writes, and those that read meanwhile. */
const CONNECTIONS = 8
const CONNECT_WITHIN_MS = 5000
/** A process that is stopped in the middle of a transaction must not hold up others for longer. */
const IDLE_IN_TRANSACTION_MS = 3000
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
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'bosun',
    keepAlive: true,
  })
  const condition = createCondition()
  // One that the server ends while nobody uses it would end the process.
  pool.on('error', condition.failed)
  const db = new Kysely<Schema>({dialect: new PortableDialect({pool})})
  let lock: BotLock | undefined
  try {
    const sealer = createSealer(sealingKeys)
    const found = await examine(db, nameOf(url))
    refuseNewer(nameOf(url), found.migrations)
    checkSeals(found.seals, sealer)
    checkSealedValues(found.sealed, sealer)
    lock = await takeBotLock(url)
    await migrateFrom(db, {path: nameOf(url), copy: undefined, before: addFunctions})
    const {write, stop} = createWriter({db, condition})
    const writeSoon: Write = (change) => write(change, AbortSignal.timeout(LOCK_WAIT_MS))
    await addSeal(writeSoon, sealer, {seals: found.seals, keys: sealingKeys})
    signal?.addEventListener('abort', () => void stop())
    const {lost} = lock
    return {
      ...(await openTables(db, write, {sealer, learn})),
      sealer,
      lost,
      checkUp: async () => ({server: await serverOf(db)}),
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

async function serverOf(db: Kysely<Schema>) {
  const {rows} = await sql<{version: string; bytes: number}>`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes`.execute(db)
  const [{version, bytes} = {version: '', bytes: 0}] = rows
  return {version, bytes}
}

async function check(write: Write, condition: Condition): Promise<string | undefined> {
  const late = AbortSignal.timeout(CHECK_WITHIN_MS)
  try {
    await write((transaction) => sql`select key_id from seals limit 1`.execute(transaction), late)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return condition.words() ?? `does not answer (${why})`
  }
  return condition.words()
}
