import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http'
import {
  type App,
  HTTPModuleFunctions,
  HTTPReceiver,
  type Logger,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt'
import {type Arrival, type Intake, UntakenError} from '../inbox/intake.ts'
import {aborted, backoffMs, isAborted, pause} from '../async/pause.ts'
import {watchStandstills} from '../async/standstill.ts'
import type {PlainTextOption} from '@slack/types'
import type {Secret} from '../security/secret.ts'
import {QUIET, SlackStartError, callSlack} from './api/slack-client.ts'
import {parseKeptBack, withEvent} from './incoming/kept-back.ts'
import type {AppMessage} from './incoming/alert.ts'
import type {SharedLinks} from './incoming/links.ts'
import {type ArrivalRules, toAppArrival, toArrival, toLinksArrival} from './incoming/arrival.ts'
import {
  type Comeback,
  type Parsed,
  comebackIn,
  parseBody,
  parseClosed,
} from './incoming/parse-body.ts'
import {parseForm} from './incoming/form.ts'
import {organizationOf} from './incoming/who.ts'
import {type Suggestion, parseSuggestion} from './incoming/suggestion.ts'
import type {FormRules} from './gate/feature.ts'
import {type Lookup, typedOption} from './gate/model-lookup.ts'
import type {Protect} from './secrecy.ts'
import {SlackError} from '../once/slack-error.ts'

/**
 * What stands between Slack's receivers and Bolt: the row is written first, then the delivery is
 * acknowledged. Rejects when there is no row, and then nothing was acknowledged.
 */
interface Gate {
  processEvent(event: ReceiverEvent): Promise<void>
}

/** Slack waits 3 s for what a menu offers, the way there and back included. */
const LOOK_UP_WITHIN_MS = 2000

interface GateOptions extends Omit<ArrivalRules, 'isRoom'> {
  intake: Intake
  /** By callback id. */
  formRules: ReadonlyMap<string, FormRules>
  protect: Protect
  /** What a menu offers that asks us. */
  lookup: Lookup
  /** Slack delivers this for an organization that has the app in all of its workspaces. */
  onOrganization: (of: {organization: string; team: string}) => Promise<void>
  /** Whether a rule of the channel is about the app that wrote this; nothing else that apps write is ours. */
  concerns: (message: AppMessage) => Promise<boolean>
  /** Whether these may lead to something that is known here; of all others nothing is written down. */
  mayLeadHere: (links: SharedLinks) => Promise<boolean>
  /** Whether a channel is a room, where everything that people say is for the agent. */
  isRoom: (of: {team: string; channel: string}) => Promise<boolean>
  /** Whether somebody works for this workspace or organization: what is done elsewhere is none of ours. */
  knows: (name: string) => Promise<boolean>
  /** A channel may be open to us again. */
  onComeback: (comeback: Comeback) => void
  /** Somebody has come into a channel, or left it. */
  onMoved: (move: {team: string; channel: string; user: string}) => void
  /** A channel is private, and may not have been so a moment ago. */
  onClosed: (of: {team: string; channel: string}) => void
  /** Slack keeps events of a workspace back. */
  onKeptBack: (team: string) => void
}

export function createGate(options: GateOptions): Gate {
  const {intake, formRules, protect} = options
  const {concerns, mayLeadHere, knows, onOrganization} = options
  const {onComeback, onMoved, onClosed, onKeptBack} = options

  /** No row is made of it: who does not see an answer types on. */
  const offered = async (asked: Suggestion): Promise<PlainTextOption[]> => {
    const late = new AbortController()
    const typed = typedOption(asked.typed)
    const find = async (): Promise<PlainTextOption[]> =>
      (await knows(asked.team)) ? options.lookup(asked) : []
    try {
      const found = await Promise.race([find(), pause(LOOK_UP_WITHIN_MS, late.signal)])
      return found ?? typed
    } catch {
      return typed
    } finally {
      late.abort()
    }
  }

  const isInRoom = async (parsed: Parsed): Promise<boolean> => {
    if (parsed.kind !== 'interaction') return false
    const {interaction} = parsed
    switch (interaction.kind) {
      case 'message':
      case 'message changed':
      case 'message deleted':
        return !interaction.channel.startsWith('D') && options.isRoom(interaction)
      default:
        return false
    }
  }

  const arrivalOf = async (parsed: Parsed, body: unknown): Promise<Arrival | undefined> => {
    if (parsed.kind === 'links') {
      const {links} = parsed
      if (links.user === options.botUserIn(links.team)) return undefined
      return (await mayLeadHere(links)) ? toLinksArrival(links, body) : undefined
    }
    if (parsed.kind !== 'app message') {
      return toArrival(parsed, body, {...options, isRoom: await isInRoom(parsed)})
    }
    return (await concerns(parsed.message)) ? toAppArrival(parsed.message, body) : undefined
  }

  return {
    processEvent: async ({body, ack, customProperties}) => {
      const safe = protect(body)
      const keptBack = parseKeptBack(safe)
      if (keptBack !== undefined) {
        onKeptBack(keptBack)
        await ack()
        return
      }
      const asked = parseSuggestion(safe)
      if (asked !== undefined) {
        await ack({options: await offered(asked)})
        return
      }
      const parsed = parseBody(safe)
      if (parsed.kind === 'joined' || parsed.kind === 'left') onMoved(parsed)
      // Before the row: what the message begins is begun in private.
      const closed = parseClosed(safe)
      if (closed !== undefined) onClosed(closed)
      const isForm = parsed.kind === 'interaction' && parsed.interaction.kind === 'form'
      // As it was entered: a check of a key has to see the key, which is sealed in what is written down.
      const form = isForm ? parseForm(body) : undefined
      const rules = form && formRules.get(form.callbackId)
      const errors = form && rules?.check?.(form)
      if (errors !== undefined) {
        await ack({response_action: 'errors', errors})
        return
      }
      const name = nameOf(parsed)
      const organization = parsed.kind === 'ending' ? undefined : organizationOf(safe)
      if (organization !== undefined && name !== undefined) {
        await onOrganization({organization, team: name})
      }
      // First: what is installed elsewhere a moment ago is known from then on.
      const isOurs = name !== undefined && (await knows(name))
      const arrival = isOurs ? await arrivalOf(parsed, safe) : undefined
      if (arrival !== undefined)
        await intake(arrival, (customProperties as Sent | undefined)?.hungUp)
      const view = form && rules?.pause?.(form)
      await (view === undefined ? ack() : ack({response_action: 'update', view}))
      const comeback = comebackIn(parsed)
      if (comeback !== undefined) onComeback(comeback)
    },
  }
}

/** Whose it is, of what becomes a row. */
function nameOf(parsed: Parsed): string | undefined {
  switch (parsed.kind) {
    case 'interaction':
      return parsed.interaction.team
    case 'joined':
    case 'shared':
      return parsed.team
    case 'app message':
      return parsed.message.team
    case 'execution':
      return parsed.execution.team
    case 'links':
      return parsed.links.team
    case 'details':
      return parsed.asked.team
    case 'ending':
      return parsed.ending.organization ?? parsed.ending.team
    default:
      return undefined
  }
}

/** No row, no acknowledgement: Slack delivers it again, or tells the person. */
function tellUntaken(logger: Logger, error: unknown): void {
  const why = error instanceof UntakenError ? [`${error.message},`, error.cause] : [error]
  logger.error('A delivery could not be taken:', ...why)
}

/** How something was sent. */
interface Sent {
  /** Nobody waits for the answer any more. */
  hungUp: AbortSignal | undefined
}

/** For what Slack has signed: Bolt takes its body from `rawBody`, where whoever checked that has laid it. */
export function createHttpListener(options: {
  signingSecret: Secret
  gate: Gate
  logger: Logger
}): RequestListener {
  const waiting = new WeakMap<IncomingMessage, AbortSignal>()
  const receiver = new HTTPReceiver({
    signingSecret: options.signingSecret.reveal(),
    endpoints: ['/slack/events'],
    logger: options.logger,
    customPropertiesExtractor: (request): Sent => ({hungUp: waiting.get(request)}),
    processEventErrorHandler: async ({error, response}) => {
      tellUntaken(options.logger, error)
      if (!response.headersSent) response.writeHead(500).end()
      return false
    },
  })
  receiver.init(asApp(options.gate))
  const admit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await isNull(request)) response.writeHead(400).end()
    else receiver.requestListener(request, response)
  }
  return (request, response) => {
    const over = new AbortController()
    waiting.set(request, over.signal)
    response.once('close', () => over.abort())
    admit(request, response).catch((error: unknown) => {
      response.writeHead(refusalOf(error), {connection: 'close'}).end()
    })
  }
}

