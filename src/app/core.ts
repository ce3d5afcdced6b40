import {EventEmitter} from 'node:events'
import type {Logger} from 'pino'
import {createSessionProof} from '../agents/session-proof.ts'
import {createKnowing} from '../agents/who-may-know.ts'
import {createNoiseOf, createSettings} from '../agents/channel-settings.ts'
import {systemClock} from '../async/clock.ts'
import {createKeyedQueue} from '../async/keyed-queue.ts'
import type {Config} from '../config/config.ts'
import {appOf} from '../config/slack.ts'
import {createRoomChannels} from '../features/rooms/room-channels.ts'
import {createRuledApps} from '../features/rules/ruled-apps.ts'
import {createClockCheck} from '../inbox/clock-check.ts'
import {createTransport} from '../platform/transport.ts'
import {type Pacer, createPacer} from '../relay/pace/pacer.ts'
import type {Scope} from '../relay/pace/lanes.ts'
import {createObstacles} from '../relay/publish/obstacles.ts'
import {createConnections} from '../relay/streams/connections.ts'
import type {Leaks} from '../security/leaks.ts'
import {createReach} from '../slack/api/reach.ts'
import type {SlackAccess} from '../slack/api/slack-client.ts'
import {createDiscretion} from '../slack/api/discretion.ts'
import {createOutlet} from '../slack/api/outlet.ts'
import {createSlackLogger} from '../slack/api/log.ts'
import {slackBudgets} from '../slack/api/budgets.ts'
import type {Store, openStore} from '../store/store.ts'
import {openMeasures} from './vitals/measures.ts'
import {openTraces} from './vitals/traces.ts'
import {createVitals} from './vitals/vitals.ts'
import {createVisibility} from './visibility.ts'
import {isShared} from './handover.ts'
import {createHoldings} from './holdings.ts'
import {createToldSecrets} from './told-secrets.ts'
import {type Install, createWorkspaces} from './workspaces.ts'

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
  const measures = await openMeasures(config.metrics, {opened, log})
  const traces = opened.use(await openTraces(config.traces))
  const store: Store = opened.use(
    await open({
      path: config.database.path,
      sealingKeys: config.sealingKeys,
      app: appOf(slack),
      platform: platform.baseUrl,
      signal,
      learn: leaks.learn,
      omit: leaks.omit,
      onCommit: measures.onCommit,
      tell: (line) => log.warn(line),
    }),
  )
  const clockCheck = createClockCheck({newestRowMs: store.newestRowMs})
  const transport = opened.use(
    createTransport(platform.baseUrl, {
      onDate: (date) => clockCheck.heard('platform', date),
      onAnswer: (request, tookMs, error) => {
        measures.onAnswer(tookMs, error)
        traces.platformCall({...request, tookMs, error})
      },
    }),
  )
  const outlet = opened.use(createOutlet(signal, store.ownership))
  const reach = createReach(() => performance.now())
  const slackAccess: SlackAccess = {
    slackApiUrl: slack.apiUrl,
    logger: createSlackLogger(log),
    fetch: outlet.fetch,
    discretion: createDiscretion(leaks),
    onDate: (date) => clockCheck.heard('slack', date),
    onCall: (call) => {
      reach.heard(call.outcome)
      measures.onCall(call)
      traces.slackCall(call)
    },
  }
  const ownPacer = createPacer({budgets: slackBudgets(slack.rateScale), clock: systemClock})
  const pacer: Pacer = {
    ...ownPacer,
    pause: (scope, forMs) => {
      ownPacer.pause(scope, forMs)
      keepSilence(scope, forMs)
    },
  }
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
    onBreak: measures.onBreak,
    log,
  })
  /** Something waits in the inbox that came from nobody: whoever works on it listens. */
  const rowNews = new EventEmitter<{added: [team: string]}>()
  const settingsOf = createSettings(store.bindings, platform.standard)
  const noiseOf = createNoiseOf(store.choices, settingsOf)
  const workspaces = opened.use(createWorkspaces())
  const holdings = createHoldings({...store, ...connections})
  /** The workspaces that have the app, whoever works for them. */
  const known = new Map<string, Install>()
  /** Whoever works for a workspace next keeps silent, too. */
  const keepSilence = ({team, method}: Scope, forMs: number): void => {
    const holding = holdings.of(team)
    if (method === undefined || holding === undefined || !isShared(holding.claim)) return
    holding.tables.handovers
      .keepSilence(team, {method, forMs})
      .catch((error: unknown) => log.warn({err: error, team}, 'A silence could not be noted'))
  }
  const knowing = createKnowing({
    origins: store.origins,
    settingsOf,
    ...createVisibility({workspaces, known, slackAccess}),
    surroundingsOf: (team) => workspaces.of(team)?.surroundings,
    // By whichever is ahead: what may have begun by now is held back.
    nowMs: () => Math.max(Date.now(), clockCheck.platformMs()),
  })
  const toldSecrets = createToldSecrets({store, leaks})
  const proof = createSessionProof({clientOf: connections.clientOf, learn: toldSecrets.learn})
  const vitals = createVitals({config, connections, obstacles, clock: clockCheck})
  /** Interrupts of one link go out one after the other. */
  const inOrder = createKeyedQueue()
  const ruledApps = createRuledApps(store.rules)
  const isRoom = createRoomChannels(store.rooms)
  return {
    config,
    measures,
    traces,
    isRoom,
    ruledApps,
    log,
    leaks,
    toldSecrets,
    proof,
    store,
    clockCheck,
    slackAccess,
    reach,
    outlet,
    pacer,
    obstacles,
    keyNews,
    rowNews,
    connections,
    settingsOf,
    noiseOf,
    workspaces,
    holdings,
    known,
    knowing,
    vitals,
    inOrder,
  }
}
