import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  createServer,
} from 'node:http'
import type {AddressInfo} from 'node:net'
import {setImmediate as immediate} from 'node:timers/promises'
import {type HttpBindings, getRequestListener} from '@hono/node-server'
import {Hono} from 'hono'
import {aborted, pause} from '../async/pause.ts'
import {later} from './refusals.ts'

/** Addresses of hooks begin so. */
const HOOKS_PATH = '/hooks/'

/** Files are posted there, whose route has a time of its own. */
const LONG_PATH = '/agent/posts'
const MAX_BODY_MS = 900_000
/**
 * So long a connection stands idle before it goes. Whoever stands between keeps theirs for up to ten minutes (Google's; Amazon's one, Caddy two): ended from
 * here first, the next press is sent into a connection that is going, and Slack sends presses and commands once.
 */
const IDLE_MS = 620_000
/** So long a stop leaves to what is being answered. */
const LAST_ANSWERS_MS = 1000

/** The one HTTP server: Slack's receiver below `/slack/`, hooks below `/hooks/`, our own routes besides. */
interface HttpServer extends AsyncDisposable {
  port: number
}

/** The address cannot be listened on; the message names the setting. */
export class ListenError extends Error {
  override name = 'ListenError' as const
}

interface HttpServerOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  /** Absent in Socket Mode. */
  slack: RequestListener | undefined
  hooks?: RequestListener
  /** `bindings`: what Node has of the request, for whoever has to end its connection. */
  routes: (request: Request, bindings: HttpBindings) => Response | Promise<Response>
  /** Where the address was set, for whoever has to mend it. */
  settings?: {host: string; port: string}
  /** For a body to arrive, but at {@link LONG_PATH}. */
  bodyWithinMs?: number
  /** In which something of a request or an answer has to move. */
  silentWithinMs?: number
}

/** @throws {ListenError} when the address is taken or not ours. */
export async function listen({
  host,
  port,
  slack,
  hooks,
  routes,
  settings = {host: 'HOST', port: 'PORT'},
  bodyWithinMs = 30_000,
  silentWithinMs = MAX_BODY_MS,
}: HttpServerOptions): Promise<HttpServer> {
  const ours = getRequestListener((request, bindings) => routes(request, bindings as HttpBindings))
  let isEnding = false
  const answering = new Set<ServerResponse>()
  // Whoever keeps a connection is told that it goes: what they would send into it is lost.
  const letGo = (response: ServerResponse): void => void (response.shouldKeepAlive = false)
  // Looked at so often, a head that is late by now is found soon.
  const server = createServer({connectionsCheckingInterval: 2000}, (request, response) => {
    const url = pathOf(request.url)
    request.url = url
    answering.add(response)
    if (isEnding) letGo(response)
    response.once('close', () => {
      answering.delete(response)
      if (isEnding) server.closeIdleConnections()
    })
    if (url.split('?', 1)[0] !== LONG_PATH) endIfSlow(request, bodyWithinMs)
    if (slack !== undefined && url.startsWith('/slack/')) slack(request, response)
    else if (hooks !== undefined && url.startsWith(HOOKS_PATH)) hooks(request, response)
    else {
      // Nothing here goes by it: balancers name none in HTTP/1.0, or an address that is no part of a URL.
      request.headers.host = 'localhost'
      void ours(request, response)
    }
  })
  server.keepAliveTimeout = IDLE_MS
  // A sender that dawdles must not hold a connection for ever.
  server.headersTimeout = 10_000
  server.requestTimeout = MAX_BODY_MS
  // Nor must somebody who never reads the answer.
  server.timeout = silentWithinMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(toListenError(error, {host, port, settings})),
    )
    server.listen(port, host, resolve)
  })
  const dispose = async (): Promise<void> => {
    isEnding = true
    for (const response of answering) letGo(response)
    // What has come to this machine by now is taken, also on a connection that nobody has looked at yet.
    for (let turn = 0; turn < 3; turn += 1) await immediate()
    const over = new AbortController()
    server.close(() => over.abort())
    // What they asked for may be done, and they would be told that it was not. Each connection goes with its answer.
    await pause(LAST_ANSWERS_MS, over.signal)
    server.closeAllConnections()
    await aborted(over.signal)
  }
  return {port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: dispose}
}

