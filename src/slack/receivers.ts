import type {RequestListener} from 'node:http'
import {
  type App,
  HTTPReceiver,
  type Logger,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt'
import type {Intake} from '../inbox/intake.ts'
import {aborted, backoffMs, pause} from '../platform/waiting.ts'
import type {Secret} from '../security/secret.ts'
import {QUIET, SlackError, callSlack} from './calls.ts'
import {toArrival} from './deeds/arrival.ts'
import {type Comeback, parseComeback} from './deeds/comeback.ts'
import {type Form, parseForm} from './deeds/form.ts'
import {SlackStartError} from './start-error.ts'

/**
 * What stands between Slack's receivers and Bolt: the row is written first, then the delivery is
 * acknowledged. Rejects when there is no row, and then nothing was acknowledged.
 */
interface Gate {
  processEvent(event: ReceiverEvent): Promise<void>
}

/** By a modal's callback id: what is wrong with what was entered, as far as that can be told at once; by block id. */
export type FormChecks = ReadonlyMap<string, (form: Form) => Record<string, string> | undefined>

export function createGate(options: {
  intake: Intake
  botUserId: string
  formChecks: FormChecks
  /** A channel may be open to us again. */
  onComeback: (comeback: Comeback) => void
}): Gate {
  const {intake, botUserId, formChecks, onComeback} = options
  return {
    processEvent: async ({body, ack}) => {
      const form = parseForm(body)
      const errors = form && formChecks.get(form.callbackId)?.(form)
      if (errors !== undefined) {
        await ack({response_action: 'errors', errors})
        return
      }
      const arrival = toArrival(body, botUserId)
      if (arrival !== undefined) await intake(arrival)
      await ack()
      const comeback = parseComeback(body, botUserId)
      if (comeback !== undefined) onComeback(comeback)
    },
  }
}

/** For the one HTTP server of ours: everything below `/slack/`. */
export function createHttpListener(options: {
  signingSecret: Secret
  gate: Gate
  logger: Logger
}): RequestListener {
  const receiver = new HTTPReceiver({
    signingSecret: options.signingSecret.reveal(),
    endpoints: ['/slack/events'],
    logger: options.logger,
  })
  receiver.init(asApp(options.gate))
  return (request, response) => {
    if (isFromTheFuture(request.headers['x-slack-request-timestamp'])) {
      response.writeHead(401).end()
    } else {
      receiver.requestListener(request, response)
    }
  }
}

const MAX_AHEAD_SECONDS = 300

/** Bolt refuses what is old, but lets a signature pass whose time is yet to come: a replay kept for later. */
function isFromTheFuture(timestamp: string | string[] | undefined): boolean {
  return Number(timestamp) > Date.now() / 1000 + MAX_AHEAD_SECONDS
}

export interface Sockets extends AsyncDisposable {
  /** How many stand now. */
  connected(): number
}

interface SocketOptions {
  appToken: Secret
  apiUrl: string
  gate: Gate
  logger: Logger
  count?: number
  staggerMs?: number
}

/** Slack closes each connection every few hours; two that began apart leave no gap. */
const SOCKETS = 2
const STAGGER_MS = 10_000
const RECONNECT = {baseMs: 250, maxMs: 30_000}
const STEADY_MS = 10_000
/** How long a connection that we close may take to say goodbye. */
const GOODBYE_MS = 1000

/**
 * Opens the Socket Mode connections and keeps them open; resolves when the first one stands.
 *
 * @throws {SlackStartError} when Slack refuses the app token.
 */
export async function openSockets(options: SocketOptions, signal: AbortSignal): Promise<Sockets> {
  const {count = SOCKETS, staggerMs = STAGGER_MS} = options
  const stop = new AbortController()
  const open = new Set<number>()
  const first = Promise.withResolvers<undefined>()
  const keepers = Array.from({length: count}, async (_, index) => {
    if (index > 0) {
      await first.promise.catch(() => undefined)
      await pause(index * staggerMs, stop.signal)
    }
    await keepOpen(options, stop.signal, {
      onOpen: () => {
        open.add(index)
        first.resolve(undefined)
      },
      onClosed: () => void open.delete(index),
      onRefused: (error) => first.reject(error),
    })
  })
  const dispose = async (): Promise<void> => {
    stop.abort()
    await Promise.all(keepers)
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
  return {connected: () => open.size, [Symbol.asyncDispose]: dispose}
}

interface Watcher {
  onOpen: () => void
  onClosed: () => void
  onRefused: (error: SlackStartError) => void
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
    // No row, no acknowledgement: Slack delivers it again.
    processEventErrorHandler: async ({error}) => {
      logger.error('A delivery could not be taken:', error.message)
      return false
    },
  })
  receiver.init(asApp(gate))
  const {client} = receiver
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
      if (error instanceof SlackError && error.kind === 'dead') {
        watcher.onRefused(
          new SlackStartError(
            `Slack refuses SLACK_APP_TOKEN (${error.code}). Copy it again under Basic Information → App-Level Tokens.`,
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

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}
