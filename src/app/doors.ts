import {createAgentPosts} from '../features/agent-posts/agent-posts.ts'
import {addAgentPosts} from '../features/agent-posts/endpoint.ts'
import {createRoutes, listen} from '../http/server.ts'
import {createSlackEndpoint} from '../http/slack-endpoint.ts'
import {createIntake} from '../inbox/intake.ts'
import {startRetention} from '../inbox/retention.ts'
import {createWorker} from '../inbox/worker.ts'
import {explainClock} from '../slack/doctor/doctor.ts'
import {createGate, createHttpListener, openSockets} from '../slack/receivers.ts'
import {createFailureHandler, registerListeners} from '../slack/register.ts'
import {createProtect} from '../slack/secrecy.ts'
import {explainObstacles} from '../slack/answers/blocked-places.ts'
import type {Core} from './core.ts'
import {formRules, repeatable} from './features.ts'
import type {Services} from './services.ts'
import type {serveWorkspaces} from './serving.ts'

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
    obstacles,
    connections,
    vitals,
  } = core
  const {delivery, apiUrl} = config.slack
  const {logger} = slackAccess
  const {inbox} = store
  const workspaceOf = core.workspaces.of

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
      handle: dispatch,
      onFailed: createFailureHandler(workspaceOf),
      clock,
      log,
    }),
  )
  opened.use(
    startRetention({
      retention: store.retention,
      inbox,
      days: config.retentionDays,
      clock,
      onForgotten: services.show,
      log,
    }),
  )
  const gate = createGate({
    intake: createIntake({inbox, onAdded: () => worker.wake()}),
    botUserIn: (team) => workspaceOf(team)?.identity.botUserId,
    formRules,
    repeatable,
    startEmoji: config.startEmoji,
    protect: createProtect({leaks, sealer: store.sealer}),
    onOrganization: (of) => installs.welcome(of),
    onComeback: ({codes, ...scope}) => obstacles.retry(scope, codes),
    onMoved: ({team, channel, user}) => workspaceOf(team)?.moved(channel, user),
  })

  const routes = createRoutes([
    {name: 'database', check: () => store.check()},
    {name: 'clock', check: async () => explainClock(await clock.trouble())},
    {
      name: 'slack',
      check: async () =>
        vitals.sockets()?.connected() === 0
          ? 'not connected'
          : (explainObstacles(obstacles.all(), installs.explainRefusal) ?? installs.explain()),
    },
  ])
  addAgentPosts(
    routes,
    createAgentPosts({
      ...store,
      clientOf: connections.clientOf,
      learn: leaks.learn,
      nowMs: Date.now,
      settle: async ({place}, post, signal) =>
        (await workspaceOf(place.team)?.agentPoster.settle(post, signal)) ?? 'late',
    }),
  )
  const http = opened.use(
    await listen({
      ...config.http,
      slack:
        delivery.mode === 'http'
          ? createSlackEndpoint({
              ...delivery,
              events: createHttpListener({...delivery, gate, logger}),
              pages,
            })
          : undefined,
      hooks: services.hooks.endpoint,
      routes: (request) => routes.fetch(request),
    }),
  )
  return {
    worker,
    http,
    letIn: async (signal: AbortSignal): Promise<void> => {
      if (delivery.mode !== 'socket') return
      const {appToken} = delivery
      vitals.haveSockets(opened.use(await openSockets({appToken, apiUrl, gate, logger}, signal)))
    },
  }
}
