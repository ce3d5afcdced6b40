import {entrySchema, type Entry} from '../../src/platform/model.ts'
import {addAutomationRoutes} from './automations/routes.ts'
import {addWebhookRoutes} from './automations/webhook-routes.ts'
import {addCaptainRoutes} from './captains/routes.ts'
import {breakRequests} from './control/break.ts'
import {createControl, type Control} from './control/control.ts'
import {switchOn, type Power} from './control/power.ts'
import {createControlApi} from './control/routes.ts'
import {createApi, type Api, type Route} from './edge/api.ts'
import {type LedgerRow} from './edge/ledger.ts'
import {openListener} from './edge/listener.ts'
import {addFolderRoutes} from './folders/routes.ts'
import {addContractRoutes} from './openapi/routes.ts'
import {addOrganizationRoutes} from './organization/routes.ts'
import {addReviewRoutes} from './reviews/routes.ts'
import {addSessionRoutes} from './sessions/routes.ts'
import {addStreamRoutes} from './streams/routes.ts'
import {addTaskRoutes} from './tasks/routes.ts'
import {type Entries} from './threads/entries.ts'
import {addMessageRoutes} from './threads/message-routes.ts'
import {addThreadRoutes} from './threads/routes.ts'
import {type Threads} from './threads/threads.ts'
import {addUsageRoutes} from './usage/routes.ts'
import type {PlatformOptions} from './options.ts'
import {openLasting, openParts, type Lasting, type Parts} from './parts.ts'

/** An agent platform for one laptop: the HTTP API, with a scripted agent behind it. */
export interface Platform extends AsyncDisposable {
  readonly baseUrl: string
  readonly originUrl: string
  /** Where other processes reach what `control` offers. */
  readonly controlUrl: string
  /** By the names that the seed gives them. */
  readonly keys: Readonly<Record<'human' | 'readWrite' | 'readOnly' | 'scoped', string>>
  readonly projectIds: string[]
  readonly userIds: string[]
  /** The whole transcript, read past the HTTP edge. */
  transcript(threadId: string): Entry[]
  /** But those that belong to no project. */
  threads(): {id: string; requestId: string | null; status: string; archived: boolean}[]
  /** Every request so far: what tests judge by. */
  readonly ledger: readonly LedgerRow[]
  /** Faults, restarts and what else no client could bring about. */
  readonly control: Control
  /** Every address below `baseUrl`. */
  readonly routes: readonly Route[]
  /** Every address below `originUrl` and outside `baseUrl` that a client may ask. */
  readonly originRoutes: readonly Route[]
  revokeKey(key: string): void
  /** Stops as a restarting server does: open streams end without `done`, runs go on at the next start. */
  close(): Promise<void>
}

/** Starts the platform on 127.0.0.1; fails when the port is taken. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  await using opened = new AsyncDisposableStack()
  const lasting = openLasting(options, opened)
  const parts = (): Running => power.current()
  const restart = (downMs: number): Promise<void> => power.restart(downMs)
  const control = createControl({...lasting, parts, restart})
  let {port = 0} = options
  const power: Power<Running> = opened.use(
    await switchOn(lasting.clock, () => startServer({...options, port}, lasting, control)),
  )
  const {organization, keys, seed, api, ...started} = power.current()
  port = started.port
  const originUrl = `http://127.0.0.1:${port}`
  const resources = opened.move()
  const close = (): Promise<void> => resources.disposeAsync()
  return {
    baseUrl: `${originUrl}/api/v1`,
    originUrl,
    controlUrl: originUrl + CONTROL_PATH,
    keys: keys.ensure(seed.keys) as Platform['keys'],
    projectIds: organization.projects().map(({id}) => id),
    userIds: organization.users().map(({id}) => id),
    transcript: (threadId) => readTranscript(parts().entries, threadId),
    threads: () => listThreads(parts().threads),
    ledger: lasting.ledger.rows,
    control,
    routes: api.routes,
    originRoutes: api.originRoutes,
    revokeKey: (key) => void control.revokeKey(key),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const CONTROL_PATH = '/control'

type Running = Parts & {api: Api; port: number} & AsyncDisposable

/** Starts the server as a process would that finds these data. */
async function startServer(
  options: PlatformOptions & {port: number},
  lasting: Lasting,
  control: Control,
): Promise<Running> {
  await using opened = new AsyncDisposableStack()
  const parts = openParts(options, lasting, opened)
  parts.keys.ensure(parts.seed.keys)
  const closing = new AbortController()
  const api = createApiOf(parts, control, closing.signal)
  const {port} = opened.use(await openListener(api.fetch, options.port))
  opened.defer(() => parts.pulse.endAll())
  opened.defer(() => closing.abort())
  parts.runs.recover()
  parts.reviews.recover()
  parts.github.recover()
  const resources = opened.move()
  return {...parts, api, port, [Symbol.asyncDispose]: () => resources.disposeAsync()}
}

function createApiOf(parts: Parts, control: Control, closing: AbortSignal): Api {
  const watch = createControlApi({
    ...{...parts, control},
    transcript: (threadId) => readTranscript(parts.entries, threadId),
    routes: () => api.routes,
  })
  const api: Api = createApi({
    ...parts,
    control: {path: CONTROL_PATH, app: watch},
    contract: addContractRoutes,
    breaking: breakRequests({...parts, closing}),
    routes: [
      (add) => addThreadRoutes(add, parts),
      (add) => addMessageRoutes(add, parts),
      (add) => addTaskRoutes(add, parts),
      (add) => addStreamRoutes(add, parts),
      (add) => addOrganizationRoutes(add, parts),
      (add) => addCaptainRoutes(add, parts),
      (add) => addFolderRoutes(add, parts),
      (add) => addUsageRoutes(add, parts),
      (add) => addSessionRoutes(add, parts),
      (add) => addReviewRoutes(add, parts),
      (add) => addAutomationRoutes(add, parts),
    ],
    originRoutes: [(app) => addWebhookRoutes(app, parts)],
  })
  return api
}

function readTranscript(entries: Entries, threadId: string): Entry[] {
  return entries
    .after(threadId, 0, Number.MAX_SAFE_INTEGER)
    .map(({json}) => entrySchema.parse(JSON.parse(json)))
}

function listThreads(threads: Threads): ReturnType<Platform['threads']> {
  return threads
    .all()
    .filter(({projectId}) => projectId !== null)
    .map(({id, requestId, status, archived}) => ({id, requestId, status, archived: archived === 1}))
}
