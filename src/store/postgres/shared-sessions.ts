import {randomUUID} from 'node:crypto'
import pg from 'pg'
import {StoreError} from '../database/errors.ts'
import {CONNECT_WITHIN_MS} from './connect.ts'
import {nameOf} from './examine.ts'

/**
 * A pooler in transaction mode lets others have the connection of whoever is silent for a moment: what is locked there
 * stays locked for nobody, and whoever listens there hears nothing.
 *
 * @throws {StoreError} `unreadable` by way of one.
 */
export async function refuseSharedSessions(url: string): Promise<void> {
  const mark = randomUUID()
  const one = await open(url)
  try {
    await one.query("select set_config('bosun.session', $1, false)", [mark])
    const other = await open(url)
    try {
      // While this lasts nobody else gets what it has: it may have what the first one had.
      await other.query('begin')
      if ((await markOf(other)) !== mark && (await markOf(one)) === mark) return
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
  throw new StoreError(
    'unreadable',
    `The database ${nameOf(url)} is reached by way of a pooler in transaction mode, which keeps neither locks nor notices. Give DATABASE_URL the server's own address, or a pooler in session mode.`,
  )
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
    application_name: 'bosun session',
  })
  client.on('error', () => undefined) // what is asked next says it too
  await client.connect()
  return client
}

async function markOf(client: pg.Client): Promise<string | null | undefined> {
  const asked = "select current_setting('bosun.session', true) as mark"
  const {rows} = await client.query<{mark: string | null}>(asked)
  return rows[0]?.mark
}
