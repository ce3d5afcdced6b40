import type {MiddlewareHandler} from 'hono'
import {Refusal} from './errors.ts'
import type {Env, Request} from './request.ts'

/** Notes for the ledger what a change came to, whatever becomes of its answer on the way to the client. */
export const noteResults: MiddlewareHandler<Env> = async (request, next) => {
  await next()
  request.set('result', await resultOf(request))
}

async function resultOf(request: Request): Promise<Record<string, unknown> | undefined> {
  if (request.error instanceof Refusal) return {_tag: request.error.body['_tag']}
  const isJson = request.res.headers.get('content-type')?.startsWith('application/json') === true
  if (request.req.method === 'GET' || !isJson) return undefined
  const body: unknown = await request.res.clone().json()
  return typeof body === 'object' && body !== null ? fieldsOf(body) : undefined
}

/** Ids and outcomes, and nothing that could be a secret. */
const FIELDS = /^(?:id|\w+Id|outcomes?|deduped|adopted|interrupted|deleted|valid|_tag)$/

function fieldsOf(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => FIELDS.test(name)))
}
