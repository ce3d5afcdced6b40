import {randomBytes} from 'node:crypto'
import {setMaxListeners} from 'node:events'
import {Hono} from 'hono'
import type {HttpBindings} from '@hono/node-server'
import {createAgentThreads} from './agents/agent-threads.ts'
import {createChannels} from './workspace/channels.ts'
import {createChanges} from './workspace/changes.ts'
import {controlRoutes} from './control/routes.ts'
import {createConversation} from './messages/conversation.ts'
import {keptFact, type SqlDatabase} from './database.ts'
import {createDeliveries} from './delivery/deliveries.ts'
import {createEvents} from './delivery/events.ts'
import {createFaults} from './edge/faults.ts'
import {fileRoutes} from './files/routes.ts'
import {createFileShape, createMessageFiles} from './files/shape.ts'
import {createFileSharing} from './files/sharing.ts'
import {createFiles} from './files/files.ts'
import {createHttpDelivery} from './delivery/http-delivery.ts'
import {createInteractions} from './delivery/interactions.ts'
import {createLedger} from './edge/ledger.ts'
import {createMemberShape} from './workspace/member-shape.ts'
import {createMessageShape} from './messages/shape.ts'
import {createMessages} from './messages/messages.ts'
import {methodTable} from './methods/table.ts'
import {pageFeed} from './page-feed/routes.ts'
import {toChannelView, toMemberView} from './page-feed/shapes.ts'
import type {WorkspaceView} from './page-feed/contract.ts'
import {createPeople} from './people/people.ts'
import {createRates} from './edge/rates.ts'
import type {LocalSlackOptions} from './options.ts'
import {createResponseUrls, type ResponseUrls} from './delivery/response-urls.ts'
import {createGrants} from './edge/scopes.ts'
import {seedWorkspace} from './workspace/seed.ts'
import {createSocketMode} from './delivery/socket-mode.ts'
import {createStreams} from './streams/streams.ts'
import {createTimestamps} from './messages/timestamps.ts'
import type {Transport} from './delivery/transport.ts'
import {openViewDesk} from './views/desk.ts'
import {createViewPayloads} from './views/payloads.ts'
import {createViewPeople} from './views/people.ts'
import {showViews} from './views/views.ts'
import {toSlackUsergroup} from './workspace/usergroup-shape.ts'
import {createUsergroups} from './workspace/usergroups.ts'
import {webApi} from './edge/web-api.ts'
import {createWorkspace} from './workspace/workspace.ts'

const ackTimeoutMs = 3_000
/** Between the frame that announces a refresh and the end of the connection. */
const refreshNoticeMs = 2_000

interface Assembly {
  options: LocalSlackOptions
  database: SqlDatabase
  origin: string
  now: () => number
}

/** The parts of the local Slack, put together: no socket of its own is open here. */
export function assemble(assembly: Assembly) {
  const record = openRecord(assembly)
  const app = openAppSide(assembly, record)
  const {deliveries, responseUrls, closing, faultBox, tokens, signingSecret, setEventsUrl} = app
  const {workspace, messages, ledgerWriter} = record
  const interactions = createInteractions({...record, responseUrls})
  const viewPayloads = createViewPayloads({...record, responseUrls})
  const people = {
    ...createPeople({...record, deliveries, interactions, now: assembly.now}),
    ...createViewPeople({...record, deliveries, viewPayloads}),
  }
  const routes = new Hono<{Bindings: HttpBindings}>()
    .route('/', createApi(assembly, record, app))
    .route('/', createPageFeed(assembly, record, closing.signal))
    .route('/', responseRoutes(responseUrls))
    .route(
      '/',
      fileRoutes({...record, botToken: tokens.bot, isRevoked: () => faultBox.isRevoked()}),
    )
    .route('/', controlRoutes({people, faults: faultBox.faults, ledger: ledgerWriter.ledger}))
  return {
    workspace,
    messages,
    agentThread: record.agentThreads.of,
    people,
    routes,
    tokens,
    shownViews: showViews(workspace, record.views),
    signingSecret,
    setEventsUrl,
    socketMode: app.socketMode,
    ledger: ledgerWriter.ledger,
    faults: faultBox.faults,
    close: async (): Promise<void> => {
      closing.abort()
      app.socketMode.close()
      record.streams.close()
      await deliveries.close()
      assembly.database.close()
    },
  }
}

function createPageFeed({options}: Assembly, record: WorkspaceRecord, closing: AbortSignal): Hono {
  const {workspace, usergroups, views, hasHomeTab, ledgerWriter} = record
  const {team, app} = workspace
  const workspaceView = (): WorkspaceView => ({
    teamId: team.id,
    teamName: team.name,
    teams: [{id: team.id, name: team.name}],
    botUserId: app.userId,
    apps: [
      {
        ...app,
        hasHome: hasHomeTab,
        isAgent: options.agent !== undefined,
        commands: [...(options.commands ?? [])],
        shortcuts: [...(options.shortcuts ?? [])],
      },
    ],
    members: workspace.members().map(toMemberView),
    channels: workspace.channels().map(toChannelView),
    usergroups: usergroups.all().map(({id, handle, name}) => ({id, handle, name})),
  })
  const sight = {
    ...record,
    workspaceView,
    views: showViews(workspace, views),
    ledger: ledgerWriter.ledger,
  }
  return pageFeed({sightOf: () => sight, closing})
}

