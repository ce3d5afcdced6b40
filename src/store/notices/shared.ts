import {randomUUID} from 'node:crypto'
import {setImmediate as turn} from 'node:timers/promises'
import {type Transaction, sql} from 'kysely'
import pg from 'pg'
import {z} from 'zod'
import {backoffMs, isAborted, pause} from '../../async/pause.ts'
import type {Schema} from '../database/schema.ts'
import {type Notice, type Notices, noticeSchema} from './notices.ts'

interface SharedNoticesOptions {
  url: string
  /** Hears what an operator should know, a line for each. */
  tell: (line: string) => void
  pace?: typeof PACE
}

const WITHIN_MS = 5000
const RETRY = {baseMs: 200, maxMs: 5000}
/** So often it asks itself whether it still hears, and so long it waits for that. */
const PACE = {askEveryMs: 5000, hearWithinMs: 2000}
/** PostgreSQL takes less than 8,000 bytes. */
const MAX_BYTES = 7900
/** So many are kept for when the server is back: beyond that, everybody looks anyway. */
const MAX_UNTOLD = 1000

const envelopeSchema = z.object({from: z.string(), notice: z.unknown().optional()})

/**
 * By NOTIFY, over one connection of its own. Whether LISTEN works is tried, since a pooler may take it and never deliver:
 * a notice to oneself has to come back.
 */
export function openSharedNotices({url, tell: warn, pace = PACE}: SharedNoticesOptions): Notices {
  const me = randomUUID()
  const heard: ((notice: Notice) => void)[] = []
  const missed: (() => void)[] = []
  const stop = new AbortController()
  const untold = new Set<string>()
  let connected: pg.Client | undefined
  let telling: Promise<void> | undefined
  let isListening = false
  let isWarned = false
  let echoed: () => void = () => undefined

  const hear = (payload: string): void => {
    const envelope = parse(payload)
    if (envelope === undefined) return
    if (envelope.from === me) {
      echoed()
      return
    }
    // A newer version may say more.
    const {data: notice} = noticeSchema.safeParse(envelope.notice)
    if (notice !== undefined) for (const listener of heard) listener(notice)
  }

  const flush = async (): Promise<void> => {
    await turn() // what else is told in this turn goes along
    while (connected !== undefined && untold.size > 0) {
      const some = [...untold]
      untold.clear()
      try {
        await send(connected, some)
      } catch {
        // The connection ends, or has: with the next one.
        for (const one of some) untold.add(one)
        break
      }
    }
    // At once, so that what is told from here on begins anew.
    telling = undefined
  }

  const startFlush = (): void => {
    if (connected === undefined || untold.size === 0) return
    telling ??= flush()
  }

  /** True: what it told itself has come back. */
  const isHeard = async (client: pg.Client, signal: AbortSignal): Promise<boolean> => {
    const back = new AbortController()
    echoed = () => back.abort()
    await send(client, [JSON.stringify({from: me})])
    await pause(pace.hearWithinMs, AbortSignal.any([back.signal, signal]))
    return back.signal.aborted
  }

  const attend = async (client: pg.Client, signal: AbortSignal): Promise<void> => {
    while (!isAborted(signal)) {
      const isBack = await isHeard(client, signal)
      if (isAborted(signal)) return
      // It has heard on this very connection: then the connection is at fault.
      if (!isBack && isListening) return
      if (!isBack && !isWarned) warn(DEAF)
      if (!isBack) isWarned = true
      if (isBack && !isListening) {
        isListening = true
        for (const listener of missed) listener()
      }
      await pause(pace.askEveryMs, signal)
    }
  }

  const serve = async (): Promise<void> => {
    const over = new AbortController()
    const client = createClient(url)
    client.on('error', () => over.abort())
    client.on('end', () => over.abort())
    client.on('notification', ({payload}) => hear(payload ?? ''))
    const signal = AbortSignal.any([over.signal, stop.signal])
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      connected = client
      startFlush()
      await attend(client, signal)
      if (isAborted(stop.signal)) await telling
    } finally {
      connected = undefined
      isListening = false
      // A server that says nothing any more is not waited for.
      await Promise.race([client.end().catch(() => undefined), pause(500, over.signal)])
    }
  }

  const run = async (): Promise<void> => {
    for (let failures = 0; !isAborted(stop.signal); failures += 1) {
      const startedMs = performance.now()
      await serve().catch(() => undefined) // what the server says, the store says too
      if (performance.now() - startedMs > pace.askEveryMs) failures = 0
      await pause(backoffMs(failures, RETRY), stop.signal)
    }
  }
  const running = run()

  return {
    tell: (notice) => {
      const text = JSON.stringify({from: me, notice})
      if (Buffer.byteLength(text) > MAX_BYTES || untold.size >= MAX_UNTOLD) return
      untold.add(text)
      startFlush()
    },
    onHeard: (listener) => void heard.push(listener),
    onMissed: (listener) => {
      missed.push(listener)
      // Whatever was told since then had no listener.
      if (isListening) listener()
    },
    isListening: () => isListening,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await running
    },
  }
}

const CHANNEL = 'bosun'

const DEAF =
  'LISTEN does not work through this address (a pooler in transaction mode?): Bosun looks each second instead. Give an address that reaches PostgreSQL itself, or a pooler in session mode'

function createClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
    application_name: 'bosun notices',
    keepAlive: true,
  })
}

async function send(client: pg.Client, payloads: readonly string[]): Promise<void> {
  await client.query('select pg_notify($1, one) from unnest($2::text[]) as one', [
    CHANNEL,
    payloads,
  ])
}

/** Told once the transaction is committed, and never if it is not. */
export async function tellWithin(transaction: Transaction<Schema>, notice: Notice): Promise<void> {
  const payload = JSON.stringify({from: randomUUID(), notice})
  await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(transaction)
}

function parse(payload: string): z.infer<typeof envelopeSchema> | undefined {
  try {
    return envelopeSchema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
