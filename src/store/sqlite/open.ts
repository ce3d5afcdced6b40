import type Database from 'better-sqlite3'
import {Kysely, sql} from 'kysely'
import {type Sealer, createSealer} from '../../security/seal.ts'
import {createCondition, type Condition} from '../database/condition.ts'
import {migrateFrom, pendingAfter, refuseNewer} from '../database/migrate.ts'
import {refuseMoved} from '../database/moves.ts'
import type {Schema} from '../database/schema.ts'
import {checkSealedValues, countSealed} from '../database/sealed-values.ts'
import {addSeal, checkSeals} from '../database/seals.ts'
import {LOCK_WAIT_MS, unlessLocked} from '../database/waits.ts'
import {type Write, createWriter} from '../database/writer.ts'
import {openFileNotices} from '../notices/file.ts'
import type {OpeningOptions, Store} from '../opening.ts'
import {createAlone} from '../ownership/alone.ts'
import {createComplaints} from '../ownership/complaints.ts'
import {openTables} from '../tables.ts'
import {examine, explain, openFile} from './database-file.ts'
import {PatientSqliteDialect} from './dialect.ts'
import {copyBefore, dropCopies} from './migration-copy.ts'
import {type Beats, createGuard, startBeats} from './one-bot/beats.ts'
import {openBotLock} from './one-bot/bot-lock.ts'
import {narrowFiles} from './own-files.ts'
import {checkUp} from './upkeep/checkup.ts'
import {createCheckpoints} from './upkeep/checkpoints.ts'

const CHECK_WITHIN_MS = 2000

/**
 * Opens the database, migrates it, and checks that the sealing keys are the ones it knows.
 *
 * @throws {StoreError} when it is in use, missing, damaged, unreadable, of a newer version, or sealed
 * with other keys; nothing was changed then.
 */
export async function openSqliteStore({
  path: given,
  sealingKeys,
  tell,
  signal,
  learn,
  omit,
  onCommit,
}: OpeningOptions & {path: string}): Promise<Store> {
  const lock = await openBotLock(given)
  const {path} = lock
  let beats: Beats | undefined
  let sqlite: Database.Database | undefined
  try {
    const sealer = createSealer(sealingKeys)
    const found = await unlessLocked(() => examine(path, lock.hasBeen))
    refuseMoved(path, found.moves)
    refuseNewer(path, found.migrations)
    checkSeals(found.seals, sealer)
    checkSealedValues(found.sealed, sealer)
    tellNarrowed(path, tell)
    const copy = await keptCopy({path, sealer}, found.migrations, tell)
    const mine = await lock.mark()
    const database = await unlessLocked(() => openFile(path))
    sqlite = database
    const checkpoints = createCheckpoints(database)
    const beating = startBeats({mine, onBeat: checkpoints.look})
    beats = beating
    const condition = createCondition()
    const guard = createGuard(database, mine)
    const dialect = new PatientSqliteDialect({database, condition, guard, omit})
    const db = new Kysely<Schema>({dialect})
    await unlessLocked(() => migrateFrom(db, {path, applied: found.migrations, copy}))
    const {write, stop} = createWriter({db, condition, onCommitted: checkpoints.look, onCommit})
    const writeSoon: Write = (change) => write(change, AbortSignal.timeout(LOCK_WAIT_MS))
    await addSeal(writeSoon, sealer, {seals: found.seals, keys: sealingKeys})
    signal?.addEventListener('abort', () => void stop())
    const notices = await openFileNotices(db)
    const tables = await openTables(db, write, {sealer, learn, tell: notices.tell})
    return {
      ...tables,
      kind: 'sqlite',
      ownership: createAlone(createComplaints(tell)),
      tablesFor: () => tables,
      notices,
      checkUp: () => checkUp(path),
      countSealed: () => countSealed(db),
      sealer,
      check: () => check(write, condition),
      settle: () => dropCopies(path, copy),
      lost: beating.lost,
      [Symbol.asyncDispose]: async () => {
        await notices[Symbol.asyncDispose]()
        await stop()
        beating[Symbol.dispose]()
        await db.destroy()
        await checkpoints[Symbol.asyncDispose]()
        lock[Symbol.dispose]()
      },
    }
  } catch (error) {
    beats?.[Symbol.dispose]()
    sqlite?.close()
    lock[Symbol.dispose]()
    throw explain(path, error)
  }
}

/** A file that holds what is there, when migrations are about to change it. */
async function keptCopy(
  of: {path: string; sealer: Sealer},
  applied: readonly string[],
  tell: (line: string) => void,
): Promise<string | undefined> {
  const [pending] = pendingAfter(applied)
  if (applied.length === 0 || pending === undefined) return undefined
  const copy = await unlessLocked(() => copyBefore(of, pending))
  tell(
    `The database is brought to this version. What it held is kept as ${copy} until the next good start; to go back, stop Bosun and restore it with the earlier version`,
  )
  return copy
}

function tellNarrowed(path: string, tell: (line: string) => void): void {
  const {narrowed, left} = narrowFiles(path)
  if (narrowed.length > 0) {
    tell(`Others on this machine could read ${narrowed.join(', ')}: now only its owner can`)
  }
  if (left.length > 0) {
    tell(`Others on this machine can read ${left.join(', ')}. As its owner: chmod 600`)
  }
}

/** Asks for the right to write, and while something is known to be wrong writes, so that it is seen when it has passed. */
async function check(write: Write, condition: Condition): Promise<string | undefined> {
  const late = AbortSignal.timeout(CHECK_WITHIN_MS)
  // The first dirties a page, though nothing changes: what is not dirty is not written.
  const test = condition.words()
    ? sql`pragma user_version = 0`
    : sql`select key_id from seals limit 1`
  try {
    await write((transaction) => test.execute(transaction), late)
  } catch (error) {
    return (
      condition.words() ??
      `does not answer (${error instanceof Error ? error.message : String(error)})`
    )
  }
  return condition.words()
}
