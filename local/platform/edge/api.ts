import {Hono, type MiddlewareHandler} from 'hono'
import {bodyLimit} from 'hono/body-limit'
import {isLoopbackHost} from '../../loopback.ts'
import {
  Refusal,
  bodyTooLarge,
  forbidden,
  foreignHost,
  internalError,
  methodNotAllowed,
  routeNotFound,
  unauthorized,
} from './errors.ts'
import type {Clock} from '../clock.ts'
import type {Keys} from '../organization/keys.ts'
import type {Ledger} from './ledger.ts'
import type {OpenStreams} from './open-streams.ts'
import type {Rates} from './rates.ts'
import {recordRequests} from './recorder.ts'
import {bearerOf, type AddRoute, type Env, type Handler} from './request.ts'
import {noteResults} from './results.ts'
import {withoutSecret} from './secret-path.ts'

const BASE_PATH = '/api/v1'
const MAX_BODY_BYTES = 1024 * 1024

interface ApiOptions {
  clock: Clock
  keys: Keys
  ledger: Ledger
  openStreams: OpenStreams
  rates: Rates
  /** What watches from outside: neither recorded nor broken. */
  control: {path: string; app: Hono<Env>}
  /** What there is to read about the API: neither recorded nor broken. */
  contract: (app: Hono<Env>) => void
  /** Lets faults loose on requests. */
  breaking: MiddlewareHandler<Env>
  /** The route modules, each a function that adds its routes. */
  routes: readonly ((add: AddRoute) => void)[]
  /** Those outside the API's base address, which need no key. */
  originRoutes: readonly ((app: Hono<Env>) => void)[]
}

/** One address. */
export interface Route {
  method: string
  path: string
}

export interface Api {
  fetch: Hono<Env>['fetch']
  /** Below the API's base address. */
  routes: readonly Route[]
  /** Below the origin. */
  originRoutes: readonly Route[]
}

/** The HTTP edge: keys, body size, errors as section 7 has them, and the ledger around all of it. */
export function createApi(options: ApiOptions): Api {
  const {keys, rates, control, breaking, originRoutes} = options
  const app = new Hono<Env>()
  app.use(`${control.path}/*`, refuseForeignHosts)
  app.route(control.path, control.app)
  options.contract(app)
  app.use('*', recordRequests(options))
  app.use(`${BASE_PATH}/*`, refuseForeignHosts)
  app.use('*', breaking)
  app.use('*', noteResults)
  app.use(`${BASE_PATH}/*`, authorizeWith(keys, rates))
  app.use(
    '*',
    bodyLimit({maxSize: MAX_BODY_BYTES, onError: () => bodyTooLarge(MAX_BODY_BYTES).toResponse()}),
  )
  app.use('*', refuseForeignHosts)
  const routes = addRoutes(app, options.routes)
  const first = app.routes.length
  for (const addTo of originRoutes) addTo(app)
  const outside = app.routes.slice(first).filter(({method}) => method !== 'ALL')
  app.notFound((request) => routeNotFound(withoutSecret(request.req.path)).toResponse())
  app.onError((error) => (error instanceof Refusal ? error : internalError()).toResponse())
  return {fetch: app.fetch, routes, originRoutes: outside}
}

function addRoutes(app: Hono<Env>, routes: ApiOptions['routes']): Route[] {
  const methods = new Map<string, string[]>()
  const add: AddRoute = (method, path, handler, options) => {
    const isRead = method === 'GET' || options?.readsOnly === true
    // Hono runs the handler of GET for HEAD; on a stream that would never end.
    const answer: Handler = (request) => {
      if (request.req.method === 'HEAD') throw methodNotAllowed(methods.get(path) ?? [])
      return handler(request)
    }
    app.on(method, `${BASE_PATH}${path}`, isRead ? answer : allowWriters(handler))
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  for (const addTo of routes) addTo(add)
  for (const [path, allowed] of methods) {
    app.all(`${BASE_PATH}${path}`, () => {
      throw methodNotAllowed(allowed)
    })
  }
  return [...methods].flatMap(([path, allowed]) => allowed.map((method) => ({method, path})))
}

/** A page of elsewhere may come under a name that leads here by now. */
const refuseForeignHosts: MiddlewareHandler<Env> = async ({req}, next) => {
  const host = req.header('host') ?? ''
  if (!isLoopbackHost(host)) throw foreignHost(host)
  await next()
}

function allowWriters(handler: Handler): Handler {
  return (request) => {
    if (!request.get('principal').canWrite) throw forbidden()
    return handler(request)
  }
}

function authorizeWith(keys: Keys, rates: Rates): MiddlewareHandler<Env> {
  return async (request, next) => {
    const key = bearerOf(request)
    const principal = key === undefined ? undefined : keys.principal(key)
    if (principal === undefined) throw unauthorized()
    request.set('principal', principal)
    rates.take(principal.key)
    await next()
  }
}
