import {execFileSync} from 'node:child_process'
import Database from 'better-sqlite3'
import {isPostgres} from '../../../src/store/is-postgres.ts'

/** All of a database as SQL; of a file without the mark of the process that wrote it. */
export function dump(path: string): string {
  return isPostgres(path) ? dumpServer(path) : dumpFile(path)
}

function dumpServer(url: string): string {
  const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments']
  const text = execFileSync('pg_dump', [...options, `--dbname=${url}`], {encoding: 'utf8'})
  const lines = text.split('\n')
  // What only psql understands, remarks, and a schema that every database has.
  return lines.filter((line) => !/^(?:\\|--|CREATE SCHEMA public)/.test(line)).join('\n')
}

function dumpFile(path: string): string {
  const database = new Database(path)
  const all = <Row>(query: string): Row[] => database.prepare<[], Row>(query).all()
  const things = all<{type: string; name: string; sql: string}>(
    "select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'",
  )
  const tables = things.filter(({type}) => type === 'table')
  const filled = tables.map(({name}) => name).filter((name) => name !== 'bot_mark')
  const rows = [...filled, ...counters(tables)].flatMap((name) => {
    const columns = all<{name: string}>(`select name from pragma_table_info('${name}')`)
    const values = columns.map((column) => `quote("${column.name}")`).join(` || ', ' || `)
    const lines = database.prepare<[], string>(`select ${values} from "${name}"`).pluck().all()
    return lines.map((line) => `insert into "${name}" values (${line});`)
  })
  const version = `pragma user_version = ${String(database.pragma('user_version', {simple: true}))};`
  database.close()
  const made = (type: string): string[] =>
    things.filter((thing) => thing.type === type).map(({sql}) => `${sql};`)
  const others = things.filter(({type}) => type !== 'table').map(({sql}) => `${sql};`)
  return [...made('table'), ...rows, ...others, version, ''].join('\n')
}

/** SQLite makes this table itself, with the first that counts. */
function counters(tables: readonly {sql: string}[]): string[] {
  return tables.some(({sql}) => /autoincrement/i.test(sql)) ? ['sqlite_sequence'] : []
}
