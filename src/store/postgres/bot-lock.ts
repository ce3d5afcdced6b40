import pg from 'pg'
import {backoffMs, isAborted, pause} from '../../async/pause.ts'
import {StoreError} from '../database/errors.ts'
import {CONNECT_WITHIN_MS} from './connect.ts'
import {nameOf} from './examine.ts'
import {LOCK, type Living, readLiving, toName} from './living.ts'
import {refuseSharedSessions} from './shared-sessions.ts'

/** That bots work with a database, which all of them may at once: a tool that wants it for itself waits for none. */
interface BotLock extends AsyncDisposable {
  /** Aborted, with the reason, once a tool has the database for itself: this bot must not write any more. */
  lost: AbortSignal
  /** The others, as they were when it was taken. */
  others: readonly (Living | undefined)[]
}

const RETRY = {baseMs: 100, maxMs: 1000}
/** A server that vanished, or was replaced by another one, says nothing: so often it is asked. */
const ASK_EVERY_MS = 5000

/**
 * Held by a connection of its own, and taken anew where that ends or falls silent.
 *
 * @throws {StoreError} `in-use` while a tool has the database for itself; `unreadable` by way of a pooler that keeps no
 * sessions.
 */
export async function takeBotLock(
  url: string,
  own: Living,
  askEveryMs = ASK_EVERY_MS,
): Promise<BotLock> {
  const lost = new AbortController()
  const stop = new AbortController()
  await refuseSharedSessions(url)
  let held = await share(url, own, askEveryMs)
  if (held === undefined) throw taken(url)
  const others = await othersOf(held.client)

  const keep = async (): Promise<void> => {
    for (let failures = 0; !isAborted(stop.signal);) {
      if (held !== undefined) await held.ended
      if (isAborted(stop.signal)) return
      try {
        held = await share(url, own, askEveryMs)
        failures = 0
        if (held !== undefined) continue
        lost.abort(taken(url))
        return
      } catch {
        // The server is away: nobody can have the database for itself.
        held = undefined
        failures += 1
        await pause(backoffMs(failures, RETRY), stop.signal)
      }
    }
  }
  const keeping = keep()
  return {
    lost: lost.signal,
    others,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await held?.client.end().catch(() => undefined)
      await keeping
    },
  }
}

async function othersOf(client: pg.Client): Promise<(Living | undefined)[]> {
  try {
    return await readLiving(client)
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * No bot has it, and none gets it until this is disposed.
 *
 * @throws {StoreError} `in-use` while one works with it; `unreadable` by way of a pooler that keeps no sessions.
 */
export async function keepBotsOut(url: string): Promise<AsyncDisposable> {
  await refuseSharedSessions(url)
  const {client} = await connectTo(url, 'bosun tool')
  if (!(await tryLock(client, 'pg_try_advisory_lock'))) throw inUse(url)
  return {[Symbol.asyncDispose]: () => client.end()}
}

/** `undefined`: somebody has it alone. */
async function share(url: string, own: Living, askEveryMs: number) {
  const {client, ended} = await connectTo(url, toName(own), askEveryMs)
  if (!(await tryLock(client, 'pg_try_advisory_lock_shared'))) return undefined
  // With a question that nobody answers, an end waits for nobody.
  const ask = (): void => void client.query('select 1').catch(() => client.end())
  const timer = setInterval(ask, askEveryMs)
  return {client, ended: ended.finally(() => clearInterval(timer))}
}

async function connectTo(url: string, name: string, answerWithinMs = CONNECT_WITHIN_MS) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: answerWithinMs,
    application_name: name,
    keepAlive: true,
  })
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  client.on('error', () => undefined) // the end says it too
  await client.connect()
  return {client, ended}
}

/** Without the lock the connection ends: one whose question nobody answers would have it later, for nobody. */
async function tryLock(
  client: pg.Client,
  how: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
): Promise<boolean> {
  let isTaken = false
  try {
    const {rows} = await client.query<{taken: boolean}>(`select ${how}($1) as taken`, [LOCK])
    isTaken = rows[0]?.taken === true
    return isTaken
  } finally {
    if (!isTaken) await client.end()
  }
}

/** The bots that work with it. Only asks, and holds nothing. */
export async function livingBots(url: string): Promise<(Living | undefined)[]> {
  const {client} = await connectTo(url, 'bosun tool')
  try {
    return await readLiving(client)
  } finally {
    await client.end()
  }
}

export function inUse(url: string): StoreError {
  return new StoreError(
    'in-use',
    `A bot works with the database ${nameOf(url)}. Stop all that do, and try again.`,
  )
}

function taken(url: string): StoreError {
  return new StoreError(
    'in-use',
    `A tool has the database ${nameOf(url)} for itself. When it has ended, see what it said, and start again.`,
  )
}
