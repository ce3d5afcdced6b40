import type {Clock} from '../clock.ts'
import {Hono, type MiddlewareHandler} from 'hono'
import {bodyLimit} from 'hono/body-limit'
import {
  Refusal,
  bodyTooLarge,
  forbidden,
  internalError,
  methodNotAllowed,
  routeNotFound,
  unauthorized,
} from './errors.ts'
import type {Keys} from '../organization/keys.ts'
import type {Ledger, LedgerRow} from './ledger.ts'
import type {AddRoute, Env, Handler, Request} from './request.ts'
import type {Rates} from './rates.ts'

const BASE_PATH = '/api/v1'
const MAX_BODY_BYTES = 1024 * 1024

interface ApiOptions {
  clock: Clock
  keys: Keys
  ledger: Ledger
  rates: Rates
  /** The route modules, each a function that adds its routes. */
  routes: readonly ((add: AddRoute) => void)[]
  /** Those outside the API's base address, which need no key. */
  originRoutes: readonly ((app: Hono<Env>) => void)[]
}

/** The HTTP edge: keys, body size, errors as section 7 has them, and the ledger around all of it. */
export function createApi(options: ApiOptions): Hono<Env> {
  const {clock, keys, ledger, rates, routes, originRoutes} = options
  const app = new Hono<Env>()
  app.use('*', recordIn(ledger, clock))
  app.use(`${BASE_PATH}/*`, authorizeWith(keys, rates))
  app.use(
    `${BASE_PATH}/*`,
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => bodyTooLarge(MAX_BODY_BYTES).toResponse(),
    }),
  )
  addRoutes(app, routes)
  for (const addTo of originRoutes) addTo(app)
  app.notFound((request) => routeNotFound(request.req.path).toResponse())
  app.onError((error) => (error instanceof Refusal ? error : internalError()).toResponse())
  return app
}

function addRoutes(app: Hono<Env>, routes: ApiOptions['routes']): void {
  const methods = new Map<string, string[]>()
  const add: AddRoute = (method, path, handler, options) => {
    const isRead = method === 'GET' || options?.readsOnly === true
    app.on(method, `${BASE_PATH}${path}`, isRead ? handler : allowWriters(handler))
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  for (const addTo of routes) addTo(add)
  for (const [path, allowed] of methods) {
    app.all(`${BASE_PATH}${path}`, () => {
      throw methodNotAllowed(allowed)
    })
  }
}

function allowWriters(handler: Handler): Handler {
  return (request) => {
    if (!request.get('principal').canWrite) throw forbidden()
    return handler(request)
  }
}

function authorizeWith(keys: Keys, rates: Rates): MiddlewareHandler<Env> {
  return async (request, next) => {
    const key = /^Bearer +(\S+) *$/i.exec(request.req.header('authorization') ?? '')?.[1]
    const principal = key === undefined ? undefined : keys.principal(key)
    if (principal === undefined) throw unauthorized()
    request.set('principal', principal)
    rates.take(principal.key)
    // Hono would run the handler of GET for HEAD; on a stream that would never end.
    if (request.req.method === 'HEAD') throw methodNotAllowed(['GET', 'POST'])
    await next()
  }
}

function recordIn(ledger: Ledger, clock: Clock): MiddlewareHandler<Env> {
  return async (request, next) => {
    const atMs = clock.nowMs()
    request.set('applied', false)
    await next()
    ledger.add(toLedgerRow(request, atMs))
  }
}

function toLedgerRow(request: Request, atMs: number): LedgerRow {
  const {pathname, search} = new URL(request.req.url)
  const lastEventId = request.req.header('last-event-id')
  return {
    atMs,
    method: request.req.method,
    path: pathname + search,
    status: request.res.status,
    ...(request.get('body') === undefined ? {} : {body: request.get('body')}),
    ...(lastEventId === undefined ? {} : {lastEventId}),
    applied: request.get('applied'),
  }
}
