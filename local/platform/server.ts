import {entrySchema, type Entry} from '../../src/platform/model.ts'
import {createRunRecords} from './agent/run-records.ts'
import {createRuns} from './agent/runs.ts'
import {createScripted} from './agent/scripted.ts'
import {createAutomations} from './automations/automations.ts'
import {addAutomationRoutes} from './automations/routes.ts'
import {addWebhookRoutes} from './automations/webhook-routes.ts'
import {createCaptains} from './captains/captains.ts'
import {createEnlistment} from './captains/enlistment.ts'
import {addCaptainRoutes} from './captains/routes.ts'
import {realClock, type Clock} from './clock.ts'
import {openDatabase} from './database.ts'
import {breakRequests} from './control/break.ts'
import {createControl, type Control} from './control/control.ts'
import {createFaults} from './control/faults.ts'
import {switchOn, type Power} from './control/power.ts'
import {createControlApi} from './control/routes.ts'
import {createApi, type Api, type Route} from './edge/api.ts'
import {createLedger, type LedgerRow} from './edge/ledger.ts'
import {openListener} from './edge/listener.ts'
import {createOpenStreams} from './edge/open-streams.ts'
import {createRates, type RateLimit} from './edge/rates.ts'
import {createFolders} from './folders/folders.ts'
import {createPins} from './folders/pins.ts'
import {addFolderRoutes} from './folders/routes.ts'
import {createAccess} from './organization/access.ts'
import {createKeys} from './organization/keys.ts'
import {createOrganization} from './organization/organization.ts'
import {createPlan} from './organization/plan.ts'
import {addOrganizationRoutes} from './organization/routes.ts'
import {createReviews} from './reviews/reviews.ts'
import {addReviewRoutes} from './reviews/routes.ts'
import {defaultSeed} from './seed/default-seed.ts'
import {parseSeed, type Seed} from './seed/seed.ts'
import {addSessionRoutes} from './sessions/routes.ts'
import {createSessions} from './sessions/sessions.ts'
import {createLive} from './streams/live.ts'
import {startPulse} from './streams/pulse.ts'
import {addStreamRoutes, type StreamLimit} from './streams/routes.ts'
import {createFindTask} from './tasks/find-task.ts'
import {addTaskRoutes} from './tasks/routes.ts'
import {createTasks} from './tasks/tasks.ts'
import {createConversation} from './threads/conversation.ts'
import {createEntries, type Entries} from './threads/entries.ts'
import {addMessageRoutes} from './threads/message-routes.ts'
import {createMessages} from './threads/messages.ts'
import {plantPersonalThreads} from './threads/personal-threads.ts'
import {addThreadRoutes} from './threads/routes.ts'
import {createThreads, type Threads} from './threads/threads.ts'
import type {Vocabulary} from './threads/vocabulary.ts'
import {createShowThread} from './threads/wire.ts'
import {createUsageReports} from './usage/report.ts'
import {addUsageRoutes} from './usage/routes.ts'
import {createUsage} from './usage/usage.ts'

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
  /** A file that keeps every row of the ledger. */
  ledgerFile?: string
  /** How many of the newest rows of the ledger stay in memory. */
  ledgerRows?: number
}

/** An agent platform for one laptop: the HTTP API, with a scripted agent behind it. */
export interface Platform extends AsyncDisposable {
  readonly baseUrl: string
  readonly originUrl: string
  /** Where other processes reach what `control` offers. */
  readonly controlUrl: string
  /** By the names that the seed gives them. */
  readonly keys: Readonly<Record<'human' | 'readWrite' | 'readOnly' | 'scoped', string>>
  readonly projectIds: string[]
  readonly userIds: string[]
  /** The whole transcript, read past the HTTP edge. */
  transcript(threadId: string): Entry[]
  /** But the personal ones, which belong to no project. */
  threads(): {id: string; requestId: string | null; status: string; archived: boolean}[]
  /** Every request so far: what tests judge by. */
  readonly ledger: readonly LedgerRow[]
  /** Faults, restarts and what else no client could bring about. */
  readonly control: Control
  /** Every address below `baseUrl`. */
  readonly routes: readonly Route[]
  /** Every address below `originUrl` and outside `baseUrl` that a client may ask. */
  readonly originRoutes: readonly Route[]
  revokeKey(key: string): void
  /** Stops as a restarting server does: open streams end without `done`, runs go on at the next start. */
  close(): Promise<void>
}

/** Starts the platform on 127.0.0.1; fails when the port is taken. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  await using opened = new AsyncDisposableStack()
  const lasting = openLasting(options, opened)
  const parts = (): Running => power.current()
  const restart = (downMs: number): Promise<void> => power.restart(downMs)
  const control = createControl({...lasting, parts, restart})
  let {port = 0} = options
  const power: Power<Running> = opened.use(
    await switchOn(lasting.clock, () => startServer({...options, port}, lasting, control)),
  )
  const {organization, keys, seed, api, ...started} = power.current()
  port = started.port
  const originUrl = `http://127.0.0.1:${port}`
  const resources = opened.move()
  const close = (): Promise<void> => resources.disposeAsync()
  return {
    baseUrl: `${originUrl}/api/v1`,
    originUrl,
    controlUrl: originUrl + CONTROL_PATH,
    keys: keys.ensure(seed.keys) as Platform['keys'],
    projectIds: organization.projects().map(({id}) => id),
    userIds: organization.users().map(({id}) => id),
    transcript: (threadId) => readTranscript(parts().entries, threadId),
    threads: () => listThreads(parts().threads),
    ledger: lasting.ledger.rows,
    control,
    routes: api.routes,
    originRoutes: api.originRoutes,
    revokeKey: (key) => void control.revokeKey(key),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const CONTROL_PATH = '/control'
const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 10_000
const LEDGER_ROWS = 100_000

/** What a restart leaves as it is. */
function openLasting(options: PlatformOptions, opened: AsyncDisposableStack) {
  const {dataFile = ':memory:', clock = realClock, maxStreams = MAX_STREAMS} = options
  const {rateLimit = null, ledgerFile: file, ledgerRows: maxRows = LEDGER_ROWS} = options
  const streamLimit: StreamLimit = {max: maxStreams}
  return {
    clock,
    database: opened.adopt(openDatabase(dataFile), (open) => void open.close()),
    ledger: opened.use(createLedger({maxRows, file})),
    faults: createFaults(),
    openStreams: createOpenStreams(),
    rates: createRates(clock, rateLimit),
    streamLimit,
  }
}

