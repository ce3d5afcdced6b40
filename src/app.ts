import type {Logger} from 'pino'
import type {Config} from './config.ts'
import {createRoutes} from './http/routes.ts'
import {ListenError, listen} from './http/server.ts'
import {createAttribution} from './inbox/attribution.ts'
import {createIntake} from './inbox/intake.ts'
import {createReminders} from './inbox/reminders.ts'
import {createWatcher} from './inbox/watcher.ts'
import {createWorker} from './inbox/worker.ts'
import {createTransport} from './platform/transport.ts'
import {systemClock} from './relay/clock.ts'
import {createConnection} from './relay/connection.ts'
import {createFleet} from './relay/fleet.ts'
import {createObstacles} from './relay/obstacles.ts'
import {createPacer} from './relay/pacer.ts'
import {createWays} from './relay/ways.ts'
import {createActTable} from './slack/acts/table.ts'
import {createAnnouncer} from './slack/announcer.ts'
import {createAnswers} from './slack/answers.ts'
import {createCalledTeller} from './slack/called.ts'
import {createSlackClient} from './slack/calls.ts'
import {createEmails} from './slack/emails.ts'
import {createEndingFetch} from './slack/ending-fetch.ts'
import {createForms} from './slack/forms.ts'
import {createHome} from './slack/home.ts'
import {whoami} from './slack/identity.ts'
import {createSlackLogger} from './slack/log.ts'
import {createNames} from './slack/people.ts'
import {createPermalinks} from './slack/permalinks.ts'
import {slackBudgets} from './slack/rates.ts'
import {type Sockets, createGate, createHttpListener, openSockets} from './slack/receivers.ts'
import {createFailureHandler, registerListeners} from './slack/register.ts'
import {createBlockedTeller, explainObstacles} from './slack/blocked.ts'
import {createReplies} from './slack/replies.ts'
import {createSessions} from './slack/sessions.ts'
import {SlackStartError} from './slack/start-error.ts'
import {createTimeZones} from './slack/time-zones.ts'
import {createWriter, splitRule} from './slack/writer.ts'
import {StoreError} from './store/errors.ts'
import {openStore} from './store/store.ts'

/** A bot at work. */
interface Bot extends AsyncDisposable {
  mode: 'Socket Mode' | 'HTTP'
  port: number
}

/**
 * Builds everything and starts it: store, Slack, relays, and last what lets people in. Whatever was
 * opened is closed again in reverse order, also when a later step fails.
 *
 * @throws {StoreError | ListenError | SlackStartError} each with a line for the operator.
 */
