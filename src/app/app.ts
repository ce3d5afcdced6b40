import type {Logger} from 'pino'
import type {Config} from '../config/config.ts'
import {addAgentPosts} from '../features/agent-posts/door.ts'
import {createHooks} from '../features/hooks/passing-on.ts'
import {createRoutes} from '../http/routes.ts'
import {ListenError, listen} from '../http/server.ts'
import {createSlackDoor} from '../http/slack-door.ts'
import {createAgentPosts} from '../features/agent-posts/agent-posts.ts'
import {createKnowing} from '../agents/knowing.ts'
import {createLateStops} from '../agents/late-stops.ts'
import {createSettings} from '../agents/settings.ts'
import {stopLate} from '../agents/stopping.ts'
import {createClockCheck} from '../inbox/clock-check.ts'
import {createIntake} from '../inbox/intake.ts'
import {createKeys} from '../agents/keys.ts'
import {createReminders} from '../inbox/reminders.ts'
import {startRetention} from '../inbox/retention.ts'
import {createKeyedQueue} from '../async/keyed-queue.ts'
import {startWaker} from '../features/watch/waker.ts'
import {createWatcher} from '../features/watch/watcher.ts'
import {createWorker} from '../inbox/worker.ts'
import {createTransport} from '../platform/transport.ts'
import {systemClock} from '../async/clock.ts'
import {createFleet} from '../relay/fleet.ts'
import {createPacer} from '../relay/pace/pacer.ts'
import {createObstacles} from '../relay/publish/obstacles.ts'
import {createWays} from '../relay/publish/ways.ts'
import {createConnections} from '../relay/streams/connections.ts'
import {factsOf} from '../security/error-facts.ts'
import type {Leaks} from '../security/leaks.ts'
import {formChecks, formPauses} from './form-checks.ts'
import {createDiscretion} from '../slack/api/discretion.ts'
import {createEndingFetch} from '../slack/api/ending-fetch.ts'
import {createSlackLogger} from '../slack/api/log.ts'
import {slackBudgets} from '../slack/api/rates.ts'
import {SlackStartError} from '../slack/api/start-error.ts'
import {openEntrance} from '../slack/installs/entrance.ts'
import type {Serving} from '../slack/installs/installs.ts'
import {splitRule} from '../slack/posts/writer.ts'
import {type Sockets, createGate, createHttpListener, openSockets} from '../slack/receivers.ts'
import {createFailureHandler, registerListeners} from '../slack/register.ts'
import {createProtect} from '../slack/secrecy.ts'
import {explainClock} from '../slack/doctor/clock.ts'
import {explainObstacles} from '../slack/tell/obstacles.ts'
import {createWorkspace} from './workspace.ts'
import {createWorkspaces} from './workspaces.ts'
import {StoreError} from '../store/database/errors.ts'
import type {Link} from '../store/link.ts'
import {openStore} from '../store/store.ts'

/** A bot at work. */
interface Bot extends AsyncDisposable {
  mode: 'Socket Mode' | 'HTTP'
  port: number
  /** Aborted, with the reason, when another bot has taken over: the process must end as it is, without a last word. */
  lost: AbortSignal
}

/**
 * Builds everything and starts it: store, Slack, relays, and last what lets people in. Whatever was
 * opened is closed again in reverse order, also when a later step fails.
 *
 * @throws {StoreError | ListenError | SlackStartError} each with a line for the operator.
 */
