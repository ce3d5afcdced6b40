import {hash as hashOnce} from 'node:crypto'
import {type Kysely, sql} from 'kysely'
import type {Schema} from '../database/schema.ts'
import type {Row, Side, Table, Value} from './side.ts'

/** What a page has at most; one row always. Small ones are forgotten while they are young, and memory stays flat. */
const ROWS = 250
const BYTES = 250_000

/** Types whose values may be long. */
const LONG = /^(?:text|blob|bytea|character varying|json)/i

/** All rows of a table, by its primary key. */
export async function* pagesOf(
  side: Side,
  db: Kysely<Schema>,
  {name, columns, key}: Table,
): AsyncGenerator<Row[]> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const all = sql.join([...columns.keys()].map((column) => sql.ref(column)))
  const long = [...columns].filter(([, type]) => LONG.test(type))
  const lengths = long.map(([column]) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  const bytes = sql.join([sql`0`, ...lengths], sql` + `)
  let last: Value[] | undefined
  for (;;) {
    const after = last === undefined ? sql`` : sql`where (${keys}) > (${sql.join(last)})`
    const select = sql`from ${sql.table(name)} ${after} order by ${keys}`
    const rows = await side.attempt(async () => {
      const sizes = sql<{bytes: number}>`select ${bytes} as bytes ${select} limit ${ROWS}`
      const fitting = countFitting((await sizes.execute(db)).rows)
      if (fitting === 0) return []
      return (await sql<Row>`select ${all} ${select} limit ${fitting}`.execute(db)).rows
    })
    const end = rows.at(-1)
    if (end === undefined) return
    last = key.map((column) => end[column] ?? null)
    yield rows
  }
}

function countFitting(sizes: readonly {bytes: number}[]): number {
  let sum = 0
  const over = sizes.findIndex(({bytes}) => (sum += bytes) > BYTES)
  return over < 0 ? sizes.length : Math.max(over, 1)
}

/** What stands in a table. Two tables of the same rows have the same one, in whatever order they are read. */
export interface Digest {
  rows: number
  /** The sum of the hashes of all rows. */
  hash: bigint
}

export const EMPTY: Digest = {rows: 0, hash: 0n}

const HASH_BITS = 256

/** @param names of the columns: the same order for both sides. */
export function addToDigest(
  {rows: count, hash}: Digest,
  rows: readonly Row[],
  names: readonly string[],
): Digest {
  const sum = rows.reduce((total, row) => total + hashOf(row, names), hash)
  return {rows: count + rows.length, hash: BigInt.asUintN(HASH_BITS, sum)}
}

function hashOf(row: Row, names: readonly string[]): bigint {
  const values = names.map((name) => canonical(row[name] ?? null))
  return BigInt(`0x${hashOnce('sha256', JSON.stringify(values))}`)
}

/** In JSON, neither a number is like any text, nor bytes. */
function canonical(value: Value): unknown {
  // SQLite has it as a text.
  if (Number.isNaN(value)) return 'NaN'
  if (typeof value === 'number') return [String(value)]
  if (value instanceof Uint8Array) return {bytes: Buffer.from(value).toString('base64')}
  return value
}
