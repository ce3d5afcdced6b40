import {readFileSync} from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import {types} from '../../src/store/postgres/dialect.ts'
import {isPostgres} from '../../src/store/is-postgres.ts'

type Value = string | number | null

/** A database as somebody sees it who knows nothing of Bosun's store. `?` stands for each value. */
export interface RawDatabase extends AsyncDisposable {
  /** Several statements, where there are no values. */
  run(statement: string, ...values: Value[]): Promise<void>
  all<Row extends object = Record<string, unknown>>(
    query: string,
    ...values: Value[]
  ): Promise<Row[]>
  /** The tables that are Bosun's own, by name. */
  tables(): Promise<string[]>
}

export async function openRaw(path: string): Promise<RawDatabase> {
  const raw = isPostgres(path) ? await openServer(path) : openFile(path)
  const tables = async (): Promise<string[]> => {
    const rows = await raw.all<{name: string}>(
      isPostgres(path)
        ? 'select tablename as name from pg_tables where schemaname = current_schema()'
        : "select name from sqlite_schema where type = 'table'",
    )
    const names = rows.map(({name}) => name)
    return names.filter((name) => !/^(?:sqlite|kysely)_/.test(name)).toSorted()
  }
  return {...raw, tables}
}

function openFile(path: string): Omit<RawDatabase, 'tables'> {
  const database = new Database(path, {timeout: 5000})
  return {
    run: async (statement, ...values) => {
      if (values.length === 0) database.exec(statement)
      else database.prepare(statement).run(...values)
    },
    all: async <Row>(query: string, ...values: Value[]) =>
      database.prepare<Value[], Row>(query).all(...values),
    [Symbol.asyncDispose]: async () => void database.close(),
  }
}

async function openServer(url: string): Promise<Omit<RawDatabase, 'tables'>> {
  const client = new pg.Client({connectionString: url, types})
  await client.connect()
  const numbered = (statement: string): string => {
    let count = 0
    return statement.replaceAll('?', () => `$${(count += 1)}`)
  }
  return {
    run: async (statement, ...values) => {
      if (values.length === 0) await client.query(statement)
      else await client.query(numbered(statement), values)
    },
    all: async <Row extends object>(query: string, ...values: Value[]) =>
      (await client.query<Row>(numbered(query), values)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** One statement, or several. */
export async function editRaw(path: string, statement: string, ...values: Value[]): Promise<void> {
  await using raw = await openRaw(path)
  await raw.run(statement, ...values)
}

/** Nobody else can write to the table until it is disposed; of SQLite, to any. */
export async function holdWrites(path: string, table: 'inbox' | 'links'): Promise<AsyncDisposable> {
  const raw = await openRaw(path)
  const hold = isPostgres(path) ? `begin; lock table ${table} in exclusive mode` : 'begin immediate'
  await raw.run(hold)
  return {
    [Symbol.asyncDispose]: async () => {
      await raw.run('commit')
      await raw[Symbol.asyncDispose]()
    },
  }
}

/** Everything that stands there: what is unchanged prints the same. */
export async function printOf(path: string): Promise<string> {
  if (!isPostgres(path)) return readFileSync(path, 'latin1')
  await using raw = await openRaw(path)
  const print: unknown[] = await raw.all(
    `select table_name, column_name, data_type from information_schema.columns
      where table_schema = current_schema() order by 1, 2`,
  )
  print.push(
    await raw.all(
      'select proname, prosrc from pg_proc where pronamespace = current_schema()::regnamespace order by 1',
    ),
  )
  for (const table of [...(await raw.tables()), 'kysely_migration']) {
    const [there] = await raw.all(`select to_regclass('${table}') as name`)
    if (there?.['name'] != null) print.push(await raw.all(`select * from ${table}`))
  }
  return JSON.stringify(print)
}
