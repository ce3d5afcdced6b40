import type {Logger} from 'pino'
import type {Config} from '../config/config.ts'
import {ListenError} from '../http/server.ts'
import {factsOf} from '../security/error-facts.ts'
import type {Leaks} from '../security/leaks.ts'
import {SlackStartError} from '../slack/api/slack-client.ts'
import {StoreError} from '../store/database/errors.ts'
import {openStore} from '../store/store.ts'
import {openCore} from './core.ts'
import {openDoors} from './doors.ts'
import {heedOthers} from './hearing.ts'
import {startServices} from './services.ts'
import {serveWorkspaces} from './serving.ts'

/** A bot at work. */
interface Bot extends AsyncDisposable {
  mode: 'Socket Mode' | 'HTTP'
  port: number
  /** Aborted, with the reason, when another bot has taken over: the process must end as it is, without a last word. */
  lost: AbortSignal
}

/**
 * Builds everything in four stages and starts it. Whatever was opened is closed again in reverse order, also when a later
 * step fails.
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
  const core = await openCore({config, log, leaks, signal, open}, opened)
  for (const line of config.warnings) log.warn(line)
  const services = startServices(core, opened)
  const served = await serveWorkspaces(core, services, signal, opened)
  const doors = await openDoors(core, services, served, opened)

  // Only with the port in hand is anything written to Slack: a start that fails has done nothing.
  opened.use(heedOthers(core, services, {...served, ...doors}))
  await served.begin(doors.worker, doors.duties)
  opened.use(core.store.ownership)
  await doors.letIn(signal)
  served.installs.probe(signal).catch((error: unknown) => log.error({err: error}, 'A probe failed'))
  core.store.settle()
  const resources = opened.move()
  return {
    mode: config.slack.delivery.mode === 'socket' ? 'Socket Mode' : 'HTTP',
    port: doors.http.port,
    lost: core.store.lost,
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
