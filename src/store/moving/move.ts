import {randomUUID} from 'node:crypto'
import {type Kysely, sql} from 'kysely'
import {type Sealer, type SealingKey, createSealer} from '../../security/seal.ts'
import {StoreError, troubleOf} from '../database/errors.ts'
import {refuseNewer, refuseOlder} from '../database/migrate.ts'
import {type Move, dropMove, noteMove} from '../database/moves.ts'
import type {Schema} from '../database/schema.ts'
import {checkSealedValues} from '../database/sealed-values.ts'
import {checkSeals} from '../database/seals.ts'
import {isPostgres} from '../is-postgres.ts'
import {type Copied, type Progress, copyAll} from './copy.ts'
import type {Role, Side} from './side.ts'
import {sqliteSide} from './sqlite-side.ts'

interface MoveOptions {
  /** A file's, or the address of a PostgreSQL; and so is the other. */
  from: string
  to: string
  sealingKeys: readonly SealingKey[]
  onProgress: (progress: Progress) => void
}

interface Outcome extends Copied {
  to: string
  /** It was done by an earlier one, and nothing was changed now. */
  isDone: boolean
}

/**
 * Moves everything from one database into another one, in one transaction of that: all of it or nothing. In this order, so
 * that at no instant a bot would start on both, and a move that was cut off goes on when it is repeated:
 *
 * 1. An empty target is noted as one to which everything is to come: no bot starts on it.
 * 2. In one transaction of it all is copied, read back and compared, and noted as having come.
 * 3. The source is noted as gone: no bot starts on it from now on.
 * 4. The transaction of the target is committed.
 *
 * @throws {StoreError} when something is wrong; nothing was changed then, unless it says otherwise.
 */
export async function moveStore({
  from,
  to,
  sealingKeys,
  onProgress,
}: MoveOptions): Promise<Outcome> {
  await using sides = new AsyncDisposableStack()
  const source = sides.use(await openSide(from, 'FROM'))
  const target = sides.use(await openSide(to, 'TO'))
  if ((await source.identity()) === (await target.identity())) {
    throw new StoreError('unreadable', `${source.name} and ${target.name} are one database.`)
  }
  await source.keepBotsOut()
  await target.keepBotsOut()

  const sealer = createSealer(sealingKeys)
  const there = await source.examine()
  judgeSource(source, there.migrations)
  checkSeals(there.seals, sealer)
  checkSealedValues(there.sealed, sealer)
  const standing = await target.examine()
  refuseNewer(target.name, standing.migrations)
  const gone = goneFrom(there.moves)
  if (gone !== undefined && hasCome(standing.moves, gone.id)) {
    return {to: target.name, isDone: true, rows: new Map(), replaced: 0}
  }
  refuseElsewhere(source, target, gone)
  const isReplaced = refuseUnfinished(target, standing.moves, {source, there: there.moves})
  const isOurs = standing.migrations.length > 0
  const of = {isGone: gone !== undefined, isReplaced, isOurs, id: gone?.id ?? randomUUID()}
  const copied = await run({source, target, sealer, onProgress, ...of})
  return {to: target.name, isDone: false, ...copied}
}

async function openSide(path: string, role: Role): Promise<Side> {
  if (!isPostgres(path)) return sqliteSide(path, role)
  const {postgresSide} = await import('./postgres-side.ts')
  return postgresSide(path, role)
}

function judgeSource({name}: Side, migrations: readonly string[]): void {
  refuseNewer(name, migrations)
  if (migrations.length === 0) {
    throw new StoreError(
      'unreadable',
      `The database ${name} is empty or not Bosun's: there is nothing to move.`,
    )
  }
  refuseOlder(name, migrations)
}

function goneFrom(moves: readonly Move[]): Move | undefined {
  const last = moves.at(-1)
  return last?.state === 'gone' ? last : undefined
}

function hasCome(moves: readonly Move[], id: string): boolean {
  return moves.some((move) => move.state === 'here' && move.id === id)
}

/** @throws {StoreError} `moved` when the source has moved, or was about to, to another one. */
function refuseElsewhere(source: Side, target: Side, gone: Move | undefined): void {
  if (gone === undefined || gone.place === target.name) return
  throw new StoreError(
    'moved',
    `The database ${source.name} was moved to ${gone.place}: move from there. If that holds nothing yet, the move was cut off: repeat npm run migrate-store with the same two.`,
  )
}

