import pg from 'pg'

/** What holds for all that is said in a session; times in milliseconds. */
interface SessionSettings {
  lock_timeout?: number
  statement_timeout?: number
  idle_in_transaction_session_timeout?: number
}

/** What is committed stands when the power fails, also where the role or the database asks less of commits; more is theirs to ask. */
const DURABLE =
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"

/**
 * Connections whose settings are the first that is said on each: PgBouncer refuses whoever brings them along
 * (https://www.pgbouncer.org/config.html, `ignore_startup_parameters`). `failed` hears of connections that the server
 * ends while nobody uses them: unheard, that would end the process.
 */
export function openSessions(
  options: pg.PoolConfig,
  settings: SessionSettings,
  failed: (error: Error) => void,
): pg.Pool {
  const own = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`)
  const statements = [...own, DURABLE]
  const pool = new pg.Pool({
    ...options,
    verify: (client, done) => {
      client.query(statements.join(';')).then(() => done(), done)
    },
  })
  pool.on('error', failed)
  pool.on('connect', (client) => void client.on('error', failed))
  return pool
}
