import {createHolds} from './agent/holds.ts'
import {createMachine} from './agent/machine.ts'
import {createRunRecords} from './agent/run-records.ts'
import {createRuns} from './agent/runs.ts'
import {createScripted} from './agent/scripted.ts'
import {createAutomations} from './automations/automations.ts'
import {createCaptains} from './captains/captains.ts'
import {createEnlistment} from './captains/enlistment.ts'
import {realClock} from './clock.ts'
import {createFaults} from './control/faults.ts'
import {openDatabase} from './database.ts'
import {createLedger} from './edge/ledger.ts'
import {createOpenStreams} from './edge/open-streams.ts'
import {createRates} from './edge/rates.ts'
import {createGithub} from './github/github.ts'
import {createWebhooks} from './github/webhooks.ts'
import {createFolders} from './folders/folders.ts'
import {createPins} from './folders/pins.ts'
import type {PlatformOptions} from './options.ts'
import {createAccess} from './organization/access.ts'
import {createKeys} from './organization/keys.ts'
import {createOrganization} from './organization/organization.ts'
import {createPlan} from './organization/plan.ts'
import {createPullRequests} from './reviews/pull-requests.ts'
import {createReviews} from './reviews/reviews.ts'
import {defaultSeed} from './seed/default-seed.ts'
import {parseSeed} from './seed/seed.ts'
import {createSessions} from './sessions/sessions.ts'
import {createLive} from './streams/live.ts'
import {startPulse} from './streams/pulse.ts'
import {type StreamLimit} from './streams/routes.ts'
import {createFindTask} from './tasks/find-task.ts'
import {createTasks} from './tasks/tasks.ts'
import {createConversation} from './threads/conversation.ts'
import {createEntries} from './threads/entries.ts'
import {createMessages} from './threads/messages.ts'
import {plantPersonalThreads} from './threads/personal-threads.ts'
import {type ThreadRow, createThreads} from './threads/threads.ts'
import {createShowThread} from './threads/wire.ts'
import {createUsageReports} from './usage/report.ts'
import {createUsage} from './usage/usage.ts'

const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 10_000
const LEDGER_ROWS = 100_000

/** What a restart leaves as it is. */
export function openLasting(options: PlatformOptions, opened: AsyncDisposableStack) {
  const {dataFile = ':memory:', clock = realClock, maxStreams = MAX_STREAMS} = options
  const {rateLimit = null, ledgerFile: file, ledgerRows: maxRows = LEDGER_ROWS} = options
  const streamLimit: StreamLimit = {max: maxStreams}
  return {
    clock,
    database: opened.adopt(openDatabase(dataFile), (open) => void open.close()),
    ledger: opened.use(createLedger({maxRows, file})),
    faults: createFaults(),
    holds: createHolds(),
    openStreams: createOpenStreams(),
    rates: createRates(clock, rateLimit),
    streamLimit,
  }
}

export type Lasting = ReturnType<typeof openLasting>

/** What the database holds, each table with its queries; later ones refer to earlier ones. */
function openTables(options: PlatformOptions, {clock, database}: Lasting) {
  const seed = options.seed ?? parseSeed(defaultSeed, 'that is built in')
  const organization = createOrganization({database, clock, seed})
  const keys = createKeys(database, clock)
  const plan = createPlan(seed)
  const threads = createThreads({database, clock, vocabulary: options.vocabulary ?? 'guides'})
  plantPersonalThreads(threads, plan, seed)
  const tasks = createTasks(database, clock)
  return {
    ...{seed, organization, keys, plan, threads, tasks},
    entries: createEntries(database, clock),
    messages: createMessages(database),
    usage: createUsage(database, clock),
    records: createRunRecords(database),
    scripted: createScripted(database),
    pullRequests: createPullRequests(database, seed),
    webhooks: createWebhooks(database),
    captains: createCaptains(database),
    folders: createFolders({database, threads, seed}),
    pins: createPins({database, threads}),
    sessions: createSessions({database, clock, threads, tasks, organizationId: organization.id}),
    usageReports: createUsageReports(database),
  }
}

/** Everything that the running platform consists of: what the route modules choose from. */
export function openParts(
  options: PlatformOptions,
  lasting: Lasting,
  opened: AsyncDisposableStack,
) {
  const {pace = 1, heartbeatMs = HEARTBEAT_MS, bot} = options
  const tables = {...lasting, ...openTables(options, lasting)}
  const {clock, organization, keys, threads, tasks, captains, sessions} = tables
  const access = createAccess(organization)
  const live = createLive()
  const github = opened.use(createGithub({...tables, pace}))
  const openPullRequest = (threadId: string, title: string): string => {
    const project = organization.project(threads.find(threadId)?.projectId ?? '')
    const repo = project?.repos[0]?.repoFullName ?? 'acme/web'
    const {number} = tables.pullRequests.ofThread(threadId, {repo, title})
    github.opened({repo, number, title})
    return `https://github.com/${repo}/pull/${number}`
  }
  const tokenOf = (threadId: string): string | undefined => {
    const thread = threads.find(threadId)
    return thread && sessions.token(thread)?.token
  }
  const machine = createMachine({bot, tokenOf})
  const runs = opened.use(
    createRuns({
      ...{...tables, live, pace, openPullRequest, bot, machine},
      fixPullRequest: github.fixed,
    }),
  )
  runs.onStart((threadId) => sessions.begin(threadId))
  runs.onRest((threadId) => sessions.rest(threadId))
  const work = {...tables, access, live, runs}
  const conversation = createConversation(work)
  const findCaptainThread = (jamId: string): ThreadRow | undefined =>
    captains.find(jamId) && threads.find(jamId)
  const isActive = (key: string): boolean => keys.principal(key) !== undefined
  return {
    ...work,
    github,
    conversation,
    automations: opened.use(createAutomations({...work, conversation, findCaptainThread})),
    reviews: createReviews({...work, conversation}),
    enlistment: createEnlistment(work),
    findTask: createFindTask({tasks, threads}),
    showThread: createShowThread(tables),
    pulse: opened.use(startPulse({clock, intervalMs: heartbeatMs, isActive})),
  }
}

export type Parts = ReturnType<typeof openParts>