/**
 * Whether the target holds what has moved to the source.
 *
 * @throws {StoreError} `moved` when it holds what has moved elsewhere, or is where somebody else is about to move to.
 */
function refuseUnfinished(
  target: Side,
  moves: readonly Move[],
  {source, there}: {source: Side; there: readonly Move[]},
): boolean {
  const last = moves.at(-1)
  if (last?.state === 'coming' && last.place !== source.name) {
    throw new StoreError(
      'moved',
      `The database ${target.name} is to hold what is in ${last.place}: repeat that move, or give a new one.`,
    )
  }
  if (last?.state !== 'gone') return false
  if (hasCome(there, last.id)) return true
  throw new StoreError(
    'moved',
    `The database ${target.name} was moved to ${last.place}, and still holds what was moved. Give a new one.`,
  )
}

interface Transfer {
  source: Side
  target: Side
  sealer: Sealer
  onProgress: MoveOptions['onProgress']
  id: string
  /** The source is noted as gone, by a move that was cut off. */
  isGone: boolean
  /** The target holds what has moved to the source: that is replaced. */
  isReplaced: boolean
  /** Tables of ours stand in the target. */
  isOurs: boolean
}

async function run(transfer: Transfer): Promise<Copied> {
  const {source, target, id, isGone, isReplaced, isOurs} = transfer
  const [out, into] = [await source.open(), await target.open()]
  try {
    if (!isReplaced) {
      await target.attempt(() => refuseFilled(target, into, isOurs))
      await target.attempt(() => noteMove(into, {id, state: 'coming', place: source.name}))
    }
    const copied = await inBoth(transfer, {out, into})
    await target.attempt(() => target.settle(into))
    return copied
  } catch (error) {
    if (!(error instanceof CutOff) && !isReplaced && !isGone) await takeBack(target, into, id)
    throw error
  }
}

async function inBoth(
  transfer: Transfer,
  {out, into}: Record<'out' | 'into', Kysely<Schema>>,
): Promise<Copied> {
  const {source, target, id, isGone} = transfer
  const reading = await source.attempt(() => out.startTransaction().execute())
  const writing = await target.attempt(() => into.startTransaction().execute())
  const giveUp = async (): Promise<void> => {
    await Promise.allSettled([reading.rollback().execute(), writing.rollback().execute()])
  }
  let copied: Copied
  try {
    copied = await copyAll(transfer, {reading, writing})
    await target.attempt(() => noteMove(writing, {id, state: 'here', place: source.name}))
    if (!isGone) {
      await source.attempt(() => noteMove(reading, {id, state: 'gone', place: target.name}))
    }
  } catch (error) {
    await giveUp()
    throw error
  }
  try {
    await reading.commit().execute()
  } catch (error) {
    await giveUp()
    if (troubleOf(error) === 'away') throw new CutOff(source, error)
    return await source.attempt(() => Promise.reject(error as Error))
  }
  try {
    await writing.commit().execute()
    return copied
  } catch (error) {
    await giveUp()
    if (troubleOf(error) !== 'full') throw new CutOff(target, error)
    if (!isGone) await source.attempt(() => dropMove(out, id))
    return await target.attempt(() => Promise.reject(error as Error))
  }
}

/** Nobody knows whether a commit has happened. */
class CutOff extends StoreError {
  constructor({name}: Side, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(
      'unreadable',
      `The move was cut off at its end by ${name} (${why}): repeat npm run migrate-store with the same two.`,
      cause,
    )
  }
}

async function takeBack(target: Side, into: Kysely<Schema>, id: string): Promise<void> {
  try {
    await dropMove(into, id)
  } catch {
    // Then the database says itself that nothing has come yet. What is wrong with it is told already.
  }
  target.undo()
}

/** @throws {StoreError} when somebody else's tables are there, or rows. */
async function refuseFilled(target: Side, db: Kysely<Schema>, isOurs: boolean): Promise<void> {
  const tables = await target.tables(db)
  const [other] = tables
  if (!isOurs && other !== undefined) {
    throw new StoreError(
      'unreadable',
      `The database ${target.name} holds tables of another program (${other.name}). Give one for Bosun alone.`,
    )
  }
  const filled: string[] = []
  for (const {name} of tables) {
    const {rows} = await sql`select 1 as one from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) filled.push(name)
  }
  if (filled.length === 0) return
  throw new StoreError(
    'unreadable',
    `The database ${target.name} is not empty: there are rows in ${filled.join(', ')}. Give a new one.`,
  )
}