/** A proxy may ask for the whole address (RFC 9112, section 3.2.2). */
function pathOf(target = ''): string {
  const whole = target.startsWith('/') ? null : URL.parse(target)
  return whole === null ? target : `${whole.pathname}${whole.search}`
}

function endIfSlow(request: IncomingMessage, withinMs: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, withinMs).unref()
  request.once('close', () => clearTimeout(timer))
}

function toListenError(
  error: NodeJS.ErrnoException,
  {host, port, settings}: {host: string; port: number; settings: {host: string; port: string}},
): ListenError {
  const of = `${settings.port} ${port}`
  const cause = {cause: error}
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(
        `${of} on ${host} is in use. Stop what listens there, or set ${settings.port} to another one.`,
        cause,
      )
    case 'EACCES':
      return new ListenError(
        `${of} on ${host} may not be used by this user. Set ${settings.port} to one above 1023.`,
        cause,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError(
        `${settings.host} ${host} is no address of this machine. Use 127.0.0.1 or 0.0.0.0.`,
        cause,
      )
    default:
      return new ListenError(`${settings.host} ${host}, ${of}: ${error.message}`, cause)
  }
}

/** One thing that has to be well for the bot to be well. */
export interface Health {
  name: string
  /** `undefined` when it is well, else what is wrong, in words without secrets. */
  check: () => Promise<string | undefined>
  /** Without it no delivery can be taken, of whichever workspace. */
  isForAll?: true
}

/** What one of them cannot look at keeps no other one from saying why. */
export function lookedAtApart(
  health: readonly Health[],
  log: {error(details: object, message: string): void},
): Health[] {
  return health.map((part) => ({
    ...part,
    check: async () => {
      try {
        return await part.check()
      } catch (error) {
        log.error({err: error, part: part.name}, 'How it is could not be looked at')
        return 'could not be looked at'
      }
    },
  }))
}

/** How it is is asked for so: HAProxy asks by OPTIONS where nobody has told it otherwise. */
const ASKING = ['GET', 'OPTIONS']
/** A network of caches in front may keep for a day what does not forbid it. */
const NOW = {'cache-control': 'no-store'}
/** What could not be done now may be done then: the database may be away. */
const AGAIN_MS = 5000

/**
 * `GET /livez`: 200 while the process answers. `GET /healthz`: 200 when all is well, 503 with what is wrong. `GET /readyz`: the same of what every delivery needs, for
 * balancers: one workspace that is unwell must take no instance away from the others.
 */
export function createRoutes(
  health: readonly Health[],
  log: {error(details: object, message: string): void},
): Hono {
  const routes = new Hono()
  const tell = (path: string, some: readonly Health[]): void => {
    const look = () =>
      Promise.all(some.map(async ({name, check}) => [name, (await check()) ?? 'ok'] as const))
    let looking: ReturnType<typeof look> | undefined
    routes.on(ASKING, path, async (context) => {
      // Anybody may ask, and each look writes in front of what people do: those who ask at once share one.
      looking ??= look().finally(() => (looking = undefined))
      const results = await looking
      const isWell = results.every(([, word]) => word === 'ok')
      const body = {status: isWell ? 'ok' : 'unwell', ...Object.fromEntries(results)}
      return context.json(body, isWell ? 200 : 503, NOW)
    })
  }
  tell('/healthz', health)
  tell(
    '/readyz',
    health.filter(({isForAll}) => isForAll),
  )
  // Whoever answers at all lives.
  routes.on(ASKING, '/livez', (context) => context.json({status: 'ok'}, 200, NOW))
  routes.notFound((context) => context.json({error: 'not_found'}, 404))
  // By itself Hono prints all that the error holds.
  routes.onError((error, {req}) => {
    // A sender that breaks off needs no answer.
    if (!req.raw.signal.aborted) log.error({err: error}, 'A request could not be answered')
    return later(503, 'unavailable', AGAIN_MS)
  })
  return routes
}
