import type {IncomingMessage} from 'node:http'
import type {Duplex} from 'node:stream'
import type {HttpBindings} from '@hono/node-server'
import {Hono, type MiddlewareHandler} from 'hono'
import {createAppsControl, type AppsControl} from './apps/apps-control.ts'
import {consentRoutes} from './apps/consent-routes.ts'
import type {AppSides} from './apps/app-sides.ts'
import {controlRoutes} from './control/routes.ts'
import {openCore, type Core, type CoreParts} from './core.ts'
import type {ResponseUrls} from './delivery/response-urls.ts'
import {createSendSigned} from './delivery/signed-request.ts'
import {ackTimeoutMs} from './delivery/transport.ts'
import {verifyUrl} from './delivery/url-verification.ts'
import {parseJson} from './edge/arguments.ts'
import {readLints} from './lints/lints.ts'
import type {Lint} from './lints/lint.ts'
import {createRates} from './edge/rates.ts'
import {webApi} from './edge/web-api.ts'
import type {StoredFile} from './files/files.ts'
import {fileRoutes} from './files/routes.ts'
import {methodTable} from './methods/table.ts'
import {pageFeed} from './page-feed/routes.ts'
import {createPageSight} from './page-feed/sight.ts'

/** The parts of the local Slack, put together: no socket of its own is open here. */
export function assemble(parts: CoreParts) {
  const core = openCore(parts)
  const {record, lines, closing, appSides, teamOf} = core
  const apps = createAppsControl({appSides, lines, rosterOf: (teamId) => teamOf(teamId).roster})
  const {timeFactor = 1} = parts.options
  const declaredScopes = (appId: string | undefined) =>
    lines.find(({app}) => app.id === appId)?.app.options.scopes
  const lints = (): Lint[] =>
    readLints(record.ledgerWriter.ledger, {nowMs: parts.now(), timeFactor, declaredScopes})
  return {
    ...core,
    apps,
    lints,
    routes: createRoutes({...core, apps, lints}, parts),
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const {searchParams} = new URL(request.url ?? '/', 'http://local')
      const line = lines.find(({app}) => app.id === searchParams.get('app_id')) ?? lines[0]
      line?.socketMode.upgrade(request, socket, head)
    },
    close: async (): Promise<void> => {
      closing.abort()
      for (const {socketMode} of lines) socketMode.close()
      record.streams.close()
      await Promise.all(lines.map(({deliveries}) => deliveries.close()))
      parts.database.close()
    },
  }
}

function createRoutes(
  core: Core & {apps: AppsControl; lints: () => Lint[]},
  {options, now}: CoreParts,
): Hono<{Bindings: HttpBindings}> {
  const {record, teams, teamOf, appSides, office, faultBox, peopleOf} = core
  const {ledger, recordCall} = record.ledgerWriter
  const closing = core.closing.signal
  const {rateScale: scale = 1, leastRetryAfterSeconds: leastSeconds} = options
  const {liveBurst, statusPerChannel} = options
  const rates = createRates({scale, now, ...(leastSeconds !== undefined && {leastSeconds})})
  const sightOf = (teamId?: string) => {
    const team = teamOf(teamId)
    return createPageSight({record, team, teams, sides: () => appSides.in(team.roster.team.id)})
  }
  const routes = [
    pageFeed({sightOf, closing}),
    consentRoutes({...office, rosters: teams.map(({roster}) => roster)}),
    responseRoutes(record.responseUrls),
    fileRoutes({files: record.files, mayRead: createFileGate(core)}),
    controlRoutes({
      ...{peopleOf, apps: core.apps, faults: faultBox.faults, ledger, lints: core.lints},
      objectionTo: createUrlCheck(core),
    }),
  ]
  const all = new Hono<{Bindings: HttpBindings}>()
  for (const path of ['/control/*', '/local/*']) all.use(path, refuseForeignPages)
  all.route(
    '/',
    webApi({
      ...core,
      methods: methodTable({liveBurst, statusPerChannel}),
      rates,
      recordCall,
      closing,
    }),
  )
  for (const some of routes) all.route('/', some)
  return all
}

/** A browser says whose page asks: none but the own one acts here, or reads along. */
const refuseForeignPages: MiddlewareHandler = async ({req, json}, next) => {
  const origin = req.header('origin')
  const host = origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
  if (origin === undefined || host === req.header('host')) return next()
  const error = `A page of ${origin} may not act here. Open ${req.header('host')} itself, or call without an Origin.`
  return json({ok: false, error}, 403)
}

/** Asks as the deliveries do, before an address takes effect; an unknown app is refused elsewhere. */
function createUrlCheck({lines, record: {now, timeFactor}, closing: {signal}}: Core) {
  return async ({appId, url}: {appId: string; url: string}): Promise<string | undefined> => {
    const app = lines.find((line) => line.app.id === appId)?.app
    if (app === undefined) return undefined
    const timeoutMs = ackTimeoutMs * timeFactor
    const {signingSecret} = app
    const send = createSendSigned({signingSecret, timeoutMs, closing: signal, now})
    return (await verifyUrl(send, url))?.sentence
  }
}

/** A file is read by the apps of its workspace. */
function createFileGate({appSides, teamOf}: {appSides: AppSides; teamOf: Core['teamOf']}) {
  return (token: string, file: StoredFile | undefined): boolean => {
    const found = appSides.withToken(token)
    if (found?.state !== 'valid' || !found.side.desk.grants.has('files:read')) return false
    const {roster} = teamOf(found.side.installation().teamId)
    return file === undefined || roster.member(file.userId) !== undefined
  }
}

function responseRoutes(responseUrls: ResponseUrls): Hono {
  const routes = new Hono()
  routes.post('/response/:id', async (context) => {
    const body = parseJson(await context.req.text())
    const {status, answer} = responseUrls.use(context.req.param('id'), body)
    return typeof answer === 'string' ? context.text(answer, status) : context.json(answer, status)
  })
  return routes
}