const {bufferIncomingMessage, defaultBodyLimit, isRawBodyError, parseHTTPRequestBody} =
  HTTPModuleFunctions

/** Bolt stumbles over a payload that is `null`, and never answers. It finds the body where this leaves it. */
async function isNull(request: IncomingMessage): Promise<boolean> {
  const buffered = await bufferIncomingMessage(request, defaultBodyLimit)
  try {
    return parseHTTPRequestBody(buffered) === null
  } catch {
    return false // Bolt says so
  }
}

/** Bolt throws for every path and method that it does not know. */
function refusalOf(error: unknown): number {
  return isRawBodyError(error) ? error.statusCode : 404
}

export interface Sockets extends AsyncDisposable {
  /** How many stand now. */
  connected(): number
  /** How long each of them has stood. */
  agesMs(): number[]
}

interface SocketOptions {
  appToken: Secret
  apiUrl: string
  gate: Gate
  logger: Logger
  /** How many instances work with the same app, as far as is known. */
  instances: () => number
}

/** Slack closes each connection every few hours; two that began apart leave no gap. */
const SOCKETS = 2
/** Slack lets an app have ten: a new instance needs some of them before an old one is gone. */
const ALL_SOCKETS = 8
const STAGGER_MS = 10_000
const RECONNECT = {baseMs: 250, maxMs: 30_000}
const STEADY_MS = 10_000
/** With the half second between two looks: Slack waits 3 s for an acknowledgement. */
const STANDSTILL_MS = 2500
const EVENT = 'event_callback'
/** How long a connection that we close may take to say goodbye. */
const GOODBYE_MS = 1000

