import {createServer, type Server} from 'node:http'
import {getRequestListener} from '@hono/node-server'
import {entrySchema, type Entry} from '../../src/platform/model.ts'
import {createApi} from './api.ts'
import {createConversation} from './conversation.ts'
import {openDatabase} from './database.ts'
import {createEntries, type Entries} from './entries.ts'
import {createKeys} from './keys.ts'
import {createLedger, type LedgerRow} from './ledger.ts'
import {createLive} from './live.ts'
import {createMessages} from './messages.ts'
import {createOrganization} from './organization.ts'
import {startPulse} from './pulse.ts'
import {addMessageRoutes} from './routes/messages.ts'
import {addOrganizationRoutes} from './routes/organization.ts'
import {addStreamRoutes} from './routes/stream.ts'
import {addThreadRoutes} from './routes/threads.ts'
import {createRunRecords} from './run-records.ts'
import {createRuns} from './runs.ts'
import {createThreads, type Threads} from './threads.ts'

export interface PlatformOptions {
  /** 0 chooses a free one. */
  port?: number
  /** The SQLite file; `:memory:` forgets everything with the process. */
  dataFile?: string
  /** Multiplies all delays of the agent: 1 is pleasant to watch, 0.05 suits tests. */
  pace?: number
  /** The interval of heartbeats and of key checks on streams. Section 8. */
  heartbeatMs?: number
  /** Open streams above which a new one answers 429. Section 8. */
  maxStreams?: number
}

/** An agent platform for one laptop: the HTTP API, with a scripted agent behind it. */
export interface Platform extends AsyncDisposable {
  readonly baseUrl: string
  readonly originUrl: string
  readonly keys: {readonly human: string}
  readonly projectIds: string[]
  readonly userIds: string[]
  /** The whole transcript, read past the HTTP edge. */
  transcript(threadId: string): Entry[]
  threads(): {id: string; requestId: string; status: string; archived: boolean}[]
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
  const {organization, keys, entries, threads, ledger, runs} = parts
  const human = keys.humanKey(organization.users()[0]?.id ?? '')
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
    keys: {human},
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
  const {dataFile = ':memory:', pace = 1} = options
  const {heartbeatMs = HEARTBEAT_MS, maxStreams = MAX_STREAMS} = options
  const database = opened.adopt(openDatabase(dataFile), (file) => void file.close())
  const organization = createOrganization(database)
  const keys = createKeys(database)
  const threads = createThreads(database)
  const entries = createEntries(database)
  const messages = createMessages(database)
  const records = createRunRecords(database)
  const live = createLive()
  const runs = opened.use(createRuns({database, threads, entries, messages, records, live, pace}))
  const conversation = createConversation({database, organization, threads, messages, runs, live})
  const isActive = (key: string): boolean => keys.principal(key) !== undefined
  const pulse = opened.use(startPulse({intervalMs: heartbeatMs, isActive}))
  const ledger = createLedger()
  return {organization, keys, threads, entries, live, runs, conversation, pulse, maxStreams, ledger}
}

function createApiOf(parts: ReturnType<typeof openParts>): ReturnType<typeof createApi> {
  const {keys, ledger, organization} = parts
  return createApi({
    keys,
    ledger,
    routes: [
      (add) => addThreadRoutes(add, parts),
      (add) => addMessageRoutes(add, parts),
      (add) => addStreamRoutes(add, parts),
      (add) => addOrganizationRoutes(add, organization),
    ],
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
