import {type Kysely, sql} from 'kysely'
import {createSealer} from '../../security/seal.ts'
import {type Condition, createCondition} from '../database/condition.ts'
import {VERSION, migrateFrom, isNewer, readMinVersion, refuseNewer} from '../database/migrate.ts'
import {checkSealedValues, countSealed} from '../database/sealed-values.ts'
import {StoreError} from '../database/errors.ts'
import {refuseMoved} from '../database/moves.ts'
import type {Schema} from '../database/schema.ts'
import {addSeal, checkSeals} from '../database/seals.ts'
import {LOCK_WAIT_MS, unlessLocked} from '../database/waits.ts'
import {type Write, type Writer, type WriterOptions, createWriter} from '../database/writer.ts'
import {openSharedNotices} from '../notices/shared.ts'
import type {OpeningOptions, Store} from '../opening.ts'
import {createTables, openTables} from '../tables.ts'
import {takeBotLock} from './bot-lock.ts'
import {GROUP_MS, connect} from './connect.ts'
import {checkUp, examine, explain, nameOf} from './examine.ts'
import {addFunctions} from './functions.ts'
import {LOCK, type Living, markOf, refuseStrangers} from './living.ts'

const CHECK_WITHIN_MS = 2000
const MAX_AHEAD_MS = 300_000

interface PostgresOptions extends OpeningOptions {
  url: string
  /** Who works for what: asked once the tables are there. */
  openOwnership: () => Promise<Store['ownership']>
}

/**
 * Opens a database of a PostgreSQL server, migrates it, and checks that the sealing keys are the ones it knows.
 *
 * @throws {StoreError} when it is in use, cannot be reached or written, is another program's, too old, of a newer
 * version, or sealed with other keys; nothing was changed then.
 */
export async function openPostgresStore({
  url,
  sealingKeys,
  app,
  platform,
  tell,
  signal,
  learn,
  omit,
  onCommit,
  openOwnership,
}: PostgresOptions): Promise<Store> {
  await using opened = new AsyncDisposableStack()
  try {
    const condition = createCondition()
    const db = connect(url, condition.failed, {omit})
    opened.defer(() => db.destroy())
    const sealer = createSealer(sealingKeys)
    const found = await examine(db, nameOf(url))
    refuseMoved(nameOf(url), found.moves)
    refuseNewer(nameOf(url), found.migrations, found.minVersion)
    checkSeals(found.seals, sealer)
    checkSealedValues(found.sealed, sealer)
    const own: Living = {
      version: VERSION,
      app: app === undefined ? undefined : markOf(app),
      platform: platform === undefined ? undefined : markOf(platform),
      keys: sealingKeys.map(({id}) => markOf(id)),
    }
    const {lost, others} = opened.use(await takeBotLock(url, own))
    refuseStrangers(nameOf(url), {...own, firstKey: sealingKeys[0]?.id}, others)
    tellOfClock(found.aheadMs, tell)
    if (!isNewer(found.migrations)) {
      const after = (changed: Kysely<Schema>) => refuseTooOld(changed, nameOf(url), others)
      const {migrations: applied} = found
      const migration = {path: nameOf(url), applied, copy: undefined, before: prepare, after}
      await using patient = connect(url, condition.failed, {silentMs: 0})
      await unlessLocked(() => migrateFrom(patient, migration))
      // A wrong name, or a database that somebody has emptied, looks like the first start.
      if (applied.length === 0)
        tell(`The database ${nameOf(url)} was empty: Bosun begins anew in it`)
    }
    const ownership = opened.use(await openOwnership())
    const {lost: onLost} = ownership
    const {write, writeFor, stop} = createWriters({
      db,
      condition,
      onLost,
      onCommit,
      groupMs: GROUP_MS,
    })
    const writeSoon: Write = (change) => write(change, AbortSignal.timeout(LOCK_WAIT_MS))
    await addSeal(writeSoon, sealer, {seals: found.seals, keys: sealingKeys})
    signal?.addEventListener('abort', () => void stop())
    // Before anything is read that is remembered: whatever changes from now on is told.
    const notices = opened.use(openSharedNotices({url, tell}))
    const tables = await openTables(db, write, {sealer, learn, tell: notices.tell})
    opened.defer(stop)
    const resources = opened.move()
    return {
      ...tables,
      kind: 'postgres',
      ownership,
      tablesFor: (claim) => createTables(db, writeFor(claim), {...tables, sealer}),
      notices,
      sealer,
      lost,
      checkUp: () => checkUp(db),
      countSealed: () => countSealed(db),
      check: () => check(write, condition),
      settle: () => undefined,
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    }
  } catch (error) {
    throw explain(url, error)
  }
}

/** Here one group can be committed while another runs: what somebody waits for is not held up by what has time. */
function createWriters(options: WriterOptions): Writer {
  const patient = createWriter(options)
  const urgent = createWriter(options)
  return {
    write: (change, signal) => (signal === undefined ? patient : urgent).write(change, signal),
    writeFor: patient.writeFor,
    stop: async () => {
      await Promise.all([patient.stop(), urgent.stop()])
    },
  }
}

/** Of several that start at once, one after the other: two cannot replace a function at the same time. */
async function prepare(db: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK + 1})`.execute(db)
  await addFunctions(db)
}

/** Nothing of what instances agree on depends on their clocks; dates that people read do. */
function tellOfClock(aheadMs: number, tell: (line: string) => void): void {
  if (Math.abs(aheadMs) <= MAX_AHEAD_MS) return
  const minutes = Math.round(Math.abs(aheadMs) / 60_000)
  const how = aheadMs > 0 ? 'ahead of' : 'behind'
  tell(
    `This machine's clock is ${minutes} minutes ${how} the database server's. Set whichever is wrong: dates, waits and what is deleted by its age follow this machine's.`,
  )
}

/** A migration that raises the least version waits until nobody older works with the database. */
async function refuseTooOld(
  db: Kysely<Schema>,
  path: string,
  others: readonly (Living | undefined)[],
): Promise<void> {
  const least = (await readMinVersion(db)) ?? 0
  const old = others.filter((one) => one !== undefined && one.version < least).length
  if (old === 0) return
  throw new StoreError(
    'in-use',
    `The database ${path} is used by ${old} bots of a version that could not work with it once this one has changed it. Stop them, and start this one again. Nothing of it was changed.`,
  )
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
