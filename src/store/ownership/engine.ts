import pg from 'pg'
import {type Db, PgBoss} from 'pg-boss'
import {StoreError, codeOf} from '../database/errors.ts'
import {CONNECT_WITHIN_MS} from '../postgres/connect.ts'
import {explain, nameOf} from '../postgres/examine.ts'
import {ENGINE_SCHEMA, makeQueue} from './queue.ts'

/** Of the engine's tables, as the version that we pin makes them. */
export const ENGINE_VERSION = 46
/** A dead instance counts for three of these at most: by then nobody has what it had. */
const HEARTBEAT_S = 3

/** What all uses of the engine have in common: it schedules nothing and rebuilds nothing. */
const QUIET = {
  schema: ENGINE_SCHEMA,
  migrate: false,
  supervise: false,
  schedule: false,
  registerInstance: false,
  reindex: false,
  monitorVacuum: false,
} as const

/** It has no part in anything: for the jobs alone. */
export function createVisitor(db: Db, failed: (error: unknown) => void): PgBoss {
  return heard(new PgBoss({...QUIET, db}), failed)
}

/** It is counted among the living, and finds those that fell silent. */
export function createMember(db: Db, instance: string, failed: (error: unknown) => void): PgBoss {
  const options = {
    registerInstance: true,
    instanceName: instance,
    instanceHeartbeatSeconds: HEARTBEAT_S,
    supervise: true,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  }
  return heard(new PgBoss({...QUIET, ...options, db}), failed)
}

function heard(boss: PgBoss, failed: (error: unknown) => void): PgBoss {
  boss.on('error', failed)
  return boss
}

/**
 * Makes the engine's tables, or brings them to our version.
 *
 * @throws {StoreError} when this role may not, or another version works with them.
 */
export async function prepareEngine(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'bosun ownership',
  })
  client.on('error', () => undefined) // the statement under way says it too
  try {
    await client.connect()
    const executeSql = async (text: string, values?: unknown[]): Promise<{rows: unknown[]}> => {
      try {
        return await client.query(text, values)
      } catch (error) {
        // Of several that make the tables at once one does; the others go on with the same connection.
        await client.query('rollback')
        throw error
      }
    }
    const db: Db = {executeSql}
    const isThere = await isMade(db, url)
    // The right to make a schema is asked for even where it is there.
    const boss = createPreparer(db, {createSchema: !isThere})
    await refuseOtherVersion(boss, db, url)
    await boss.start()
    await makeQueue(boss)
    await boss.stop({graceful: false})
  } catch (error) {
    throw explainEngine(error, url)
  } finally {
    await client.end()
  }
}

function createPreparer(db: Db, options: {createSchema: boolean}): PgBoss {
  return heard(new PgBoss({...QUIET, ...options, migrate: true, db}), () => undefined)
}

async function isMade(db: Db, url: string): Promise<boolean> {
  const {rows} = await db.executeSql(
    `select to_regnamespace('${ENGINE_SCHEMA}') is not null as "isThere",
      has_database_privilege(current_database(), 'create') as may, current_user as role`,
  )
  const [{isThere, may, role}] = rows as [{isThere: boolean; may: boolean; role: string}]
  if (isThere || may) return isThere
  throw new StoreError(
    'unreadable',
    `The database ${nameOf(url)} may not be given a schema by this role, and Bosun keeps there who works for which workspace. As its owner: create schema ${ENGINE_SCHEMA} authorization "${role}"`,
  )
}

async function refuseOtherVersion(boss: PgBoss, db: Db, url: string): Promise<void> {
  const version = (await boss.isInstalled()) ? await boss.schemaVersion() : null
  if (version === null || version === ENGINE_VERSION) return
  const holds = `The schema ${ENGINE_SCHEMA} of the database ${nameOf(url)} is of version ${version} of its tables, and this Bosun works with ${ENGINE_VERSION}`
  if (version > ENGINE_VERSION) {
    throw new StoreError('newer', `${holds}. Start the newer version of Bosun again.`)
  }
  const {rows} = await db.executeSql(
    `select from ${ENGINE_SCHEMA}.instance
      where stopped_on is null and heartbeat_on >= now() - heartbeat_seconds * 3 * interval '1 second'`,
  )
  if (rows.length === 0) return
  throw new StoreError(
    'in-use',
    `${holds}, while ${rows.length} of the earlier version run. Stop all of them, wait ten seconds, then start the new one.`,
  )
}

function explainEngine(error: unknown, url: string): StoreError {
  if (codeOf(error) !== '42501') return explain(url, error)
  const why = error instanceof Error ? error.message : String(error)
  return new StoreError(
    'unreadable',
    `The database ${nameOf(url)} cannot be used: ${why}. Make the role of DATABASE_URL the owner of the schema ${ENGINE_SCHEMA} and of all that is in it.`,
    error,
  )
}