/**
 * Opens the Socket Mode connections and keeps them open; resolves when the first one stands.
 *
 * @throws {SlackStartError} when Slack refuses the app token.
 */
export async function openSockets(options: SocketOptions, signal: AbortSignal): Promise<Sockets> {
  const stop = new AbortController()
  const standstill = watchStandstills({longMs: STANDSTILL_MS})
  const open = new Map<number, number>()
  const first = Promise.withResolvers<undefined>()
  const keep = (index: number, until: AbortSignal): Promise<void> =>
    keepOpen(options, until, {
      onOpen: () => {
        open.set(index, performance.now())
        first.resolve(undefined)
      },
      onClosed: () => void open.delete(index),
      onRefused: (error) => first.reject(error),
      isLate: () => standstill.isJustOver(),
    })
  /** Beside the first: as long as there is room for it beside those of the other instances. */
  const keepBeside = async (index: number): Promise<void> => {
    await first.promise.catch(() => undefined)
    while (!isAborted(stop.signal)) {
      await pause(index * STAGGER_MS, stop.signal)
      if (index >= socketsFor(options.instances())) continue
      const own = new AbortController()
      const look = setInterval(() => {
        if (index >= socketsFor(options.instances())) own.abort()
      }, STAGGER_MS)
      await keep(index, AbortSignal.any([stop.signal, own.signal]))
      clearInterval(look)
    }
  }
  const keepers = [
    keep(0, stop.signal),
    ...Array.from({length: SOCKETS - 1}, (_, at) => keepBeside(at + 1)),
  ]
  const dispose = async (): Promise<void> => {
    stop.abort()
    await Promise.all(keepers)
    standstill[Symbol.dispose]()
  }
  const giveUp = (): void => first.reject(new Error('The start was called off'))
  signal.addEventListener('abort', giveUp)
  try {
    await first.promise
  } catch (error) {
    await dispose()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  const agesMs = () => [...open.values()].map((sinceMs) => performance.now() - sinceMs)
  return {connected: () => open.size, agesMs, [Symbol.asyncDispose]: dispose}
}

/** How many of the app's connections are one instance's. */
export function socketsFor(instances: number): number {
  return Math.max(1, Math.min(SOCKETS, Math.floor(ALL_SOCKETS / instances)))
}

interface Watcher {
  onOpen: () => void
  onClosed: () => void
  onRefused: (error: SlackStartError) => void
  /** What is read now may have been sent long ago. */
  isLate: () => boolean
}

/** The client's own reconnection waits for seconds, and may end the process when it is refused. */
async function keepOpen(
  options: SocketOptions,
  stop: AbortSignal,
  watcher: Watcher,
): Promise<void> {
  const {appToken, apiUrl, gate, logger} = options
  const receiver = new SocketModeReceiver({
    appToken: appToken.reveal(),
    autoReconnectEnabled: false,
    installerOptions: {clientOptions: {slackApiUrl: apiUrl, ...QUIET}},
    logger,
    // Of what Slack has given up the person was told, and may have asked for it again. Events say once more what has happened.
    customPropertiesExtractor: ({body}: {body?: {type?: string}}): Sent => ({
      hungUp: body?.type !== EVENT && watcher.isLate() ? AbortSignal.abort() : undefined,
    }),
    processEventErrorHandler: async ({error}) => {
      tellUntaken(logger, error)
      return false
    },
  })
  receiver.init(asApp(gate))
  const {client} = receiver
  // In front of its own reading, which stumbles over one payload of Slack's.
  const [read] = client.listeners('ws_message')
  client.removeAllListeners('ws_message')
  client.on('ws_message', (frame: unknown, isBinary: boolean) => {
    read?.(withEvent(frame), isBinary)
  })
  let failures = 0
  while (!isAborted(stop)) {
    const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()))
    const startedAtMs = performance.now()
    try {
      await callSlack(() => client.start())
      watcher.onOpen()
      await Promise.race([closed, aborted(stop)])
      if (isAborted(stop)) {
        const enough = AbortSignal.timeout(GOODBYE_MS)
        await Promise.race([client.disconnect(), aborted(enough)])
      }
    } catch (error) {
      if (error instanceof SlackError && !['wait', 'retry'].includes(error.kind)) {
        watcher.onRefused(
          new SlackStartError(
            `Slack refuses SLACK_APP_TOKEN (${error.code}). Copy one that has the scope connections:write under Basic Information → App-Level Tokens.`,
          ),
        )
      }
      logger.warn('A Socket Mode connection failed:', error)
    }
    watcher.onClosed()
    // One that Slack closes as soon as it stands (too many of them) must not be reopened in a loop.
    const wasSteady = performance.now() - startedAtMs > STEADY_MS
    failures = wasSteady ? 0 : failures + 1
    if (!wasSteady) await pause(backoffMs(failures, RECONNECT), stop)
  }
}

/** A receiver calls nothing but `processEvent` of what it is initialised with. */
function asApp(gate: Gate): App {
  return gate as unknown as App
}
