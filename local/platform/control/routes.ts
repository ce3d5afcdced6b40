import {Hono} from 'hono'
import {z} from 'zod'
import {planSchema} from '../agent/scripted.ts'
import {
  Refusal,
  internalError,
  invalidRequest,
  routeNotFound,
  threadNotFound,
} from '../edge/errors.ts'
import type {Route} from '../edge/api.ts'
import type {Ledger} from '../edge/ledger.ts'
import {param, readBody, type Env, type Request} from '../edge/request.ts'
import type {Threads} from '../threads/threads.ts'
import {THREAD_STATES} from '../threads/vocabulary.ts'
import {createGithubPage} from '../github/routes.ts'
import type {Webhooks} from '../github/webhooks.ts'
import type {Control} from './control.ts'
import {faultRuleSchema} from './faults.ts'

const restartSchema = z.strictObject({downMs: z.int().min(0).max(600_000).default(0)})
const streamsSchema = z.strictObject({threadId: z.string().optional()})
const keySchema = z.strictObject({key: z.string()})
const userSchema = z.strictObject({active: z.boolean()})
const pullRequestSchema = z.strictObject({
  repo: z.string(),
  number: z.int().positive(),
  title: z.string().optional(),
  state: z.enum(['open', 'draft', 'closed']).optional(),
  headSha: z.string().optional(),
  baseSha: z.string().optional(),
  readable: z.boolean().optional(),
})
const stateSchema = z.strictObject({state: z.enum(THREAD_STATES)})
const limitsSchema = z.strictObject({
  maxStreams: z.int().min(0).optional(),
  rateLimit: z
    .strictObject({perMinute: z.number().positive(), burst: z.int().min(1)})
    .nullable()
    .optional(),
})

interface ControlRoutes {
  control: Control
  ledger: Ledger
  threads: Threads
  webhooks: Webhooks
  routes: () => readonly Route[]
  transcript: (threadId: string) => unknown[]
}

/**
 * The address of tests that drive the platform from another process: `/control`, beside the API, for whoever can
 * reach the loopback interface. What is asked here stands in no ledger, and no fault hits it.
 */
export function createControlApi(parts: ControlRoutes): Hono<Env> {
  const app = new Hono<Env>()
  addFaultRoutes(app, parts.control)
  addServerRoutes(app, parts.control)
  addOrganizationRoutes(app, parts.control)
  addScriptRoutes(app, parts.control)
  addThreadRoutes(app, parts)
  app.route('/github', createGithubPage(parts.webhooks))
  app.get('/ledger', (request) => {
    const after = readAfter(request)
    return request.json({rows: parts.ledger.rows.filter(({seq}) => seq > after)})
  })
  app.get('/routes', (request) => request.json({routes: parts.routes()}))
  app.all('/*', (request) => {
    throw routeNotFound(request.req.path)
  })
  app.onError((error) => (error instanceof Refusal ? error : internalError()).toResponse())
  return app
}

function addFaultRoutes(app: Hono<Env>, {faults}: Control): void {
  app.post('/faults', async (request) => {
    return request.json({id: faults.add(await readBody(request, faultRuleSchema))})
  })
  app.get('/faults', (request) => request.json({faults: faults.list()}))
  app.delete('/faults', (request) => request.json({removed: faults.clear()}))
  app.delete('/faults/:id', (request) => {
    if (!faults.remove(param(request, 'id'))) throw routeNotFound(request.req.path)
    return request.json({removed: 1})
  })
}

function addServerRoutes(app: Hono<Env>, control: Control): void {
  app.post('/restart', async (request) => {
    const {downMs} = await readBody(request, restartSchema)
    // The answer goes out first: the server that gives it is about to end.
    request.env.outgoing.once('close', () => void control.restart(downMs))
    return request.json({downMs}, 202, {connection: 'close'})
  })
  app.post('/streams/close', async (request) => {
    const {threadId} = await readBody(request, streamsSchema)
    return request.json({closed: control.closeStreams(threadId)})
  })
  app.put('/limits', async (request) => {
    const limits = await readBody(request, limitsSchema)
    control.setLimits(limits)
    return request.json(limits)
  })
}

function addOrganizationRoutes(app: Hono<Env>, control: Control): void {
  app.post('/keys/revoke', async (request) => {
    const {key} = await readBody(request, keySchema)
    return request.json({revoked: control.revokeKey(key)})
  })
  app.post('/users/:userId', async (request) => {
    const {active} = await readBody(request, userSchema)
    const id = param(request, 'userId')
    control.setActive(id, active)
    return request.json({id, active})
  })
  app.put('/pull-requests', async (request) => {
    const change = await readBody(request, pullRequestSchema)
    control.setPullRequest(change)
    return request.json(change)
  })
}

function addThreadRoutes(app: Hono<Env>, {control, threads, transcript}: ControlRoutes): void {
  app.get('/threads', (request) => {
    const items = threads.all().map(({id, requestId, status, state, archived, title}) => {
      return {id, requestId, title, status, state, archived: archived === 1}
    })
    return request.json({items})
  })
  app.get('/threads/:threadId/transcript', (request) => {
    return request.json({items: transcript(findThread(request, threads))})
  })
  app.put('/threads/:threadId', async (request) => {
    const {state} = await readBody(request, stateSchema)
    const id = findThread(request, threads)
    control.setState(id, state)
    return request.json({id, state, status: threads.status(id)})
  })
}

function addScriptRoutes(app: Hono<Env>, control: Control): void {
  app.post('/scripts', async (request) => {
    control.planScript(await readBody(request, planSchema))
    return request.json({planned: true})
  })
}

function findThread(request: Request, threads: Threads): string {
  const id = param(request, 'threadId')
  if (threads.find(id) === undefined) throw threadNotFound(id)
  return id
}

function readAfter(request: Request): number {
  const after = request.req.query('after') ?? '0'
  if (!/^\d{1,15}$/.test(after)) throw invalidRequest('after must be a seq of the ledger.')
  return Number(after)
}
