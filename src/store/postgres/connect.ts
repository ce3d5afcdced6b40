import {Socket} from 'node:net'
import {HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression} from 'kysely'
import type {Schema} from '../database/schema.ts'
import {PortableDialect, types} from './dialect.ts'
import {openSessions} from './sessions.ts'

/** One that writes, and those that read meanwhile. */
const CONNECTIONS = 8
export const CONNECT_WITHIN_MS = 5000
/** A process that is stopped in the middle of a transaction must not hold up others for longer. */
const IDLE_IN_TRANSACTION_MS = 3000
/** Who writes tries again then, unless that was taken back meanwhile, and says what it waits for. */
const LOCK_MS = 500

/**
 * Changes that wait for a server hold up nothing but each other. Cut as short as SQLite's, a group of a server that takes its
 * time would be one change, and the commit of each would cost more than the change.
 */
export const GROUP_MS = 100

/**
 * A server that has vanished does not even end its connections, and the system would wait for it for a quarter of an hour.
 * No statement of a bot at work takes so long.
 */
const SILENT_MS = 30_000

/**
 * A session that began while its database was read-only stays so, and so does one with a server that has become a standby: none
 * is used for longer, so that what is mended there is found.
 */
const SESSION_MS = 60_000

interface ConnectOptions {
  /** A connection that is used, and on which nothing is said for so long, is over. 0: what is done may take its time. */
  silentMs?: number
  /** A connection that is older is given up once nobody uses it. */
  sessionMs?: number
  /** Changes every text that is bound. */
  omit?: (text: string) => string
}

/** `failed` hears of connections that the server ends while nobody uses them: unheard, that would end the process. */
export function connect(
  url: string,
  failed: (error: Error) => void,
  {silentMs = SILENT_MS, sessionMs = SESSION_MS, omit = (text) => text}: ConnectOptions = {},
): Kysely<Schema> {
  // What nobody uses is given up sooner: the pool's own patience is ten seconds.
  const stream = (): Socket => {
    const socket = new Socket()
    return socket.setTimeout(silentMs, () => socket.destroy(new Silent(silentMs)))
  }
  const settings = {
    // What somebody has set for the role or the database may be shorter than to wait for a lock, or to migrate.
    statement_timeout: 0,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  }
  const pool = openSessions(
    {
      connectionString: url,
      types,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      maxLifetimeSeconds: sessionMs / 1000,
      application_name: 'bosun',
      keepAlive: true,
      stream,
    },
    settings,
    failed,
  )
  return new Kysely<Schema>({
    dialect: new PortableDialect(pool, omit),
    // SQLite takes `in ()`.
    plugins: [new HandleEmptyInListsPlugin({strategy: replaceWithNoncontingentExpression})],
  })
}

/** As the system itself would say it, much later. */
class Silent extends Error {
  override name = 'Silent' as const
  readonly code = 'ETIMEDOUT'

  constructor(ms: number) {
    super(`The server has said nothing for ${ms} ms`)
  }
}
