import type {Db} from 'pg-boss'
import {openSessions} from '../postgres/sessions.ts'

/** One for the engine's own upkeep, one for what is held, one for what is taken. */
const CONNECTIONS = 3
/** A server that says nothing must not hold up the loop: these together stay below the deadline of a claim. */
const CONNECT_WITHIN_MS = 2000
const STATEMENT_MS = 2000
const ANSWER_WITHIN_MS = 2500
/** A process that is stopped in the middle of a transaction must not hold up others for longer. */
const IDLE_IN_TRANSACTION_MS = 3000

/** What the engine asks of a database, and a transaction for those who need one. */
export interface Pool extends Db {
  transact<Result>(act: (transaction: Db) => Promise<Result>): Promise<Result>
  end(): Promise<void>
}

/** `failed` hears of connections that the server ends while nobody uses them: unheard, that would end the process. */
export function createPool(url: string, failed: (error: Error) => void): Pool {
  const settings = {
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  }
  const pool = openSessions(
    {
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      application_name: 'bosun ownership',
      keepAlive: true,
    },
    settings,
    failed,
  )

  const transact = async <Result>(act: (transaction: Db) => Promise<Result>) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await act({executeSql: (text, values) => client.query(text, values)})
      await client.query('commit')
      client.release()
      return result
    } catch (error) {
      // Its end rolls back whatever it was about, also where the way to the server is cut.
      client.release(true)
      throw error
    }
  }
  return {executeSql: (text, values) => pool.query(text, values), transact, end: () => pool.end()}
}
