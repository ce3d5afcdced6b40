import {type Logger, SocketModeReceiver} from '@slack/bolt'
import {aborted, backoffMs, isAborted, pause} from '../../async/pause.ts'
import {watchStandstills} from '../../async/standstill.ts'
import {SlackError} from '../../once/slack-error.ts'
import type {Secret} from '../../security/secret.ts'
import {QUIET, SlackStartError, callSlack} from '../api/slack-client.ts'
import {withEvent} from '../incoming/kept-back.ts'
import {type Gate, type Sent, asApp, tellUntaken} from './gate.ts'

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
  signal.throwIfAborted()
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

function refusalWords(code: string): string {
  return code === 'too_many_websockets'
    ? `Slack lets no more connections of the app stand (${code}); it may have ten. Stop what else runs with SLACK_APP_TOKEN, and start again.`
    : `Slack refuses SLACK_APP_TOKEN (${code}). Copy one that has the scope connections:write under Basic Information → App-Level Tokens.`
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
  let onDisconnected = (): void => undefined
  client.on('disconnected', () => onDisconnected())
  const stopped = aborted(stop)
  let failures = 0
  while (!isAborted(stop)) {
    const closed = new Promise<void>((resolve) => (onDisconnected = resolve))
    const startedAtMs = performance.now()
    try {
      await callSlack(() => client.start())
      watcher.onOpen()
      await Promise.race([closed, stopped])
      if (isAborted(stop)) {
        const enough = AbortSignal.timeout(GOODBYE_MS)
        await Promise.race([client.disconnect(), aborted(enough)])
      }
    } catch (error) {
      if (error instanceof SlackError && !['wait', 'retry'].includes(error.kind)) {
        watcher.onRefused(new SlackStartError(refusalWords(error.code), {cause: error}))
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
