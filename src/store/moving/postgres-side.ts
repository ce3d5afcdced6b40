import {Socket} from 'node:net'
import {
  CompiledQuery,
  type Driver,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDriver,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely'
import type pg from 'pg'
import {MOVES} from '../database/moves.ts'
import type {Schema} from '../database/schema.ts'
import {waitForTurn} from '../database/waits.ts'
import {inUse} from '../postgres/bot-lock.ts'
import {CONNECT_WITHIN_MS} from '../postgres/connect.ts'
import {PortableDialect, types} from '../postgres/dialect.ts'
import {examine, explain, nameOf} from '../postgres/examine.ts'
import {addFunctions} from '../postgres/functions.ts'
import {LOCK} from '../postgres/living.ts'
import {openSessions} from '../postgres/sessions.ts'
import {refuseSharedSessions} from '../postgres/shared-sessions.ts'
import {type Role, type Side, type Table, type Value, ofArgument} from './side.ts'

/** The server takes a moment to see that somebody was killed. */
const LOCKED_WITHIN_MS = 3000
const LOCK_MS = 5000

/**
 * All is done on one connection, which also holds the lock that keeps bots out: none can start while what is done may still
 * be committed.
 */
export function postgresSide(url: string, role: Role): Side {
  const name = nameOfArgument(url, role)
  const sockets: Socket[] = []
  const settings = {lock_timeout: LOCK_MS}
  const pool = openSessions(
    {
      connectionString: url,
      types,
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      application_name: 'bosun migrate-store',
      keepAlive: true,
      stream: () => {
        const socket = new Socket()
        sockets.push(socket)
        return socket
      },
    },
    settings,
    () => undefined, // whoever asks next hears of it
  )
  const db = new Kysely<Schema>({
    dialect: new PlainDialect(pool),
    plugins: [new HandleEmptyInListsPlugin({strategy: replaceWithNoncontingentExpression})],
  })
  const attempt = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act()
    } catch (error) {
      throw ofArgument(explain(url, error), role)
    }
  }
  const all = (tables: readonly Table[]) => sql.join(tables.map((table) => sql.table(table.name)))

  return {
    name,
    attempt,
    fit: (text) => text.replaceAll('\0', '\u{fffd}'),
    identity: () =>
      attempt(async () => {
        const {rows} = await sql<{id: string}>`
          select pg_postmaster_start_time()::text || oid as id from pg_database
          where datname = current_database()`.execute(db)
        return rows[0]?.id ?? name
      }),
    keepBotsOut: () =>
      attempt(async () => {
        await refuseSharedSessions(url)
        const endMs = performance.now() + LOCKED_WITHIN_MS
        for (let tries = 0; !(await isLocked(db)); tries += 1) {
          if (performance.now() > endMs) throw inUse(url)
          await waitForTurn(tries, 200)
        }
      }),
    examine: () => attempt(() => examine(db, name)),
    open: async () => db,
    undo: () => undefined,
    hold: async (transaction, tables) => {
      await sql`lock table ${all(tables)} in share mode`.execute(transaction)
    },
    tables: readTables,
    prepare: addFunctions,
    empty: async (transaction, tables) => {
      if (tables.length > 0) await sql`truncate ${all(tables)}`.execute(transaction)
    },
    withoutTriggers: async (transaction, tables, act) => {
      const turn = async (how: 'disable' | 'enable'): Promise<void> => {
        for (const table of tables) {
          await sql`alter table ${sql.table(table.name)} ${sql.raw(how)} trigger user`.execute(
            transaction,
          )
        }
      }
      await turn('disable')
      await act()
      await turn('enable')
    },
    // One array for each column: a statement of some thousand values is slow to read.
    insert: async (transaction, table, rows) => {
      const columns = [...table.columns]
      const names = columns.map(([column]) => `"${column}"`).join()
      const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join()
      const statement = `insert into "${table.name}" (${names}) select * from unnest(${arrays})`
      const values = columns.map(([column]): Value[] => rows.map((row) => row[column] ?? null))
      await transaction.executeQuery(CompiledQuery.raw(statement, values))
    },
    counters: readCounters,
    // Unlike setval it goes with the transaction.
    setCounter: async (transaction, table, last) => {
      const column = (await identities(transaction)).get(table)?.column ?? ''
      await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)}
        restart with ${sql.lit(last + 1)}`.execute(transaction)
    },
    settle: async () => {
      await sql`analyze`.execute(db)
    },
    [Symbol.asyncDispose]: async () => {
      await db.destroy()
      // One on which nobody was let in is left open for a minute.
      for (const socket of sockets) socket.destroy()
    },
  }
}

function nameOfArgument(url: string, role: Role): string {
  try {
    return nameOf(url)
  } catch (error) {
    throw ofArgument(explain(url, error), role)
  }
}

/** Whoever repeats a move finds out what became of a commit whose answer was lost. */
class PlainDialect extends PortableDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super(pool)
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new PostgresDriver({pool: this.#pool})
  }
}

async function isLocked(db: Kysely<Schema>): Promise<boolean> {
  const {rows} = await sql<{taken: boolean}>`
    select pg_try_advisory_lock(${LOCK}) as taken`.execute(db)
  return rows[0]?.taken === true
}

async function readTables(db: Kysely<Schema>): Promise<Table[]> {
  const {rows} = await sql<{name: string; columns: Column[]; key: string[]; refers: string[]}>`
    select relname::text as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum)
        from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
      (select json_agg(attname order by array_position(conkey, attnum))
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
        where conrelid = pg_class.oid and contype = 'p') as key,
      (select coalesce(json_agg(confrelid::regclass::text), '[]')
        from pg_constraint where conrelid = pg_class.oid and contype = 'f') as refers
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname not like 'kysely%'
      and relname not in (${MOVES}, 'schema_compat')`.execute(db)
  return rows.map(({name, columns, key, refers}) => ({
    name,
    columns: new Map(columns.map((column) => [column.name, column.type])),
    key,
    refersTo: refers,
  }))
}

interface Column {
  name: string
  type: string
}

async function identities(
  db: Kysely<Schema>,
): Promise<Map<string, {column: string; sequence: string}>> {
  const {rows} = await sql<{table: string; column: string; sequence: string}>`
    select relname::text as "table", attname::text as "column",
      pg_get_serial_sequence(quote_ident(relname), attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and attidentity <> ''`.execute(db)
  return new Map(rows.map(({table, ...rest}) => [table, rest]))
}

async function readCounters(db: Kysely<Schema>): Promise<Map<string, number>> {
  const counters = new Map<string, number>()
  for (const [table, {sequence}] of await identities(db)) {
    const {rows} = await sql<{last: number}>`
      select case when is_called then last_value else last_value - 1 end as last
      from ${sql.raw(sequence)}`.execute(db)
    counters.set(table, rows[0]?.last ?? 0)
  }
  return counters
}
