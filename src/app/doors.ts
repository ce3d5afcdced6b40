import {createAgentPosts, createShowPost} from '../features/agent-posts/agent-posts.ts'
import {createFormPosts} from '../features/agent-posts/form-posts.ts'
import {createLinkUpload} from '../features/agent-posts/link-upload.ts'
import {awaitSettled} from '../features/agent-posts/settled.ts'
import {addAgentPosts} from '../features/agent-posts/endpoint.ts'
import {addFiles} from '../features/files/endpoint.ts'
import {createFetchFile} from '../features/files/files.ts'
import {createMayLeadHere} from '../features/unfurls/may-lead-here.ts'
import {type Health, createRoutes, listen, lookedAtApart} from '../http/server.ts'
import {createSlackEndpoint} from '../http/slack-endpoint.ts'
import {createIntake} from '../inbox/intake.ts'
import {startRetention} from '../inbox/retention.ts'
import {createWorker} from '../inbox/worker.ts'
import {createSlackTime} from '../slack/api/slack-time.ts'
import {explainClock, explainDeliveries} from '../slack/doctor/doctor.ts'
import {createKeptBack} from '../slack/incoming/kept-back.ts'
import {createModelLookup} from '../slack/gate/model-lookup.ts'
import {createLookup} from '../slack/gate/zone-lookup.ts'
import {createGate} from '../slack/receivers/gate.ts'
import {createHttpListener} from '../slack/receivers/http-listener.ts'
import {openSockets} from '../slack/receivers/sockets.ts'
import {createFailureHandler, registerListeners} from '../slack/register.ts'
import {createProtect} from '../slack/secrecy.ts'
import {explainObstacles} from '../slack/answers/blocked-places.ts'
import type {Core} from './core.ts'
import {openMetrics} from './vitals/telling.ts'
import type {Duties} from './duties.ts'
import {formRules, repeatable} from './features.ts'
import type {Services} from './services.ts'
import type {serveWorkspaces} from './serving.ts'

/** Another instance that took a delivery may have died before it could tell. */
const LOOK_EVERY_MS = 5000

type Served = Awaited<ReturnType<typeof serveWorkspaces>>

/**
 * The last stage: what lets people and programs in, and the worker that does what they ask. Nothing has happened yet when
 * it returns: `letIn` opens the way of Socket Mode.
 *
 * @throws {ListenError}
 */
