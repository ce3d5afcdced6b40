import pg from 'pg'
import {StoreError} from '../database/errors.ts'
import {CONNECT_WITHIN_MS} from './connect.ts'
import {nameOf} from './examine.ts'

/** That one bot alone works with a database. It goes with its connection. */
export interface BotLock extends AsyncDisposable {
  /** Aborted, with the reason, once the connection is lost: another bot may have the database. */
  lost: AbortSignal
}

/** "bosun", as a number that no other program is likely to lock. */
export const LOCK = 0x626f73756e

/** @throws {StoreError} `in-use` while another bot has it. */
export async function takeBotLock(url: string): Promise<BotLock> {
  const lost = new AbortController()
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'bosun lock',
    keepAlive: true,
  })
  let isOver = false
  client.on('error', () => undefined) // the end says it too
  client.on('end', () => {
    if (!isOver) lost.abort(lostLock(url))
  })
  await client.connect()
  const {rows} = await client.query<{taken: boolean}>('select pg_try_advisory_lock($1) as taken', [
    LOCK,
  ])
  const end = async (): Promise<void> => {
    isOver = true
    await client.end()
  }
  if (rows[0]?.taken !== true) {
    await end()
    throw inUse(url)
  }
  return {lost: lost.signal, [Symbol.asyncDispose]: end}
}

/** Whether a bot works with it. Only asks, and holds nothing. */
export async function isBotLocked(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'bosun tool',
  })
  await client.connect()
  try {
    const {rows} = await client.query<{held: boolean}>(
      `select exists (select from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) + objid::bigint = $1) as held`,
      [LOCK],
    )
    return rows[0]?.held === true
  } finally {
    await client.end()
  }
}

export function inUse(url: string): StoreError {
  return new StoreError(
    'in-use',
    `Another bot works with the database ${nameOf(url)}. See which of them is to run, and start that one alone.`,
  )
}

function lostLock(url: string): StoreError {
  return new StoreError(
    'in-use',
    `The connection that keeps the database ${nameOf(url)} for this bot has ended. Another bot may have taken over: this one has stopped and writes nothing more. Start it again.`,
  )
}
