import type {Hono} from 'hono'
import {systemClock} from '../../async/clock.ts'
import {addMetrics} from '../../http/metrics.ts'
import {type Health, createRoutes, listen} from '../../http/server.ts'
import {single} from '../../metrics/catalogue.ts'
import {ownVersion} from '../../slack/doctor/database.ts'
import type {Core} from '../core.ts'
import type {Services} from '../services.ts'

interface MetricsOptions
  extends
    Pick<Core, 'config' | 'measures' | 'store' | 'pacer' | 'vitals' | 'connections' | 'log'>,
    Pick<Core, 'workspaces'>,
    Pick<Services, 'fleet'> {
  health: readonly Health[]
  /** Those of PORT. */
  routes: Hono
}

/** So long what the database says is told again. */
const LOOK_AGAIN_MS = 2000

/** Tells metrics at the port that is set for them, or at PORT to who brings the token. */
export async function openMetrics(
  options: MetricsOptions,
  opened: AsyncDisposableStack,
): Promise<void> {
  const {config, measures, health, routes, log} = options
  const {scrape} = measures
  if (config.metrics === undefined || scrape === undefined) return
  readProcess(options)
  readStreams(options)
  readPace(options)
  readQueues(options)
  const {host, port, token} = config.metrics
  if (port === undefined) {
    addMetrics(routes, {scrape, token})
    return
  }
  const own = createRoutes(health, log)
  addMetrics(own, {scrape, token})
  const settings = {host: 'METRICS_HOST', port: 'METRICS_PORT'}
  const fetch = (request: Request) => own.fetch(request)
  const server = opened.use(await listen({host, port, settings, slack: undefined, routes: fetch}))
  log.info({host, port: server.port}, 'Metrics are told')
}

function readProcess({measures: {meter}, store, health, workspaces, vitals}: MetricsOptions): void {
  const {memoryUsage, versions} = process
  const build = {version: ownVersion(), node: versions.node, database: store.kind}
  const startedS = (Date.now() - process.uptime() * 1000) / 1000
  meter.read('bosun_build_info', () => [{labels: build, value: 1}])
  meter.read('process_start_time_seconds', () => single(startedS))
  meter.read('process_resident_memory_bytes', () => single(memoryUsage.rss()))
  meter.read('process_cpu_seconds_total', () => {
    const {user, system} = process.cpuUsage()
    return single((user + system) / 1e6)
  })
  meter.read('bosun_health', () =>
    Promise.all(
      health.map(async ({name, check}) => {
        const value = (await check()) === undefined ? 1 : 0
        return {labels: {part: name}, value}
      }),
    ),
  )
  meter.read('bosun_workspaces', () => single([...workspaces.all()].length))
  meter.read('bosun_slack_sockets', () => {
    const ages = vitals.socketAgesMs()
    return ages === undefined ? [] : single(ages.length)
  })
}

function readStreams({measures: {meter}, connections, fleet}: MetricsOptions): void {
  meter.read('bosun_streams', () => {
    const broken = connections.brokenStreams()
    return [
      {labels: {state: 'open'}, value: Math.max(0, connections.openStreams() - broken)},
      {labels: {state: 'broken'}, value: broken},
    ]
  })
  meter.read('bosun_relays', () => single(fleet.count()))
  meter.read('bosun_unseen_text_age_seconds', () => {
    const sinceMs = fleet.unseenSinceMs()
    return single(sinceMs === undefined ? 0 : (systemClock.nowMs() - sinceMs) / 1000)
  })
}

/** Of many workspaces the one that is worst off: by name they would be as many series as there are workspaces. */
function readPace({measures: {meter}, workspaces, pacer}: MetricsOptions): void {
  const byMethod = () =>
    Map.groupBy(
      [...workspaces.all()].flatMap(({identity}) => pacer.left(identity.team)),
      ({method}) => method,
    )
  meter.read('bosun_slack_tokens', () =>
    [...byMethod()].map(([method, left]) => ({
      labels: {method},
      value: Math.min(...left.map(({tokens}) => tokens)),
    })),
  )
  meter.read('bosun_slack_silence_seconds', () =>
    [...byMethod()].map(([method, left]) => ({
      labels: {method},
      value: Math.max(...left.map(({pausedMs}) => pausedMs)) / 1000,
    })),
  )
}

function readQueues({measures: {meter}, store: {queues}}: MetricsOptions): void {
  const look = createSharedLook(() => Promise.all([queues.inbox(), queues.sends(), queues.hooks()]))
  const ageS = (sinceMs: number | undefined): number =>
    sinceMs === undefined ? 0 : Math.max(0, Date.now() - sinceMs) / 1000
  meter.read('bosun_inbox_rows', async () => {
    const [{open, failed}] = await look()
    return Object.entries({open, failed}).map(([state, value]) => ({labels: {state}, value}))
  })
  meter.read('bosun_sends', async () => {
    const [, {byState}] = await look()
    return [...byState].map(([state, value]) => ({labels: {state}, value}))
  })
  meter.read('bosun_hook_deliveries_waiting', async () => {
    const [, , {open}] = await look()
    return single(open)
  })
  meter.read('bosun_queue_oldest_seconds', async () => {
    const [inbox, sends, hooks] = await look()
    return Object.entries({inbox, sends, hooks}).map(([queue, {oldestMs}]) => ({
      labels: {queue},
      value: ageS(oldestMs),
    }))
  })
}

/** What several ask at once is looked up once, and whoever scrapes often costs no more than who does not. */
function createSharedLook<Seen>(look: () => Promise<Seen>): () => Promise<Seen> {
  let last: {untilMs: number; seen: Promise<Seen>} | undefined
  return () => {
    const nowMs = performance.now()
    if (last === undefined || nowMs >= last.untilMs) {
      last = {untilMs: nowMs + LOOK_AGAIN_MS, seen: look()}
    }
    return last.seen
  }
}
