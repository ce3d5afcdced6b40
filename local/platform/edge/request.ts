import type {HttpBindings} from '@hono/node-server'
import type {Context} from 'hono'
import {z} from 'zod'
import {invalidRequest} from './errors.ts'
import type {Principal} from '../organization/keys.ts'

/** What a request carries through its handlers. */
export interface Env {
  Bindings: HttpBindings
  Variables: {
    principal: Principal
    /** The parsed body, for the ledger. */
    body: unknown
    /** Whether the request changed anything, for the ledger. */
    applied: boolean
  }
}

export type Request = Context<Env>
export type Handler = (request: Request) => Response | Promise<Response>

/**
 * Adds a route below the API's base address. Whatever is not a GET changes something and is refused to
 * read-only keys, unless the route says that it only reads.
 */
export type AddRoute = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  handler: Handler,
  options?: {readsOnly: boolean},
) => void

/** The body of a request, checked. Fields that the schema does not name pass unseen. Section 7, first row. */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const mediaType = request.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw invalidRequest('Send the body with content-type application/json.')
  }
  const body = parseJson(await request.req.text())
  request.set('body', body)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw invalidRequest(describe(parsed.error))
  return parsed.data
}

export function param(request: Request, name: string): string {
  return request.req.param(name) ?? ''
}

/** How many items of a list are wanted. Section 8 leaves default and maximum open. */
export function readLimit(request: Request): number {
  const given = request.req.query('limit')
  if (given === undefined) return DEFAULT_LIMIT
  if (!/^[0-9]+$/.test(given) || Number(given) < 1) {
    throw invalidRequest('limit must be a whole number of at least 1.')
  }
  return Math.min(Number(given), MAX_LIMIT)
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw Object.assign(invalidRequest('The body is not valid JSON.'), {cause})
  }
}

function describe(error: z.ZodError): string {
  const issues = error.issues.map(({path, message}) => `${path.join('.') || 'body'}: ${message}`)
  return `${issues.join('; ')}.`
}
