import type {HttpBindings} from '@hono/node-server'
import type {Context} from 'hono'
import {z} from 'zod'
import type {Route} from '../../../src/platform/contract/route.ts'
import type {PathOf} from '../../../src/platform/contract/routes.ts'
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
    /** What the platform answered in ids and outcomes, for the ledger. */
    result?: Readonly<Record<string, unknown>> | undefined
    /** The kind of the fault that hit, for the ledger. */
    fault?: string | undefined
    /** Whether the connection was cut without an answer, for the ledger. */
    isLost?: boolean
  }
}

export type Request = Context<Env>
export type Handler = (request: Request) => Response | Promise<Response>

/**
 * Adds a route below the API's base address. Whatever is not a GET changes something and is refused to
 * read-only keys, unless the route says that it only reads. One that the contract does not list does not compile.
 */
export type AddRoute = <Method extends Route['method']>(
  method: Method,
  path: PathOf<Method>,
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
  const encoding = request.req.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw invalidRequest('Send the body without a content-encoding.')
  const parsed = schema.safeParse(await readJson(request))
  if (!parsed.success) throw invalidRequest(describe(parsed.error))
  return parsed.data
}

/** The body of a request as JSON, noted for the ledger. */
export async function readJson(request: Request): Promise<unknown> {
  const body = parseJson(await request.req.arrayBuffer())
  request.set('body', body)
  return body
}

export function param(request: Request, name: string): string {
  return request.req.param(name) ?? ''
}

/** The key that a request carries. Section 5.1. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.req.header('authorization') ?? '')?.[1]
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

function parseJson(bytes: ArrayBuffer): unknown {
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes))
  } catch (cause) {
    throw Object.assign(invalidRequest('The body is not valid JSON in UTF-8.'), {cause})
  }
  if (isDeeperThan(MAX_DEPTH, body)) {
    throw invalidRequest(`The body may be nested at most ${MAX_DEPTH} levels deep.`)
  }
  return body
}

/** Far from where writing a value as JSON again would overflow the stack. */
const MAX_DEPTH = 500

function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value].filter(isNested)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true
    level = level.flatMap((nested): unknown[] => Object.values(nested)).filter(isNested)
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function describe(error: z.ZodError): string {
  const issues = error.issues.map(({path, message}) => `${path.join('.') || 'body'}: ${message}`)
  return `${issues.join('; ')}.`
}
