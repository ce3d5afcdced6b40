import {openRaw} from '../raw-database.ts'

/** A row as it stands, by its columns. */
type Row = Readonly<Record<string, unknown>>
export type Rows = ReadonlyMap<string, readonly Row[]>

/** All that people, agents and instances have left; not that a bot lives, nor how new the tables are. */
export async function rowsIn(path: string): Promise<Rows> {
  await using database = await openRaw(path)
  const names = (await database.tables()).filter((name) => !KEPT_APART.has(name))
  const rows = new Map<string, readonly Row[]>()
  for (const name of names) {
    const all = await database.all<Row>(`select * from "${name}"`)
    rows.set(
      name,
      all.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1)),
    )
  }
  return rows
}

const KEPT_APART = new Set(['bot_mark', 'schema_compat'])

export async function migrationsOf(path: string): Promise<string[]> {
  await using database = await openRaw(path)
  const rows = await database.all<{name: string}>('select name from kysely_migration order by name')
  return rows.map(({name}) => name)
}

/** What migrations are there to drop or to say elsewhere. */
interface Moved {
  columns: readonly string[]
  isSaidElsewhere(table: string, row: Row, later: Rows): boolean
}

/** The rows of an earlier version that stand in a later one no more, with all that they held; columns may have come. */
export function missingIn(later: Rows, earlier: Rows, moved: Moved): string[] {
  return [...earlier].flatMap(([table, rows]) => {
    const left = [...(later.get(table) ?? [])]
    return rows.flatMap((row) => {
      const columns = Object.keys(row).filter((name) => !moved.columns.includes(`${table}.${name}`))
      const at = left.findIndex((other) =>
        columns.every((name) => textOf(other[name]) === textOf(row[name])),
      )
      if (at >= 0) left.splice(at, 1)
      const isFound = at >= 0 || moved.isSaidElsewhere(table, row, later)
      return isFound ? [] : [`${table}: ${textOf(row)}`]
    })
  })
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** Values that were sealed, besides what tells the keys apart: the id of the key stands in front. */
export function sealedIn(rows: Rows, keyId: string): string[] {
  const others = [...rows].filter(([table]) => table !== 'seals')
  const values = others.flatMap(([, all]) => all).flatMap((row) => Object.values(row))
  return values
    .filter((value) => typeof value === 'string')
    .filter((value) => value.startsWith(`${keyId}:`))
}
