import {type Kysely, sql} from 'kysely'
import {SealError, type SealPlace, type Sealer} from '../../security/seal.ts'
import {StoreError} from './errors.ts'
import {inParts} from './in-parts.ts'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

/** A sealed value and where it stands. */
export interface SealedValue {
  table: string
  row: string
  sealed: string
}

interface SealedColumn {
  table: keyof Schema
  /** The column that names the row. */
  id: string
  column: string
  /** What the values are sealed for. */
  purpose: string
  /** In the words of an operator. */
  what: string
}

/** Every column that holds sealed values, besides the keys' own check values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'connections',
    id: 'id',
    column: 'key',
    purpose: 'key',
    what: 'The platform key of the connection',
  },
  {
    table: 'installs',
    id: 'id',
    column: 'installation',
    purpose: 'installation',
    what: "Slack's tokens of the workspace",
  },
  {
    table: 'hooks',
    id: 'id',
    column: 'sealed',
    purpose: 'hook',
    what: 'The address and the secrets of the hook',
  },
]

/** How often each key is in use. */
export type SealedCounts = ReadonlyMap<string, number>

export function keyIdOf(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf(':')))
}

/** What the value of a row is sealed for: it opens nowhere else. */
export function placeOf({table, row}: Pick<SealedValue, 'table' | 'row'>): SealPlace {
  return {table, row, purpose: columnOf(table).purpose}
}

/** @throws {StoreError} `keys`, naming the key's id and what does not open. */
export function checkSealedValues(values: readonly SealedValue[], sealer: Sealer): void {
  for (const value of values) {
    const problem = problemOf(value, sealer)
    if (problem !== undefined) throw new StoreError('keys', problem)
  }
}

/** Why the value cannot be used and what to do, in words; `undefined` when it opens. */
export function problemOf(value: SealedValue, sealer: Sealer): string | undefined {
  try {
    sealer.open(value.sealed, placeOf(value))
    return undefined
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    const subject = `${columnOf(value.table).what} ${value.row}`
    const key = keyIdOf(value.sealed)
    return error.code === 'unknown-key'
      ? `BOSUN_KEYS lacks the key "${key}". ${subject} is sealed with it: add it behind the others.`
      : `${subject}, sealed with the key "${key}", does not open: it was changed or moved, or BOSUN_KEYS has another key under this id. Give the key back its id or restore a backup; to go on without the value: npm run keys -- drop ${value.row}`
  }
}

export async function readSealedValues(
  db: Pick<Kysely<Schema>, 'getExecutor'>,
): Promise<SealedValue[]> {
  const all = await Promise.all(
    SEALED_COLUMNS.map(async ({table, id, column}) => {
      const {rows} = await sql<{row: string; sealed: string}>`
        select ${sql.ref(id)} as "row", ${sql.ref(column)} as "sealed"
        from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(db)
      return rows.map((row) => ({table, ...row}))
    }),
  )
  return all.flat()
}

export async function countSealed(db: Kysely<Schema>): Promise<SealedCounts> {
  const values = await readSealedValues(db)
  const groups = Map.groupBy(values, ({sealed}) => keyIdOf(sealed))
  return new Map([...groups].map(([id, those]) => [id, those.length]))
}

interface Rotation {
  resealed: number
  /** What does not open with any key that was given. */
  problems: readonly string[]
  /** Keys that seal nothing any more. */
  removable: readonly string[]
}

/** So many rows are on their way to the disk at once. */
const AT_ONCE = 100

/**
 * Seals everything anew with the first key, while others read and write: a row that changed meanwhile is looked at
 * again, and is never overwritten.
 */
export async function rotate(
  {db, write}: {db: Kysely<Schema>; write: Write},
  sealer: Sealer,
  first: string,
): Promise<Rotation> {
  const broken = new Map<string, string>()
  let resealed = 0
  for (;;) {
    const values = await readSealedValues(db)
    const stale = values.filter(({sealed}) => keyIdOf(sealed) !== first && !broken.has(sealed))
    if (stale.length === 0) break
    for (const some of inParts(stale, AT_ONCE)) {
      const moved = await Promise.all(some.map((value) => reseal(value)))
      resealed += moved.filter((isMoved) => isMoved).length
    }
  }
  return {resealed, problems: [...broken.values()], removable: await dropSeals(write, first)}

  async function reseal(value: SealedValue): Promise<boolean> {
    const problem = problemOf(value, sealer)
    if (problem !== undefined) {
      broken.set(value.sealed, problem)
      return false
    }
    const place = placeOf(value)
    const fresh = sealer.seal(sealer.open(value.sealed, place), place)
    return write((transaction) => replaceSealed(transaction, value, fresh))
  }
}

/** False: it is not what it was. */
export async function replaceSealed(
  db: Pick<Kysely<Schema>, 'getExecutor'>,
  {table, row, sealed}: SealedValue,
  fresh: string,
): Promise<boolean> {
  const {id, column} = columnOf(table)
  const {numAffectedRows} = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${fresh}
    where ${sql.ref(id)} = ${row} and ${sql.ref(column)} = ${sealed}`.execute(db)
  return numAffectedRows === 1n
}

/** The check values of keys that seal nothing any more, so that a start does not ask for them. */
function dropSeals(write: Write, first: string): Promise<string[]> {
  return write(async (transaction) => {
    const values = await readSealedValues(transaction)
    const used = new Set([first, ...values.map(({sealed}) => keyIdOf(sealed))])
    const gone = await transaction
      .deleteFrom('seals')
      .where('key_id', 'not in', [...used])
      .returning('key_id')
      .execute()
    return gone.map(({key_id: id}) => id)
  })
}

function columnOf(table: string): SealedColumn {
  const column = SEALED_COLUMNS.find((known) => known.table === table)
  if (column === undefined) throw new Error(`Nothing is sealed in ${table}`)
  return column
}
