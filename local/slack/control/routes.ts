import {Hono, type Context} from 'hono'
import {z} from 'zod'
import type {AppsControl} from '../apps/apps-control.ts'
import {disconnectReasons, type Faults} from '../edge/faults.ts'
import type {Ledger} from '../edge/ledger.ts'
import type {Lint} from '../lints/lint.ts'
import {definedOnly} from './act.ts'
import {acts} from './acts.ts'
import type {People} from '../people/people.ts'

interface ControlRoutesParts {
  /** Of a workspace; of the first one without an id. */
  peopleOf: (teamId: string | undefined) => People
  apps: AppsControl
  /** What is wrong with an address for the payloads of an app, as a sentence. */
  objectionTo: (eventsUrl: {appId: string; url: string}) => Promise<string | undefined>
  faults: Faults
  ledger: Ledger
  lints: () => Lint[]
}

/**
 * The address of tests that drive the local Slack from another process: people act, things go wrong, and the
 * record says what the app did. It stands outside the Web API, so nothing here is recorded, limited or broken.
 */
export function controlRoutes(parts: ControlRoutesParts): Hono {
  const routes = new Hono()
  routes.onError((error, context) => context.json({ok: false, error: toWords(error)}, 400))
  addPeople(routes, parts.peopleOf)
  addApps(routes, parts)
  addFaults(routes, parts.faults)
  addRecord(routes, parts.ledger)
  routes.get('/control/lints', (context) => context.json({lints: parts.lints()}))
  routes.all('/control/*', ({req, json}) => {
    const error = `Nothing is at ${req.method} ${req.path}. See docs/local-slack.md.`
    return json({ok: false, error}, 404)
  })
  return routes
}

/** The answer is what the person gets back; `team` says in which workspace they act. */
function addPeople(routes: Hono, peopleOf: ControlRoutesParts['peopleOf']): void {
  for (const [name, act] of Object.entries(acts)) {
    routes.post(`/control/people/${name}`, async (context) => {
      const people = peopleOf(context.req.query('team'))
      const result = await act.run(people, await context.req.json())
      return context.json({ok: true, result: result ?? null})
    })
  }
}

const installSchema = z.strictObject({
  appId: z.string(),
  teamId: z.string(),
  as: z.string().optional(),
  scopes: z.array(z.string()).optional(),
})
const eventsUrlSchema = z.strictObject({appId: z.string(), url: z.url()})
const uninstallSchema = installSchema.pick({appId: true, teamId: true})

function addApps(routes: Hono, {apps, objectionTo}: ControlRoutesParts): void {
  routes.get('/control/apps', (context) => context.json({apps: apps.all()}))
  routes.post('/control/apps/install', async (context) => {
    const installed = apps.install(definedOnly(await readBody(context, installSchema)))
    return context.json({ok: true, result: installed})
  })
  routes.post('/control/apps/uninstall', async (context) => {
    const {appId, teamId} = await readBody(context, uninstallSchema)
    apps.uninstall(appId, teamId)
    return context.json({ok: true})
  })
  routes.put('/control/apps/events-url', async (context) => {
    const {appId, url} = await readBody(context, eventsUrlSchema)
    const objection = await objectionTo({appId, url})
    if (objection !== undefined) throw new Error(objection)
    apps.setEventsUrl(appId, url)
    return context.json({ok: true})
  })
}

const failureSchema = z.strictObject({
  method: z.string().min(1),
  times: z.int().min(1).default(1),
  status: z.int().min(100).max(599).optional(),
  error: z.string().min(1).optional(),
  applied: z.boolean().default(false),
  retryAfterSeconds: z.number().min(0).optional(),
  delayMs: z.number().min(0).optional(),
  lateMs: z.number().min(0).optional(),
  page: z.literal(true).optional(),
})
const weatherSchema = z.strictObject({
  deliveries: z.int().min(1).max(10).optional(),
  latencyMs: z.number().min(0).max(60_000).optional(),
  jitterMs: z.number().min(0).max(60_000).optional(),
  reorder: z.boolean().optional(),
  eventsPerHour: z.int().min(0).optional(),
})
const stormSchema = z
  .strictObject({
    method: z.string().min(1),
    ms: z.int().min(1).optional(),
    times: z.int().min(1).optional(),
    retryAfterSeconds: z.number().min(0).optional(),
  })
  .refine(({ms, times}) => ms !== undefined || times !== undefined, 'says ms, times or both')
const disconnectSchema = z.strictObject({reason: z.enum(disconnectReasons)})

function addFaults(routes: Hono, faults: Faults): void {
  routes.post('/control/faults', async (context) => {
    const {method, ...failure} = await readBody(context, failureSchema)
    faults.failNext(method, definedOnly(failure))
    return context.json({ok: true})
  })
  routes.put('/control/faults', async (context) => {
    Object.assign(faults, definedOnly(await readBody(context, weatherSchema)))
    const {deliveries, latencyMs, jitterMs, reorder, eventsPerHour} = faults
    return context.json({ok: true, deliveries, latencyMs, jitterMs, reorder, eventsPerHour})
  })
  routes.delete('/control/faults', (context) => {
    faults.calm()
    return context.json({ok: true})
  })
  routes.post('/control/faults/storm', async (context) => {
    const {method, ...storm} = await readBody(context, stormSchema)
    faults.storm(method, definedOnly(storm))
    return context.json({ok: true})
  })
  addFaultActs(routes, faults)
}

function addFaultActs(routes: Hono, faults: Faults): void {
  routes.post('/control/faults/revoke-token', (context) => {
    faults.revokeToken()
    return context.json({ok: true})
  })
  routes.post('/control/faults/drop-sockets', (context) => {
    faults.dropSockets()
    return context.json({ok: true})
  })
  routes.post('/control/faults/disconnect-sockets', async (context) => {
    faults.disconnectSockets((await readBody(context, disconnectSchema)).reason)
    return context.json({ok: true})
  })
}

function addRecord(routes: Hono, ledger: Ledger): void {
  const after = (context: Context, name: string): number => {
    return z.coerce.number().int().min(0).default(0).parse(context.req.query(name))
  }
  routes.get('/control/ledger', (context) => {
    const calls = ledger.calls.slice(after(context, 'calls'))
    const deliveries = ledger.deliveries.slice(after(context, 'deliveries'))
    return context.json({calls, deliveries})
  })
  routes.get('/control/versions', (context) => {
    const {channel = '', ts = ''} = context.req.query()
    return context.json({versions: ledger.versions(channel, ts)})
  })
}

async function readBody<Body>(context: Context, schema: z.ZodType<Body>): Promise<Body> {
  return schema.parse(await context.req.json())
}

function toWords(error: Error): string {
  if (!(error instanceof z.ZodError)) return error.message
  return error.issues.map(({path, message}) => `${path.join('.') || 'body'}: ${message}`).join('; ')
}
