import {userInfo} from 'node:os'
import pg from 'pg'

/** What names the server that tests make databases in. */
const NAMED = process.env['BOSUN_TEST_POSTGRES']

/** Whether somebody has said where it is: then it has to be there. */
export const IS_NAMED = NAMED !== undefined && NAMED !== ''

/** The server that tests make databases of their own in. */
export const SERVER = IS_NAMED
  ? (NAMED ?? '')
  : `postgres://${encodeURIComponent(userInfo().username)}@127.0.0.1:5432/postgres`

const LEAST_VERSION = 140_000

/** Why it is of no use to tests; `undefined` when it is. */
export async function whyUnusable(): Promise<string | undefined> {
  try {
    const [row] = await onServer(
      `select current_setting('server_version_num')::int as version, rolsuper or rolcreatedb as may
        from pg_roles where rolname = current_user`,
    )
    if (Number(row?.['version']) < LEAST_VERSION) return 'it is older than PostgreSQL 14'
    return row?.['may'] === true ? undefined : 'its role may not make databases'
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}

export async function onServer(
  statement: string,
  url = SERVER,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({connectionString: url, connectionTimeoutMillis: 5000})
  await client.connect()
  try {
    const {rows} = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end()
  }
}

/** The address of a database of the server. */
export function urlOf(name: string): string {
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  return url.href
}