function createApi({options, origin, now}: Assembly, record: WorkspaceRecord, app: AppSide) {
  const {ledgerWriter, ...shared} = record
  const socketOrigin = origin.replace('http', 'ws')
  return webApi({
    desk: {
      ...shared,
      origin: () => origin,
      newSocketUrl: () => `${socketOrigin}${app.socketMode.newPath()}`,
    },
    methods: methodTable(),
    tokens: app.tokens,
    rates: createRates({scale: options.rateScale ?? 1, now}),
    faultBox: app.faultBox,
    recordCall: ledgerWriter.recordCall,
    closing: app.closing.signal,
  })
}

/** What was said, and who is there. */
function openRecord({options, database, origin, now}: Assembly) {
  const workspace = createWorkspace(database, seedWorkspace(Math.floor(now() / 1000)))
  const messages = createMessages(database, now)
  const timestamps = createTimestamps(now, messages.latestTs())
  const changes = createChanges()
  const timeFactor = options.timeFactor ?? 1
  const files = createFiles({database, now, timeFactor})
  const fileShape = createFileShape(workspace, () => origin)
  const conversation = createConversation({messages, changes, timestamps})
  const grants = createGrants(options.scopes)
  return {
    workspace,
    messages,
    timestamps,
    changes,
    shape: createMessageShape(workspace, messages, createMessageFiles(files, fileShape)),
    conversation,
    ...openViewDesk({options, database, changes, now}),
    streams: createStreams({database, messages, conversation, now, timeFactor}),
    agentThreads: createAgentThreads({
      database,
      changes,
      options: options.agent,
      now,
      timeFactor,
    }),
    grants,
    files,
    fileShape,
    memberShape: createMemberShape(workspace, grants),
    sharing: createFileSharing({files, conversation, changes}),
    channels: createChannels({workspace, changes, now}),
    usergroups: createUsergroups(database),
    ledgerWriter: createLedger({now, versions: messages.versions}),
  }
}

type WorkspaceRecord = ReturnType<typeof openRecord>

/** How the app is reached, and what may go wrong with that. */
function openAppSide(assembly: Assembly, record: WorkspaceRecord) {
  const {options, database, origin, now} = assembly
  const {changes, ledgerWriter} = record
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // every call that is held listens
  const signingSecret = keptFact(database, 'signing_secret', () => randomBytes(16).toString('hex'))
  const onReady = (): void => deliveries.flush()
  const ways = openWays(assembly, record, {signingSecret, closing: closing.signal, onReady})
  const faultBox = createFaults({
    latencyMs: options.latencyMs ?? 0,
    dropSockets: ways.socketMode.drop,
    onRevoked: () => events.tokensRevoked(),
  })
  const deliveries = createDeliveries({
    database,
    recordDelivery: ledgerWriter.recordDelivery,
    transport: ways.transport,
    copies: () => faultBox.faults.deliveries,
    timeFactor: options.timeFactor ?? 1,
    now,
  })
  const events = createEvents({
    ...record,
    deliveries,
    toUser: record.memberShape.user,
    toUsergroup: (usergroup) => toSlackUsergroup(record.workspace, usergroup),
  })
  changes.subscribe(events.tell)
  return {
    closing,
    signingSecret,
    tokens: keptTokens(database),
    socketMode: ways.socketMode,
    deliveries,
    faultBox,
    responseUrls: createResponseUrls({...record, database, origin: () => origin, now}),
    setEventsUrl: (url: string): void => {
      ways.setEventsUrl(url)
      deliveries.flush()
    },
  }
}

type AppSide = ReturnType<typeof openAppSide>

/** Socket Mode, and signed HTTP as soon as there is an address for it. */
function openWays(
  {options, now}: Assembly,
  {workspace}: WorkspaceRecord,
  app: {signingSecret: string; closing: AbortSignal; onReady: () => void},
) {
  const timeFactor = options.timeFactor ?? 1
  let eventsUrl = options.delivery?.mode === 'http' ? options.delivery.eventsUrl : undefined
  const socketMode = createSocketMode({
    appId: workspace.app.id,
    ackTimeoutMs: ackTimeoutMs * timeFactor,
    closeAfterMs: refreshNoticeMs * timeFactor,
    isEnabled: () => eventsUrl === undefined,
    onReady: app.onReady,
  })
  const http = createHttpDelivery({
    eventsUrl: () => eventsUrl,
    signingSecret: app.signingSecret,
    timeoutMs: ackTimeoutMs * timeFactor,
    closing: app.closing,
    now,
  })
  const chosen = (): Transport => (eventsUrl === undefined ? socketMode : http)
  const transport: Transport = {
    isReady: () => chosen().isReady(),
    hand: (handover) => chosen().hand(handover),
  }
  return {
    socketMode,
    transport,
    setEventsUrl: (url: string): void => {
      eventsUrl = url
    },
  }
}

function keptTokens(database: SqlDatabase): {bot: string; app: string} {
  const random = (): string => randomBytes(12).toString('hex')
  return {
    bot: keptFact(database, 'bot_token', () => `xoxb-1000000000-2000000000-${random()}`),
    app: keptFact(database, 'app_token', () => `xapp-1-A0BOSUN-3000000000-${random()}`),
  }
}

function responseRoutes(responseUrls: ResponseUrls): Hono {
  const routes = new Hono()
  routes.post('/response/:id', async (context) => {
    const body: unknown = await context.req.json()
    const {status, answer} = responseUrls.use(context.req.param('id'), body)
    return typeof answer === 'string' ? context.text(answer, status) : context.json(answer, status)
  })
  return routes
}