type Lasting = ReturnType<typeof openLasting>
type Running = Parts & {api: Api; port: number} & AsyncDisposable

/** Starts the server as a process would that finds these data. */
async function startServer(
  options: PlatformOptions & {port: number},
  lasting: Lasting,
  control: Control,
): Promise<Running> {
  await using opened = new AsyncDisposableStack()
  const parts = openParts(options, lasting, opened)
  parts.keys.ensure(parts.seed.keys)
  const closing = new AbortController()
  const api = createApiOf(parts, control, closing.signal)
  const {port} = opened.use(await openListener(api.fetch, options.port))
  opened.defer(() => parts.pulse.endAll())
  opened.defer(() => closing.abort())
  parts.runs.recover()
  parts.reviews.recover()
  const resources = opened.move()
  return {...parts, api, port, [Symbol.asyncDispose]: () => resources.disposeAsync()}
}

function openParts(options: PlatformOptions, lasting: Lasting, opened: AsyncDisposableStack) {
  const {pace = 1, vocabulary = 'guides', heartbeatMs = HEARTBEAT_MS} = options
  const {clock, database} = lasting
  const seed = options.seed ?? parseSeed(defaultSeed, 'that is built in')
  const organization = createOrganization({database, clock, seed})
  const access = createAccess(organization)
  const plan = createPlan(seed)
  const keys = createKeys(database, clock)
  const threads = createThreads({database, clock, vocabulary})
  plantPersonalThreads(threads, plan, seed)
  const entries = createEntries(database, clock)
  const messages = createMessages(database)
  const usage = createUsage(database, clock)
  const records = createRunRecords(database)
  const live = createLive()
  const tasks = createTasks(database, clock)
  const scripted = createScripted(database)
  const tables = {database, threads, entries, usage, messages, records, tasks, scripted}
  const work = {...tables, clock, live, pace}
  const runs = opened.use(createRuns(work))
  const sessions = createSessions({database, clock, threads, organizationId: organization.id})
  runs.onStart((threadId) => sessions.begin(threadId))
  runs.onRest((threadId) => sessions.rest(threadId))
  const conversation = createConversation({...work, access, plan, runs, sessions})
  const captains = createCaptains(database)
  const automations = opened.use(
    createAutomations({
      ...{database, clock, access, plan, keys, threads, conversation},
      findCaptainThread: (jamId) => captains.find(jamId) && threads.find(jamId),
    }),
  )
  const reviews = createReviews({...work, clock, seed, access, conversation, runs})
  const showThread = createShowThread({threads, usage, captains})
  const isActive = (key: string): boolean => keys.principal(key) !== undefined
  const pulse = opened.use(startPulse({clock, intervalMs: heartbeatMs, isActive}))
  const shared = {...lasting, seed, organization, access, plan, keys}
  return {
    ...shared,
    threads,
    entries,
    usage,
    live,
    runs,
    conversation,
    tasks,
    findTask: createFindTask({tasks, threads}),
    scripted,
    reviews,
    automations,
    showThread,
    pulse,
    sessions,
    enlistment: createEnlistment({...work, access, plan, runs, captains}),
    folders: createFolders({database, threads, seed}),
    pins: createPins({database, threads}),
    usageReports: createUsageReports(database),
  }
}

/** Everything that the platform consists of: what the route modules choose from. */
type Parts = ReturnType<typeof openParts>

function createApiOf(parts: Parts, control: Control, closing: AbortSignal): Api {
  const watch = createControlApi({
    ...{...parts, control},
    transcript: (threadId) => readTranscript(parts.entries, threadId),
    routes: () => api.routes,
  })
  const api: Api = createApi({
    ...parts,
    control: {path: CONTROL_PATH, app: watch},
    breaking: breakRequests({...parts, closing}),
    routes: [
      (add) => addThreadRoutes(add, parts),
      (add) => addMessageRoutes(add, parts),
      (add) => addTaskRoutes(add, parts),
      (add) => addStreamRoutes(add, parts),
      (add) => addOrganizationRoutes(add, parts),
      (add) => addCaptainRoutes(add, parts),
      (add) => addFolderRoutes(add, parts),
      (add) => addUsageRoutes(add, parts),
      (add) => addSessionRoutes(add, parts),
      (add) => addReviewRoutes(add, parts),
      (add) => addAutomationRoutes(add, parts),
    ],
    originRoutes: [(app) => addWebhookRoutes(app, parts)],
  })
  return api
}

function readTranscript(entries: Entries, threadId: string): Entry[] {
  return entries
    .after(threadId, 0, Number.MAX_SAFE_INTEGER)
    .map(({json}) => entrySchema.parse(JSON.parse(json)))
}

function listThreads(threads: Threads): ReturnType<Platform['threads']> {
  return threads
    .all()
    .filter(({personal}) => personal === 0)
    .map(({id, requestId, status, archived}) => ({id, requestId, status, archived: archived === 1}))
}