export async function startBot(
  config: Config,
  log: Logger,
  signal: AbortSignal,
  open: typeof openStore = openStore,
): Promise<Bot> {
  await using opened = new AsyncDisposableStack()
  const {slack, platform} = config
  const store = opened.use(
    await open({path: config.database.path, sealingKeys: config.sealingKeys, signal}),
  )
  const transport = opened.use(createTransport(platform.baseUrl))
  const logger = createSlackLogger(log)
  const client = createSlackClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    logger,
    fetch: createEndingFetch(signal),
  })
  const identity = {...(await whoami(client, log, signal)), botToken: slack.botToken}
  const {botUserId} = identity
  const names = createNames(client)
  const pacer = createPacer({budgets: slackBudgets(slack.rateScale), clock: systemClock})
  const obstacles = createObstacles({pacer, clock: systemClock})
  const replies = opened.use(
    createReplies({client, apiUrl: slack.apiUrl, pacer, team: identity.team, log}),
  )
  const connection = createConnection({apiKey: platform.standard?.apiKey, transport, log})
  const {team} = identity
  const sessions = opened.use(createSessions({client, pacer, team, clock: systemClock, log}))
  const forms = createForms({client, pacer, team, log})
  const zoneOf = createTimeZones(client)
  const permalinks = createPermalinks({client, pacer, team})
  const {webUrl} = platform
  const home = opened.use(createHome({store, forms, permalinks, zoneOf, team, webUrl, log}))
  const tellCalled = createCalledTeller({choices: store.choices, permalinks, replies})

  const fleet = opened.use(
    createFleet({
      ...store,
      ...connection,
      writer: createWriter({
        ...{client, names, webUrl, botUserId},
        sessionAt: (place) => sessions.at(place),
      }),
      ways: createWays({choice: slack.writer, clock: systemClock}),
      pacer,
      obstacles,
      tellBlocked: createBlockedTeller(replies),
      tellArrived: ({place}, {messageTs}) => replies.admitted(place.channel, messageTs),
      onCalled: (link, ping) => {
        tellCalled(link, ping).catch((error: unknown) =>
          log.error({err: error}, 'A direct message of a call was lost'),
        )
      },
      onNews: (link) => {
        sessions.show(link)
        home.note(link)
      },
      splitRule,
      clock: systemClock,
      log,
    }),
  )
  const desk = {
    ...store,
    clientOf: connection.clientOf,
    show: (linkId: string) => fleet.serve(linkId),
    attribute: createAttribution({
      ...{people: store.people, client: connection.clientOf, nowMs: Date.now},
      emailOf: createEmails(client),
    }),
    nowMs: Date.now,
  }
  const {show} = desk
  const reminders = opened.use(createReminders({pings: store.pings, show, zoneOf, log}))
  const announcer = opened.use(
    createAnnouncer({
      ...{...store, client, pacer, names, replies, webUrl, team, botUserId, log},
      onUnwatched: () => watcher.look(),
    }),
  )
  const watcher = opened.use(
    createWatcher({
      ...{...store, clientOf: connection.clientOf, everyMs: config.watchSeconds * 1000},
      ...{onNews: () => announcer.wake(), log},
    }),
  )
  const answers = createAnswers(replies)
  const {acts, formChecks} = createActTable({
    ...{desk, client, pacer, names, replies, answers, forms, home, permalinks, announcer},
    clientOf: connection.clientOf,
    ...{zoneOf, team, botUserId, webUrl, log, ...slack, standard: platform.standard},
    admins: config.admins,
    onSnoozed: () => reminders.wake(),
    onWatched: () => {
      watcher.look()
      announcer.wake()
    },
  })
  const dispatch = await registerListeners({identity, apiUrl: slack.apiUrl, logger, acts})
  const worker = opened.use(
    createWorker({
      inbox: store.inbox,
      handle: (handling) =>
        dispatch(JSON.parse(handling.row.body) as Record<string, unknown>, handling),
      onFailed: createFailureHandler(answers),
      log,
    }),
  )
  const intake = createIntake({inbox: store.inbox, onAdded: () => worker.wake()})
  const gate = createGate({
    intake,
    botUserId,
    formChecks,
    onComeback: ({codes, ...scope}) => obstacles.retry(scope, codes),
  })

  let sockets: Sockets | undefined
  const {delivery, apiUrl} = slack
  const routes = createRoutes([
    {name: 'database', check: () => store.check()},
    {
      name: 'slack',
      check: async () =>
        sockets?.connected() === 0 ? 'not connected' : explainObstacles(obstacles.all()),
    },
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
  // Only with the port in hand is anything written to Slack: a start that fails has done nothing.
  fleet.recover()
  worker.wake()
  reminders.wake()
  announcer.wake()
  watcher.look()
  if (delivery.mode === 'socket') {
    const {appToken} = delivery
    sockets = opened.use(await openSockets({appToken, apiUrl, gate, logger}, signal))
  }
  const resources = opened.move()
  return {
    mode: delivery.mode === 'socket' ? 'Socket Mode' : 'HTTP',
    port: http.port,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** What an operator has to know of a failed start: a line for known troubles, and where it was for a bug. */
export function explainFailure(error: unknown): string {
  const isKnown =
    error instanceof StoreError || error instanceof ListenError || error instanceof SlackStartError
  if (isKnown) return error.message
  return `that is a bug. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
