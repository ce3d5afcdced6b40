import {randomBytes} from 'node:crypto'
import {setMaxListeners} from 'node:events'
import {Hono} from 'hono'
import type {HttpBindings} from '@hono/node-server'
import {createChanges} from './changes.ts'
import {createConversation} from './conversation.ts'
import {keptFact, type SqlDatabase} from './database.ts'
import {createDeliveries} from './deliveries.ts'
import {createEvents} from './events.ts'
import {createFaults} from './faults.ts'
import {createHttpDelivery} from './http-delivery.ts'
import {createInteractions} from './interactions.ts'
import {createLedger} from './ledger.ts'
import {createMessageShape} from './message-shape.ts'
import {createMessages} from './messages.ts'
import {methodTable} from './methods/table.ts'
import {pageRoutes} from './page-routes.ts'
import {createPeople} from './people.ts'
import {createRates} from './rates.ts'
import type {LocalSlackOptions} from './options.ts'
import {createResponseUrls, type ResponseUrls} from './response-urls.ts'
import {seedWorkspace} from './seed.ts'
import {createSocketMode} from './socket-mode.ts'
import {createTimestamps} from './timestamps.ts'
import type {Transport} from './transport.ts'
import {webApi} from './web-api.ts'
import {createWorkspace} from './workspace.ts'

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
  const people = createPeople({...record, deliveries, interactions})
  const routes = new Hono<{Bindings: HttpBindings}>()
    .route('/', createApi(assembly, record, app))
    .route('/', pageRoutes({...record, people, closing: closing.signal}))
    .route('/', responseRoutes(responseUrls))
  return {
    workspace,
    messages,
    people,
    routes,
    tokens,
    signingSecret,
    setEventsUrl,
    socketMode: app.socketMode,
    ledger: ledgerWriter.ledger,
    faults: faultBox.faults,
    close: async (): Promise<void> => {
      closing.abort()
      app.socketMode.close()
      await deliveries.close()
      assembly.database.close()
    },
  }
}

function createApi({options, origin, now}: Assembly, record: WorkspaceRecord, app: AppSide) {
  const {workspace, messages, conversation, shape, ledgerWriter} = record
  const socketOrigin = origin.replace('http', 'ws')
  return webApi({
    desk: {
      workspace,
      messages,
      conversation,
      shape,
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
function openRecord({database, now}: Assembly) {
  const workspace = createWorkspace(database, seedWorkspace(Math.floor(now() / 1000)))
  const messages = createMessages(database, now)
  const timestamps = createTimestamps(now, messages.latestTs())
  const changes = createChanges()
  return {
    workspace,
    messages,
    timestamps,
    changes,
    shape: createMessageShape(workspace, messages),
    conversation: createConversation({messages, changes, timestamps}),
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
  const events = createEvents({...record, deliveries})
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
