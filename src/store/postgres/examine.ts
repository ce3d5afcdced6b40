import {type Kysely, sql} from 'kysely'
import type {Checkup} from '../database/checkup.ts'
import {StoreError, codeOf} from '../database/errors.ts'
import {readMinVersion} from '../database/migrate.ts'
import {MOVES, type Move, readMoves} from '../database/moves.ts'
import type {Schema} from '../database/schema.ts'
import {type SealedValue, readSealedValues} from '../database/sealed-values.ts'
import type {Seal} from '../database/seals.ts'

/** What a database says of itself before it is used; empty for one that holds nothing yet. */
interface Found {
  migrations: readonly string[]
  /** The oldest version that may work with it. */
  minVersion: number | undefined
  /** How far our clock is ahead of the server's. */
  aheadMs: number
  seals: readonly Seal[]
  sealed: readonly SealedValue[]
  moves: readonly Move[]
}

const LEAST_VERSION = 14

/**
 * Looks at what is there, and changes nothing.
 *
 * @throws {StoreError} `unreadable` when the server is too old, or the database another program's.
 */
export async function examine(db: Kysely<Schema>, where: string): Promise<Found> {
  const unreadable = (what: string): StoreError =>
    new StoreError('unreadable', `The database ${where} ${what}`)
  const {rows} = await sql<{
    version: number
    name: string
    may: boolean
    ours: boolean
    moved: boolean
    others: string | null
    now: string
  }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_database() as name,
      extract(epoch from clock_timestamp()) * 1000 as now,
      has_schema_privilege(current_schema(), 'create') as may,
      to_regclass('kysely_migration') is not null and to_regclass('seals') is not null as ours,
      to_regclass(${MOVES}) is not null as moved,
      (select min(relname::text) from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r'
          and relname <> ${MOVES}) as others`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('PostgreSQL answered without a row')
  const {version, name, may, ours, moved, others} = found
  const aheadMs = Date.now() - Number(found.now)
  if (version < LEAST_VERSION) {
    throw unreadable(`is of PostgreSQL ${version}: Bosun needs ${LEAST_VERSION} or later.`)
  }
  if (!ours && others !== null) {
    throw unreadable(
      `holds tables of another program (${others}). Make one for Bosun alone, for example: create database bosun`,
    )
  }
  if (!ours && !may) {
    throw unreadable(
      `may not be given tables by this role. As its owner: grant create on schema public to it, or make it the owner of ${name}.`,
    )
  }
  const moves = moved ? await readMoves(db) : []
  if (!ours) {
    return {migrations: [], minVersion: undefined, aheadMs, seals: [], sealed: [], moves}
  }
  const migrations = await sql<{name: string}>`select name from kysely_migration`.execute(db)
  return {
    migrations: migrations.rows.map((row) => row.name),
    minVersion: await minVersionOf(db),
    aheadMs,
    seals: await db.selectFrom('seals').selectAll().execute(),
    sealed: await readSealedValues(db),
    moves,
  }
}

/** Databases of before several instances have no such table. */
async function minVersionOf(db: Kysely<Schema>): Promise<number | undefined> {
  const {rows} = await sql<{
    is: boolean
  }>`select to_regclass('schema_compat') is not null as is`.execute(db)
  return rows[0]?.is === true ? readMinVersion(db) : undefined
}

export async function checkUp(db: Kysely<Schema>): Promise<Checkup> {
  const {rows} = await sql<{version: string; bytes: number}>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as bytes`.execute(db)
  const [{version, bytes} = {version: '?', bytes: 0}] = rows
  return {kind: 'server', version, bytes}
}

/**
 * Where it is, without a word of who uses it.
 *
 * @throws {StoreError} `unreadable` when that is no address.
 */
export function nameOf(url: string): string {
  const known = URL.parse(url)
  if (known === null) {
    throw new StoreError(
      'unreadable',
      'The database cannot be used: DATABASE_URL is no address. One is postgres://role:password@host:5432/bosun, with %40 for an @ in the password.',
    )
  }
  const {host, pathname} = known
  return `${decodeURIComponent(pathname.slice(1)) || 'postgres'} at ${host || 'the default socket'}`
}

/** The one line that an operator needs of an error which came while the database was opened. */
export function explain(url: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const message = `The database ${nameOf(url)} cannot be used: ${whyOf(error)}`
  return new StoreError('unreadable', message, error)
}

function whyOf(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  const nobody = `nobody answers there (${why}). See that PostgreSQL runs, and the host and port in DATABASE_URL.`
  if (/timeout|timed out/.test(why) && codeOf(error) === '') return nobody
  if (why.includes('client password must be')) {
    return 'it asks for a password, and DATABASE_URL has none. Put it there (postgres://role:password@host/database), or into PGPASSWORD.'
  }
  switch (codeOf(error)) {
    case '28P01':
    case '28000':
      return `${why}. See the role and the password in DATABASE_URL, or PGPASSWORD.`
    case '3D000':
      return `${why}. Make it (create database), or see the name in DATABASE_URL.`
    case '53100':
      return `${why}. The disk of the server is full: free some space.`
    case '42501':
      return `${why}. Make the role of DATABASE_URL the owner of the database.`
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
      return nobody
    default:
      return `${why}. See that DATABASE_URL names a PostgreSQL, and its log.`
  }
}