export async function startBot(
  config: Config,
  {log, leaks}: {log: Logger; leaks: Leaks},
  signal: AbortSignal,
  open: typeof openStore = openStore,
): Promise<Bot> {
  await using opened = new AsyncDisposableStack()
  const {slack, platform} = config
  const store = opened.use(
    await open({
      ...{path: config.database.path, sealingKeys: config.sealingKeys, signal},
      learn: leaks.learn,
      tell: (line) => log.warn(line),
    }),
  )
  const logger = createSlackLogger(log)
  const clock = createClockCheck({newestRowMs: store.newestRowMs})
  const transport = opened.use(
    createTransport(platform.baseUrl, {
      onKey: leaks.learn,
      onDate: (date) => clock.heard('platform', date),
    }),
  )
  const access = {
    ...{slackApiUrl: slack.apiUrl, logger, fetch: createEndingFetch(signal)},
    discretion: createDiscretion(leaks),
    onDate: (date: string | null) => clock.heard('slack', date),
  }
  for (const line of config.warnings) log.warn(line)

  const pacer = createPacer({budgets: slackBudgets(slack.rateScale), clock: systemClock})
  const obstacles = createObstacles({pacer, clock: systemClock})
  const connections = createConnections({
    keyOf: ({connectionId}) =>
      connectionId === undefined
        ? platform.standard?.apiKey
        : store.connections.keyOf(connectionId),
    onKey: (of, verdict) => keys.heard(of, verdict),
    ...{transport, log},
  })
  const {clientOf, clientWith} = connections
  const settingsOf = createSettings(store.bindings, platform.standard)
  const workspaces = opened.use(createWorkspaces())
  const {of: workspaceOf} = workspaces
  const workspaceAt = ({place}: Link) => workspaceOf(place.team)
  const knowing = createKnowing({
    ...{origins: store.origins, settingsOf},
    surroundingsOf: (team) => workspaceOf(team)?.surroundings,
  })

  const show = (linkId: string) => fleet.serve(linkId)
  const inTurn = createKeyedQueue()
  const lateStops = opened.use(
    createLateStops({
      stop: (linkId, signal) => stopLate({...store, clientOf, show, inTurn}, linkId, signal),
      log,
    }),
  )
  const fleet = opened.use(
    createFleet({
      ...{...store, ...connections, pacer, obstacles, splitRule, clock: systemClock, log},
      writerOf: (team) => workspaceOf(team)?.writer,
      ways: createWays({choice: slack.writer, clock: systemClock}),
      tellBlocked: (link, obstacle) => workspaceAt(link)?.tellBlocked(link, obstacle),
      isPrivate: (place) => knowing.isPrivate(place),
      isMisplaced: ({place}, thread) => knowing.isMisplaced(place, thread),
      tellArrived: (link, send) => workspaceAt(link)?.tellArrived(link, send),
      onLate: ({id}) => lateStops.look(id),
      onCalled: (link, ping) => workspaceAt(link)?.tellCalled(link, ping),
      onNews: (link) => workspaceAt(link)?.onNews(link),
      noiseOf: async ({place}) => (await settingsOf(place.team, place.channel)).values.noise,
    }),
  )
  const reminders = opened.use(
    createReminders({
      ...{pings: store.pings, show, log},
      zoneOf: async ({linkId, person}) => {
        const link = await store.links.byId(linkId)
        return (link && (await workspaceAt(link)?.zoneOf(person))) ?? 'UTC'
      },
    }),
  )
  const announce = (): void => {
    for (const {announcer, agentPoster} of workspaces.all()) {
      announcer.wake()
      agentPoster.wake()
    }
  }
  const keys = opened.use(
    createKeys({
      ...{...store, show, log},
      onNews: () => {
        announce()
        watcher.look()
      },
    }),
  )
  const everyMs = config.watchSeconds * 1000
  const watcher = opened.use(
    createWatcher({...store, knowing, clientOf, everyMs, onNews: announce, log}),
  )
  opened.use(startWaker({...store, clientOf, show, everyMs, log}))
  const hooks = opened.use(
    createHooks({
      ...{store, settingsOf, perMinute: config.hooksPerMinute, clock, log},
      onReceipt: (team) => workspaceOf(team)?.announcer.wake(),
    }),
  )
  let sockets: Sockets | undefined
  const shared = {
    leaks,
    ...{store, knowing, clientOf, clientWith, keys, pacer, show, inTurn, settingsOf, log},
    ...access,
    hasStandard: platform.standard === undefined ? ('no' as const) : ('yes' as const),
    webUrl: platform.webUrl,
    admins: config.admins,
    rateScale: slack.rateScale,
    vitals: {
      socketAgesMs: () => (slack.delivery.mode === 'http' ? undefined : (sockets?.agesMs() ?? [])),
      streams: () => connections.openStreams(),
      obstacles: () => obstacles.all(),
      explainRefusal: (team: string, code: string) => installs.explainRefusal(team, code),
      keyIds: config.sealingKeys.map(({id}) => id),
      hasStandardKey: platform.standard !== undefined,
      clockTrouble: clock.trouble,
    },
    onSnoozed: () => reminders.wake(),
    onWatched: () => watcher.look(),
    platformOrigin: new URL(platform.baseUrl).origin,
    publicUrl: config.http.publicUrl,
    onDelivery: () => hooks.wake(),
  }
  let isServing = false
  const serving: Serving = {
    ...{...access, log},
    open: async (identity, tokenOf) => {
      await fleet.leave(identity.team)
      await workspaces.add(createWorkspace({identity, tokenOf}, shared))
      if (!isServing) return
      fleet.recover()
      announce()
    },
    close: async (team) => {
      await workspaces.remove(team)
      await fleet.leave(team)
      await store.connections.forgetKeys(team)
      await store.departures.leave(team)
      obstacles.retry({team})
    },
    onRefused: (team, code) => obstacles.meet({scope: {team}, code}),
    onRenewed: (team) => obstacles.retry({team}),
  }
  const {installs, pages} = await openEntrance(
    {
      ...{serving, store: store.installs, botToken: slack.botToken},
      ...{credentials: slack.installs, publicUrl: config.http.publicUrl},
    },
    signal,
  )
  opened.use(installs)
  await installs.recover()

  const dispatch = await registerListeners({
    ...{inbox: store.inbox, workspaceOf, apiUrl: slack.apiUrl, logger},
    onEnding: (ending) => installs.end(ending),
  })
  const worker = opened.use(
    createWorker({
      inbox: store.inbox,
      handle: dispatch,
      onFailed: createFailureHandler(workspaceOf),
      ...{clock, log},
    }),
  )
  opened.use(
    startRetention({
      ...{retention: store.retention, inbox: store.inbox, days: config.retentionDays},
      ...{clock, onForgotten: show, log},
    }),
  )
  const intake = createIntake({inbox: store.inbox, onAdded: () => worker.wake()})
  const gate = createGate({
    intake,
    botUserIn: (team) => workspaceOf(team)?.identity.botUserId,
    ...{formChecks, formPauses},
    protect: createProtect({leaks, sealer: store.sealer}),
    onOrganization: (of) => installs.welcome(of),
    onComeback: ({codes, ...scope}) => obstacles.retry(scope, codes),
    onMoved: ({team, channel, user}) => workspaceOf(team)?.moved(channel, user),
  })

  const {delivery, apiUrl} = slack
  const routes = createRoutes([
    {name: 'database', check: () => store.check()},
    {name: 'clock', check: async () => explainClock(await clock.trouble())},
    {
      name: 'slack',
      check: async () =>
        sockets?.connected() === 0
          ? 'not connected'
          : (explainObstacles(obstacles.all(), installs.explainRefusal) ?? installs.explain()),
    },
  ])
  addAgentPosts(
    routes,
    createAgentPosts({
      ...{...store, clientOf, learn: leaks.learn, nowMs: Date.now},
      settle: async ({place}, post, signal) =>
        (await workspaceOf(place.team)?.agentPoster.settle(post, signal)) ?? 'later',
    }),
  )
  const http = opened.use(
    await listen({
      ...config.http,
      slack:
        delivery.mode === 'http'
          ? createSlackDoor({
              ...delivery,
              events: createHttpListener({...delivery, gate, logger}),
              pages,
            })
          : undefined,
      hooks: hooks.door,
      routes: (request) => routes.fetch(request),
    }),
  )
  // Only with the port in hand is anything written to Slack: a start that fails has done nothing.
  isServing = true
  fleet.recover()
  worker.wake()
  reminders.wake()
  announce()
  watcher.look()
  hooks.wake()
  if (delivery.mode === 'socket') {
    const {appToken} = delivery
    sockets = opened.use(await openSockets({appToken, apiUrl, gate, logger}, signal))
  }
  installs.probe(signal).catch((error: unknown) => log.error({err: error}, 'A probe failed'))
  store.settle()
  const resources = opened.move()
  return {
    mode: delivery.mode === 'socket' ? 'Socket Mode' : 'HTTP',
    port: http.port,
    lost: store.lost,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** What an operator has to know of a failed start: a line for known troubles, and where it was for a bug. */
export function explainFailure(error: unknown): string {
  const isKnown =
    error instanceof StoreError || error instanceof ListenError || error instanceof SlackStartError
  if (isKnown) return error.message
  return `that is a bug. ${JSON.stringify(factsOf(error))}`
}