export async function openDoors(
  core: Core,
  services: Services,
  {installs, pages}: Served,
  opened: AsyncDisposableStack,
) {
  const {
    config,
    log,
    leaks,
    store,
    clockCheck: clock,
    slackAccess,
    reach,
    obstacles,
    proof,
    holdings,
    known,
    vitals,
  } = core
  const {delivery, apiUrl} = config.slack
  const {logger} = slackAccess
  const {inbox, notices} = store
  const workspaceOf = core.workspaces.of
  const isOpen = (team: string): boolean => workspaceOf(team) !== undefined

  const dispatch = await registerListeners({
    inbox,
    workspaceOf,
    apiUrl,
    logger,
    onEnding: (ending) => installs.end(ending),
  })
  const worker = opened.use(
    createWorker({
      inbox,
      // What is not open yet would find nobody who can do it. Organizations have nothing to open.
      teams: () => holdings.names().filter((name) => isOpen(name) || !known.has(name)),
      inboxOf: (team) => holdings.of(team)?.tables.inbox,
      atLeastEveryMs: store.ownership.isShared ? LOOK_EVERY_MS : Infinity,
      handle: (handling) => core.traces.handle(handling.row, () => dispatch(handling)),
      onFailed: createFailureHandler(workspaceOf),
      onTaken: core.measures.onTaken,
      onHandled: core.measures.onHandled,
      clock,
      log,
    }),
  )
  const duties: Duties = {
    'duty:retention': () =>
      startRetention({
        retention: store.retention,
        days: config.retentionDays,
        isClosed: (place) => core.knowing.isSurelyClosed(place),
        clock,
        onForgotten: services.show,
        log,
      }),
  }
  const waits = (team: string): void => {
    const holding = holdings.of(team)
    if (holding !== undefined) worker.wake()
    // Also where ours may be over.
    if (holding?.claim.mayCall() !== true) notices.tell({about: 'inbox', team})
  }
  core.rowNews.on('added', waits)
  const keptBack = createKeptBack({log, nowMs: () => performance.now()})
  const gate = createGate({
    intake: createIntake({inbox, onAdded: waits}),
    botUserIn: (team) => known.get(team)?.identity.botUserId,
    formRules,
    repeatable,
    startEmoji: config.startEmoji,
    protect: createProtect({leaks, sealer: store.sealer}),
    lookup: createLookup(createModelLookup({...store, settingsOf: core.settingsOf}), Date.now),
    onOrganization: (of) => installs.welcome(of),
    concerns: (message) => core.ruledApps.concern(message),
    mayLeadHere: createMayLeadHere({...core.store, webUrl: core.config.platform.webUrl}),
    isRoom: core.isRoom,
    knows: (name) => installs.isKnown(name),
    onComeback: ({codes, ...scope}) => {
      obstacles.retry(scope, codes)
      notices.tell({about: 'comeback', ...scope, codes: [...codes]})
    },
    // Told before the row of that message is, so that whoever works for it knows it first.
    onClosed: ({team, channel}) => {
      const workspace = workspaceOf(team)
      if (workspace === undefined) notices.tell({about: 'closed', team, channel})
      else workspace.closed(channel)
    },
    onKeptBack: (team) => keptBack.heard(team),
    onMoved: ({team, channel, user}) => {
      workspaceOf(team)?.moved(channel, user)
      notices.tell({about: 'moved', team, channel, user})
    },
  })

  const askTime = createSlackTime({
    ...{slackApiUrl: apiUrl, fetch: core.outlet.fetch},
    onDate: (date) => {
      reach.heard('ok')
      clock.heard('slack', date)
    },
    onSilence: () => reach.heard('unanswered'),
  })
  const deliveries: Health = {
    name: 'deliveries',
    check: async () => {
      if (clock.aheadOfSlackMs() === undefined) askTime()
      return explainDeliveries(clock.aheadOfSlackMs())
    },
    isForAll: true,
  }
  const parts: Health[] = [
    {name: 'database', check: () => store.check(), isForAll: true},
    {name: 'clock', check: async () => explainClock(await clock.trouble())},
    ...(delivery.mode === 'http' ? [deliveries] : []),
    {
      name: 'slack',
      check: async () => {
        const sockets = vitals.sockets()?.connected() ?? 0
        if (delivery.mode === 'socket' && sockets === 0) return 'not connected'
        if (reach.isDoubtful()) askTime()
        return (
          explainObstacles(obstacles.all(), installs.explainRefusal) ??
          installs.explain() ??
          reach.explain() ??
          keptBack.explain()
        )
      },
    },
  ]
  const health = lookedAtApart(parts, log)
  const routes = createRoutes(health, log)
  const show = createShowPost({
    ...store,
    nowMs: Date.now,
    settle: ({place: {team}}, post, signal) => {
      const workspace = workspaceOf(team)
      if (workspace !== undefined) return workspace.agentPoster.settle(post, signal)
      notices.tell({about: 'announcements', team})
      return awaitSettled(store, post, signal)
    },
  })
  const tokenOf = (team: string) => known.get(team)?.tokenOf
  const upload = createLinkUpload({...slackAccess, pacer: core.pacer, tokenOf})
  const posting = {...store, proof, show, upload, leaks, nowMs: Date.now}
  const {maxBytes} = config.files
  addAgentPosts(routes, {
    accept: createAgentPosts(posting),
    acceptForm: createFormPosts(posting),
    maxBytes,
  })
  addFiles(routes, createFetchFile({...store, proof, tokenOf, apiUrl, maxBytes}), log)
  await openMetrics({...core, ...services, health, routes}, opened)
  const http = opened.use(
    await listen({
      ...config.http,
      slack:
        delivery.mode === 'http'
          ? createSlackEndpoint({
              ...delivery,
              events: createHttpListener({...delivery, gate, logger}),
              pages,
              log,
            })
          : undefined,
      hooks: services.hooks.endpoint,
      routes: (request, bindings) => routes.fetch(request, bindings),
    }),
  )
  return {
    worker,
    duties,
    http,
    letIn: async (signal: AbortSignal): Promise<void> => {
      if (delivery.mode !== 'socket') return
      const {appToken} = delivery
      const {instances} = store.ownership
      const sockets = {appToken, apiUrl, gate, logger, instances}
      vitals.haveSockets(opened.use(await openSockets(sockets, signal)))
    },
  }
}
