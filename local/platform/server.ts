import {createServer, type Server} from 'node:http'
import {getRequestListener} from '@hono/node-server'
import {entrySchema, type Entry} from '../../src/platform/model.ts'
import {createRunRecords} from './agent/run-records.ts'
import {createRuns} from './agent/runs.ts'
import {realClock, type Clock} from './clock.ts'
import {openDatabase} from './database.ts'
import {createApi} from './edge/api.ts'
import {createLedger, type LedgerRow} from './edge/ledger.ts'
import {createRates, type RateLimit} from './edge/rates.ts'
import {createAccess} from './organization/access.ts'
import {createKeys} from './organization/keys.ts'
import {createOrganization} from './organization/organization.ts'
import {createPlan} from './organization/plan.ts'
import {addOrganizationRoutes} from './organization/routes.ts'
import {defaultSeed} from './seed/default-seed.ts'
import {parseSeed, type Seed} from './seed/seed.ts'
import {createLive} from './streams/live.ts'
import {startPulse} from './streams/pulse.ts'
import {addStreamRoutes, type StreamLimit} from './streams/routes.ts'
import {createConversation} from './threads/conversation.ts'
import {createEntries, type Entries} from './threads/entries.ts'
import {addMessageRoutes} from './threads/message-routes.ts'
import {createMessages} from './threads/messages.ts'
import {addThreadRoutes} from './threads/routes.ts'
import {createThreads, type Threads} from './threads/threads.ts'
import {createUsage} from './threads/usage.ts'
import type {Vocabulary} from './threads/vocabulary.ts'
import {createShowThread} from './threads/wire.ts'

export interface PlatformOptions {
  /** 0 chooses a free one. */
  port?: number
  /** The SQLite file; `:memory:` forgets everything with the process. */
  dataFile?: string
  /** What the organization holds at the first start. */
  seed?: Seed
  clock?: Clock
  /** Multiplies all delays of the agent: 1 is pleasant to watch, 0.05 suits tests. */
  pace?: number
  /** The interval of heartbeats and of key checks on streams. Section 8. */
  heartbeatMs?: number
  /** Open streams above which a new one answers 429. Section 8. */
  maxStreams?: number
  /** Requests of each key above which one answers 429; `null`: no limit. Section 8. */
  rateLimit?: RateLimit | null
  /** Which of the two value sets of section 3.1 threads show. */
  vocabulary?: Vocabulary
}

/** An agent platform for one laptop: the HTTP API, with a scripted agent behind it. */
export interface Platform extends AsyncDisposable {
  readonly baseUrl: string
  readonly originUrl: string
  /** By the names that the seed gives them. */
  readonly keys: Readonly<Record<'human' | 'readWrite' | 'readOnly' | 'scoped', string>>
  readonly projectIds: string[]
  readonly userIds: string[]
  /** The whole transcript, read past the HTTP edge. */
  transcript(threadId: string): Entry[]
  threads(): {id: string; requestId: string | null; status: string; archived: boolean}[]
  /** Every request so far: what tests judge by. */
  readonly ledger: readonly LedgerRow[]
  revokeKey(key: string): void
  /** Stops as a restarting server does: open streams end without `done`, runs go on at the next start. */
  close(): Promise<void>
}

/** Starts the platform on 127.0.0.1; fails when the port is taken. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  await using opened = new AsyncDisposableStack()
  const parts = openParts(options, opened)
  const {organization, keys, entries, threads, ledger, runs, seed} = parts
  const ensured = keys.ensure(seed.keys)
  const answer = getRequestListener(createApiOf(parts).fetch)
  const server = createServer((request, response) => void answer(request, response))
  const originUrl = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`
  opened.defer(() => closeServer(server))
  opened.defer(() => parts.pulse.endAll())
  runs.recover()
  const resources = opened.move()
  const close = (): Promise<void> => resources.disposeAsync()
  return {
    baseUrl: `${originUrl}/api/v1`,
    originUrl,
    keys: ensured as Platform['keys'],
    projectIds: organization.projects().map(({id}) => id),
    userIds: organization.users().map(({id}) => id),
    transcript: (threadId) => readTranscript(entries, threadId),
    threads: () => listThreads(threads),
    ledger: ledger.rows,
    revokeKey: (key) => keys.revoke(key),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 10_000

function openParts(options: PlatformOptions, opened: AsyncDisposableStack) {
  const {dataFile = ':memory:', pace = 1, clock = realClock, vocabulary = 'guides'} = options
  const {heartbeatMs = HEARTBEAT_MS, maxStreams = MAX_STREAMS, rateLimit = null} = options
  const seed = options.seed ?? parseSeed(defaultSeed, 'that is built in')
  const database = opened.adopt(openDatabase(dataFile), (file) => void file.close())
  const organization = createOrganization({database, clock, seed})
  const access = createAccess(organization)
  const plan = createPlan(seed)
  const keys = createKeys(database, clock)
  const threads = createThreads({database, clock, vocabulary})
  const entries = createEntries(database, clock)
  const messages = createMessages(database)
  const usage = createUsage(database, clock)
  const records = createRunRecords(database)
  const live = createLive()
  const work = {database, threads, entries, usage, messages, records, live, pace}
  const runs = opened.use(createRuns(work))
  const conversation = createConversation({...work, access, plan, runs})
  const showThread = createShowThread({threads, usage})
  const isActive = (key: string): boolean => keys.principal(key) !== undefined
  const pulse = opened.use(startPulse({clock, intervalMs: heartbeatMs, isActive}))
  const streamLimit: StreamLimit = {max: maxStreams}
  const rates = createRates(clock, rateLimit)
  const ledger = createLedger()
  const shared = {clock, seed, database, organization, access, plan, keys, ledger, rates}
  return {
    ...shared,
    threads,
    entries,
    usage,
    live,
    runs,
    conversation,
    showThread,
    pulse,
    streamLimit,
  }
}

/** Everything that the platform consists of: what the route modules choose from. */
export type Parts = ReturnType<typeof openParts>

function createApiOf(parts: Parts): ReturnType<typeof createApi> {
  return createApi({
    ...parts,
    routes: [
      (add) => addThreadRoutes(add, parts),
      (add) => addMessageRoutes(add, parts),
      (add) => addStreamRoutes(add, parts),
      (add) => addOrganizationRoutes(add, parts),
    ],
    originRoutes: [],
  })
}

async function listen(server: Server, port: number): Promise<number> {
  const {promise, resolve, reject} = Promise.withResolvers<undefined>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', () => resolve(undefined))
  await promise
  server.off('error', reject)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

const CLOSE_GRACE_MS = 50

/** Lets answers that are on their way go out, then cuts what is left. */
async function closeServer(server: Server): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<undefined>()
  server.close(() => resolve(undefined))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await promise
  clearTimeout(cut)
}

function readTranscript(entries: Entries, threadId: string): Entry[] {
  return entries
    .after(threadId, 0, Number.MAX_SAFE_INTEGER)
    .map(({json}) => entrySchema.parse(JSON.parse(json)))
}

function listThreads(threads: Threads): ReturnType<Platform['threads']> {
  return threads
    .all()
    .map(({id, requestId, status, archived}) => ({id, requestId, status, archived: archived === 1}))
}
