import {EventEmitter} from 'node:events'
import type {Logger} from 'pino'
import {createKnowing} from '../agents/who-may-know.ts'
import {createNoiseOf, createSettings} from '../agents/channel-settings.ts'
import {systemClock} from '../async/clock.ts'
import {createKeyedQueue} from '../async/keyed-queue.ts'
import type {Config} from '../config/config.ts'
import {createClockCheck} from '../inbox/clock-check.ts'
import {createTransport} from '../platform/transport.ts'
import {createPacer} from '../relay/pace/pacer.ts'
import {createObstacles} from '../relay/publish/obstacles.ts'
import {createConnections} from '../relay/streams/connections.ts'
import type {Leaks} from '../security/leaks.ts'
import type {SlackAccess} from '../slack/api/slack-client.ts'
import {createDiscretion} from '../slack/api/discretion.ts'
import {createEndingFetch} from '../slack/api/ending-fetch.ts'
import {createSlackLogger} from '../slack/api/log.ts'
import {slackBudgets} from '../slack/api/budgets.ts'
import type {Store, openStore} from '../store/store.ts'
import {createVitals} from './vitals.ts'
import {createWorkspaces} from './workspaces.ts'

interface CoreOptions {
  config: Config
  log: Logger
  leaks: Leaks
  signal: AbortSignal
  open: typeof openStore
}

export type Core = Awaited<ReturnType<typeof openCore>>

/**
 * The first stage: what everything else stands on, and what does nothing by itself. The store, the ways to Slack and to
 * the platform, their budgets, and the workspaces, of which there are none yet.
 *
 * @throws {StoreError}
 */
export async function openCore(
  {config, log, leaks, signal, open}: CoreOptions,
  opened: AsyncDisposableStack,
) {
  const {slack, platform} = config
  const store: Store = opened.use(
    await open({
      path: config.database.path,
      sealingKeys: config.sealingKeys,
      signal,
      learn: leaks.learn,
      tell: (line) => log.warn(line),
    }),
  )
  const clockCheck = createClockCheck({newestRowMs: store.newestRowMs})
  const transport = opened.use(
    createTransport(platform.baseUrl, {
      onKey: leaks.learn,
      onDate: (date) => clockCheck.heard('platform', date),
    }),
  )
  const slackAccess: SlackAccess = {
    slackApiUrl: slack.apiUrl,
    logger: createSlackLogger(log),
    fetch: createEndingFetch(signal),
    discretion: createDiscretion(leaks),
    onDate: (date) => clockCheck.heard('slack', date),
  }
  const pacer = createPacer({budgets: slackBudgets(slack.rateScale), clock: systemClock})
  const obstacles = createObstacles({pacer, clock: systemClock})
  /** What the platform makes of a key: whoever wants to know listens. */
  const keyNews = new EventEmitter<{
    verdict: [{connectionId: string | undefined}, 'taken' | 'refused']
  }>()
  const connections = createConnections({
    keyOf: ({connectionId}) =>
      connectionId === undefined
        ? platform.standard?.apiKey
        : store.connections.keyOf(connectionId),
    onKey: (of, verdict) => void keyNews.emit('verdict', of, verdict),
    transport,
    log,
  })
  const settingsOf = createSettings(store.bindings, platform.standard)
  const noiseOf = createNoiseOf(store.choices, settingsOf)
  const workspaces = opened.use(createWorkspaces())
  const knowing = createKnowing({
    origins: store.origins,
    settingsOf,
    surroundingsOf: (team) => workspaces.of(team)?.surroundings,
  })
  const vitals = createVitals({config, connections, obstacles, clock: clockCheck})
  /** Interrupts of one link go out one after the other. */
  const inOrder = createKeyedQueue()
  return {
    config,
    log,
    leaks,
    store,
    clockCheck,
    slackAccess,
    pacer,
    obstacles,
    keyNews,
    connections,
    settingsOf,
    noiseOf,
    workspaces,
    knowing,
    vitals,
    inOrder,
  }
}
