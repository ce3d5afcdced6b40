import type {Transaction} from 'kysely'
import type {Sealer} from '../../security/seal.ts'
import {StoreError} from '../database/errors.ts'
import {migrateIn} from '../database/migrate.ts'
import type {Schema} from '../database/schema.ts'
import {SEALED_COLUMNS, checkSealedValues} from '../database/sealed-values.ts'
import {type Digest, EMPTY, addToDigest, pagesOf} from './pages.ts'
import type {Row, Side, Table, Value} from './side.ts'

/** What is being done to which table, and to how many of its rows that has been done. */
export interface Progress {
  doing: 'copied' | 'compared'
  table: string
  rows: number
}

export interface Copied {
  /** Of each table. */
  rows: ReadonlyMap<string, number>
  /** Texts in which U+0000 has become U+FFFD. */
  replaced: number
}

interface CopyOptions {
  source: Side
  target: Side
  sealer: Sealer
  onProgress: (progress: Progress) => void
  /** What stands in the target goes. */
  isReplaced: boolean
}

type Transactions = Record<'reading' | 'writing', Transaction<Schema>>

/**
 * Makes the target hold what the source holds, and reads it back.
 *
 * @throws {StoreError} when it does not.
 */
export async function copyAll(options: CopyOptions, open: Transactions): Promise<Copied> {
  const {source, target} = options
  const {reading, writing} = open
  await target.attempt(() => makeTables(options, writing))
  const from = await source.attempt(() => source.tables(reading))
  await source.attempt(() => source.hold(reading, from))
  const tables = inOrder(await target.attempt(() => target.tables(writing)))
  const pairs = tables.map((table) => ({table, twin: from.find(({name}) => name === table.name)}))
  if (from.length !== tables.length || !pairs.every(({table, twin}) => isAlike(table, twin))) {
    throw new StoreError(
      'damaged',
      `The tables of ${source.name} are not those of this version of Bosun. Restore a backup.`,
    )
  }
  const digests = new Map<string, Digest>()
  let replaced = 0
  await target.withoutTriggers(writing, tables, async () => {
    for (const {table, twin = table} of pairs) {
      const done = await copyTable(options, open, {table, twin})
      digests.set(table.name, done.digest)
      replaced += done.replaced
    }
  })
  await copyCounters(options, open)
  for (const table of tables) {
    await compare(options, open, {table, digest: digests.get(table.name) ?? EMPTY})
  }
  return {rows: new Map([...digests].map(([name, {rows}]) => [name, rows])), replaced}
}

async function makeTables(
  {target, isReplaced}: CopyOptions,
  writing: Transaction<Schema>,
): Promise<void> {
  if (isReplaced) {
    const old = inOrder(await target.tables(writing)).toReversed()
    await target.withoutTriggers(writing, old, () => target.empty(writing, old))
  }
  await target.prepare(writing)
  await migrateIn(writing)
}

/** Those that others refer to come first. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>()
  const add = (table: Table, trail: readonly Table[]): void => {
    if (trail.includes(table)) return
    for (const name of table.refersTo) {
      const other = tables.find((one) => one.name === name)
      if (other !== undefined) add(other, [...trail, table])
    }
    ordered.add(table)
  }
  for (const table of tables.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    add(table, [])
  }
  return [...ordered]
}

function isAlike(table: Table, twin: Table | undefined): boolean {
  const [mine, theirs] = [namesOf(table), twin === undefined ? [] : namesOf(twin)]
  return table.key.length > 0 && mine.join() === theirs.join()
}

function namesOf({columns}: Table): string[] {
  return [...columns.keys()].toSorted()
}

async function copyTable(
  {source, target, onProgress}: CopyOptions,
  {reading, writing}: Transactions,
  {table, twin}: Record<'table' | 'twin', Table>,
): Promise<{digest: Digest; replaced: number}> {
  const names = namesOf(table)
  let digest = EMPTY
  let replaced = 0
  const fit = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]): [string, Value] => {
        // SQLite would make NULL of it; PostgreSQL takes either for the number.
        if (Number.isNaN(value)) return [name, 'NaN']
        if (typeof value !== 'string') return [name, value]
        const fitting = target.fit(value)
        if (fitting !== value) replaced += 1
        return [name, fitting]
      }),
    )
  for await (const page of pagesOf(source, reading, twin)) {
    const rows = page.map(fit)
    await target.attempt(() => target.insert(writing, table, rows))
    digest = addToDigest(digest, rows, names)
    onProgress({doing: 'copied', table: table.name, rows: digest.rows})
  }
  return {digest, replaced}
}

/** A number that was given is never given again. */
async function copyCounters(
  {source, target}: CopyOptions,
  {reading, writing}: Transactions,
): Promise<void> {
  const counters = await source.attempt(() => source.counters(reading))
  await target.attempt(async () => {
    for (const name of (await target.counters(writing)).keys()) {
      if (!counters.has(name)) await target.setCounter(writing, name, 0)
    }
    for (const [name, last] of counters) await target.setCounter(writing, name, last)
    const now = await target.counters(writing)
    for (const [name, last] of counters) {
      if (now.get(name) !== last) throw differs(target, name)
    }
  })
}

async function compare(
  {target, sealer, onProgress}: CopyOptions,
  {writing}: Transactions,
  {table, digest}: {table: Table; digest: Digest},
): Promise<void> {
  const names = namesOf(table)
  let found = EMPTY
  for await (const page of pagesOf(target, writing, table)) {
    found = addToDigest(found, page, names)
    checkSealedValues(sealedIn(table, page), sealer)
    onProgress({doing: 'compared', table: table.name, rows: found.rows})
  }
  if (found.rows !== digest.rows || found.hash !== digest.hash) throw differs(target, table.name)
}

function sealedIn({name}: Table, rows: readonly Row[]): Parameters<typeof checkSealedValues>[0] {
  return SEALED_COLUMNS.filter(({table}) => table === name).flatMap(({id, column}) =>
    rows.flatMap((row) => {
      const sealed = row[column]
      return typeof sealed === 'string' ? [{table: name, row: String(row[id]), sealed}] : []
    }),
  )
}

function differs(target: Side, table: string): StoreError {
  return new StoreError(
    'damaged',
    `What ${target.name} was given for ${table} is not what it holds. Nothing was moved. See its log and its disk.`,
  )
}
