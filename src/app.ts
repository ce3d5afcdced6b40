import type {Logger} from 'pino'
import type {Config} from './config.ts'
import {createRoutes} from './http/routes.ts'
import {listen} from './http/server.ts'
import {createIntake} from './inbox/intake.ts'
import {createWorker} from './inbox/worker.ts'
import {type PlatformClient, createPlatformClient} from './platform/client.ts'
import {PlatformUnauthorized} from './platform/errors.ts'
import {followThread} from './platform/stream.ts'
import {type Transport, createTransport} from './platform/transport.ts'
import {systemClock} from './relay/clock.ts'
import {createFleet} from './relay/fleet.ts'
import {createPacer} from './relay/pacer.ts'
import {createPressHandlers} from './slack/buttons.ts'
import {createSlackClient} from './slack/calls.ts'
import {whoami} from './slack/identity.ts'
import {createSlackLogger} from './slack/log.ts'
import {createMessageHandler} from './slack/messages.ts'
import {createNames} from './slack/people.ts'
import {slackBudgets} from './slack/rates.ts'
import {createGate, createHttpListener, openSockets} from './slack/receivers.ts'
import {createFailureHandler, registerListeners} from './slack/register.ts'
import {createReplies} from './slack/replies.ts'
import {createEditWriter, splitRule} from './slack/writer.ts'
import {type Store, openStore} from './store/store.ts'

/** A bot at work. */
export interface Bot extends AsyncDisposable {
  mode: 'Socket Mode' | 'HTTP'
  port: number
}

/**
 * Builds everything and starts it: store, Slack, relays, and last what lets people in. Whatever was
 * opened is closed again in reverse order, also when a later step fails.
 *
 * @throws {StoreError | ListenError | SlackStartError} each with a line for the operator.
 */
export async function startBot(config: Config, log: Logger, signal: AbortSignal): Promise<Bot> {
  await using opened = new AsyncDisposableStack()
  const {slack, platform} = config
  const store = opened.use(
    await openStore({path: config.database.path, sealingKeys: config.sealingKeys}),
  )
  const transport = opened.use(createTransport(platform.baseUrl))
  const client = createSlackClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    logger: createSlackLogger(log),
  })
  const identity = {...(await whoami(client, log, signal)), botToken: slack.botToken}
  const {botUserId} = identity
  const names = createNames(client)
  const replies = createReplies({client, log})
  const connection = openConnection(config, transport, log)

  const fleet = opened.use(
    createFleet({
      ...store,
      ...connection,
      writer: createEditWriter({client, names, webUrl: platform.webUrl, botUserId}),
      pacer: createPacer({budgets: slackBudgets(slack.rateScale), clock: systemClock}),
      splitRule,
      clock: systemClock,
      log,
    }),
  )
  const desk = {
    ...store,
    clientOf: connection.clientOf,
    show: (linkId: string) => fleet.serve(linkId),
    nowMs: Date.now,
  }
  const standardProjectId = platform.standard?.projectId
  const dispatch = await registerListeners({
    identity,
    apiUrl: slack.apiUrl,
    logger: createSlackLogger(log),
    onMessage: createMessageHandler({desk, names, replies, botUserId, standardProjectId}),
    onPress: createPressHandlers({desk, replies}),
  })
  const worker = opened.use(
    createWorker({
      inbox: store.inbox,
      handle: (handling) =>
        dispatch(JSON.parse(handling.row.body) as Record<string, unknown>, handling),
      onFailed: createFailureHandler(replies),
      log,
    }),
  )
  const intake = createIntake({inbox: store.inbox, onAdded: () => worker.wake()})
  const gate = createGate({intake, botUserId})

  await fleet.recover()
  worker.wake()
  const entrance = await openEntrance({config, gate, store, log})
  opened.use(entrance)
  const resources = opened.move()
  return {
    mode: slack.delivery.mode === 'socket' ? 'Socket Mode' : 'HTTP',
    port: entrance.port,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The platform with the default key: the connection of every link so far. */
function openConnection(config: Config, transport: Transport, log: Logger) {
  const clients = new Map<string, PlatformClient>()
  const clientOf = (): PlatformClient => {
    const apiKey = config.platform.standard?.apiKey
    if (apiKey === undefined) {
      throw new PlatformUnauthorized('No platform key is configured: PLATFORM_API_KEY is not set')
    }
    const client = clients.get('') ?? createPlatformClient({transport, apiKey})
    clients.set('', client)
    return client
  }
  return {
    clientOf,
    follow: (
      link: {threadId: string; cursor: string | undefined; id: string},
      signal: AbortSignal,
    ) => {
      const client = clientOf()
      const apiKey = config.platform.standard?.apiKey
      if (apiKey === undefined) throw new PlatformUnauthorized('PLATFORM_API_KEY is not set')
      return followThread({
        transport,
        apiKey,
        client,
        threadId: link.threadId,
        after: link.cursor,
        signal,
        onTrouble: (error, waitMs) =>
          log.info({linkId: link.id, waitMs, why: error.message}, 'A stream broke; resuming'),
      })
    },
  }
}

/** What lets people in, and tells how the bot is. */
async function openEntrance({
  config,
  gate,
  store,
  log,
}: {
  config: Config
  gate: ReturnType<typeof createGate>
  store: Store
  log: Logger
}): Promise<AsyncDisposable & {port: number}> {
  const {delivery, apiUrl} = config.slack
  const logger = createSlackLogger(log)
  await using opened = new AsyncDisposableStack()
  let connected = (): number => 1
  const routes = createRoutes([
    {name: 'database', check: () => store.check().then(noProblem, () => 'does not answer')},
    {name: 'slack', check: async () => (connected() > 0 ? undefined : 'not connected')},
  ])
  const http = opened.use(
    await listen({
      ...config.http,
      slack:
        delivery.mode === 'http'
          ? createHttpListener({signingSecret: delivery.signingSecret, gate, logger})
          : undefined,
      routes: (request) => routes.fetch(request),
    }),
  )
  if (delivery.mode === 'socket') {
    const {appToken} = delivery
    const sockets = opened.use(await openSockets({appToken, apiUrl, gate, logger}))
    connected = () => sockets.connected()
  }
  const resources = opened.move()
  return {port: http.port, [Symbol.asyncDispose]: () => resources.disposeAsync()}
}

function noProblem(): undefined {
  return undefined
}
