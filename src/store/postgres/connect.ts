import {HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression} from 'kysely'
import pg from 'pg'
import type {Schema} from '../database/schema.ts'
import {PortableDialect, types} from './dialect.ts'

/** One that writes, and those that read meanwhile. */
const CONNECTIONS = 8
export const CONNECT_WITHIN_MS = 5000
/** A process that is stopped in the middle of a transaction must not hold up others for longer. */
const IDLE_IN_TRANSACTION_MS = 3000
/** Who writes tries again then, unless that was taken back meanwhile, and says what it waits for. */
const LOCK_MS = 500

/** `failed` hears of connections that the server ends while nobody uses them: unheard, that would end the process. */
export function connect(url: string, failed: (error: Error) => void): Kysely<Schema> {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    application_name: 'bosun',
    keepAlive: true,
  })
  pool.on('error', failed)
  pool.on('connect', (client) => void client.on('error', failed))
  return new Kysely<Schema>({
    dialect: new PortableDialect(pool),
    // SQLite takes `in ()`.
    plugins: [new HandleEmptyInListsPlugin({strategy: replaceWithNoncontingentExpression})],
  })
}
