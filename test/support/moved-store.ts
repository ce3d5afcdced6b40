import {createHash} from 'node:crypto'
import Database from 'better-sqlite3'
import pg from 'pg'
import type {Sealer} from '../../src/security/seal.ts'
import {SEALED_COLUMNS} from '../../src/store/database/sealed-values.ts'
import {isPostgres} from '../../src/store/is-postgres.ts'
import {types} from '../../src/store/postgres/dialect.ts'

/** Parts of a thousand rows: the tables that are named elsewhere in no order of size have one. */
const PARTS: Readonly<Record<string, number>> = {
  ...{posts: 280, inbox: 200, audit: 180, sends: 90, deliveries: 70, links: 60, pings: 30},
  ...{announcements: 25, sightings: 20, agent_posts: 10, private_threads: 10, matches: 5},
}
const OUT_OF = 1000
const KEPT = `name not like 'sqlite_%' and name not like 'kysely_%' and name not in ('bot_mark', 'moved', 'schema_compat')`

interface Column {
  name: string
  type: string
  notnull: 0 | 1
}

/** Fills every table of a store in which nothing stands. */
export function fillStore(
  path: string,
  {rows, seed, sealer}: {rows: number; seed: string; sealer: Sealer},
): void {
  const database = new Database(path)
  database.pragma('foreign_keys = off')
  database.pragma('synchronous = off')
  const tables = database
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and ${KEPT} and name != 'seals'`,
    )
    .pluck()
    .all()
  const rest = OUT_OF - Object.values(PARTS).reduce((sum, part) => sum + part, 0)
  const others = tables.filter((name) => PARTS[name] === undefined).length
  const countOf = (name: string): number =>
    Math.max(5, Math.floor((rows * (PARTS[name] ?? rest / others)) / OUT_OF))
  const links = countOf('links')
  for (const table of tables) {
    const columns = database
      .prepare<[string], Column>(
        'select name, lower(type) as type, "notnull" or pk > 0 as "notnull" from pragma_table_info(?)',
      )
      .all(table)
    const names = columns.map(({name}) => `"${name}"`).join()
    const insert = database.prepare(
      `insert into "${table}" (${names}) values (${columns.map(() => '?').join()})`,
    )
    const sealed = SEALED_COLUMNS.find((one) => one.table === table)
    const fill = database.transaction(() => {
      for (let index = 0; index < countOf(table); index += 1) {
        const bytes = createHash('sha512').update(`${seed} ${table} ${index}`).digest()
        const value = ({name, type, notnull}: Column, at: number): unknown => {
          if (name === 'link_id') return `links-${index % links}`
          if (name === 'head') return 0
          if (name === sealed?.column) {
            return sealer.seal(SECRETS, {table, row: `${table}-${index}`, purpose: sealed.purpose})
          }
          const draw = bytes[at] ?? 0
          if (notnull === 0 && draw % 3 === 0) return null
          if (name === 'id' && type === 'integer') return index + 1
          if (type === 'blob') return Buffer.concat([bytes, bytes])
          if (type === 'integer' || type === 'real')
            return name.endsWith('_ms') ? 1.7e12 + index + (draw % 4) / 4 : draw
          if (name === 'state') return 'done'
          return LONG.test(name)
            ? `${bytes.toString('base64')} ü€😀 `
            : `${name === 'id' ? table : name}-${index}`
        }
        insert.run(columns.map(value))
      }
    })
    fill()
  }
  database.close()
}

/** What a bot reads in any of the columns that are sealed. */
const SECRETS = JSON.stringify({
  ...{url: 'https://a.example/hook', secret: 'secret', formers: []},
  bodyKey: Buffer.alloc(32, 1).toString('base64'),
})
const LONG = /body|text|words|draft|ask|notes|wish/

/** What stands in all tables of a store: equal digests are equal stores. */
export async function standOf(
  path: string,
): Promise<{rows: number; tables: number; digest: string}> {
  const digests: string[] = []
  let rows = 0
  const count = async (
    table: string,
    all: AsyncIterable<object> | Iterable<object>,
  ): Promise<void> => {
    let sum = 0n
    for await (const row of all) {
      rows += 1
      const cells = Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1))
      const hash = createHash('sha256').update(JSON.stringify(cells)).digest()
      sum += hash.readBigUInt64BE() + (hash.readBigUInt64BE(8) << 64n)
    }
    digests.push(`${table} ${sum}`)
  }
  if (isPostgres(path)) await eachOfServer(path, count)
  else await eachOfFile(path, count)
  const digest = createHash('sha256').update(digests.toSorted().join('\n')).digest('hex')
  return {rows, tables: digests.length, digest}
}

type Count = (table: string, rows: AsyncIterable<object> | Iterable<object>) => Promise<void>

async function eachOfFile(path: string, count: Count): Promise<void> {
  const database = new Database(path)
  const tables = database
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' and ${KEPT}`)
    .pluck()
    .all()
  for (const table of tables) {
    await count(table, database.prepare<[], object>(`select * from "${table}"`).iterate())
  }
  database.close()
}

async function eachOfServer(url: string, count: Count): Promise<void> {
  const client = new pg.Client({connectionString: url, types})
  await client.connect()
  const {rows: tables} = await client.query<{name: string}>(
    `select relname as name from pg_class where relkind = 'r'
      and relnamespace = current_schema()::regnamespace and relname not like 'kysely%' and relname not in ('moved', 'schema_compat')`,
  )
  await client.query('begin')
  for (const {name} of tables) {
    await client.query(`declare all_${name} cursor for select * from "${name}"`)
    const all = async function* (): AsyncGenerator<object> {
      for (;;) {
        const {rows} = await client.query<object>(`fetch 2000 from all_${name}`)
        if (rows.length === 0) return
        yield* rows
      }
    }
    await count(name, all())
  }
  await client.end()
}
