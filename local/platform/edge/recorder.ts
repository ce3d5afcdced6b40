import type {MiddlewareHandler} from 'hono'
import type {Clock} from '../clock.ts'
import {definedOnly} from '../defined-only.ts'
import type {Keys} from '../organization/keys.ts'
import type {Ledger, LedgerRow} from './ledger.ts'
import type {OpenStreams} from './open-streams.ts'
import {bearerOf, type Env, type Request} from './request.ts'
import {withoutSecret} from './secret-path.ts'

interface RecorderOptions {
  clock: Clock
  keys: Keys
  ledger: Ledger
  openStreams: OpenStreams
}

/** Writes every request into the ledger, just before its answer goes out. */
export function recordRequests(options: RecorderOptions): MiddlewareHandler<Env> {
  const {clock, keys, ledger, openStreams} = options
  return async (request, next) => {
    const atMs = clock.nowMs()
    const {outgoing: response, incoming} = request.env
    const {socket} = incoming
    const bytesBefore = socket.bytesWritten
    request.set('applied', false)
    await next()
    const key = labelOf(request, keys)
    const seq = ledger.add(toRow(request, {atMs, key}))
    // Only streams begin to answer before they have been handled.
    if (!response.headersSent) return
    const onClose = (): void => {
      const bytes = socket.bytesWritten - bytesBefore
      ledger.close(seq, {bytes, closedAtMs: clock.nowMs()})
    }
    if (response.closed) onClose()
    else {
      openStreams.add(streamOf(request), response)
      response.once('close', onClose)
    }
  }
}

function toRow(request: Request, known: Pick<LedgerRow, 'atMs' | 'key'>): Omit<LedgerRow, 'seq'> {
  const {pathname, search} = new URL(request.req.url)
  const optional = {
    body: withoutSecrets(request.get('body')),
    lastEventId: request.req.header('last-event-id'),
    idempotencyKey: request.req.header('idempotency-key'),
    result: request.get('result'),
    fault: request.get('fault'),
  }
  return {
    ...known,
    method: request.req.method,
    path: withoutKeys(withoutSecret(pathname + search)),
    status: request.get('isLost') === true ? null : request.res.status,
    applied: request.get('applied'),
    ...definedOnly(optional),
  }
}

/** A faulted request may never have come to where keys are checked. */
function labelOf(request: Request, keys: Keys): string | null {
  const checked: Partial<Env['Variables']> = request.var
  const bearer = bearerOf(request)
  const principal = checked.principal ?? (bearer === undefined ? undefined : keys.principal(bearer))
  return principal?.label ?? null
}

const SECRETS = /key_(?:human|service)_[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]+/g

/** Keys and session tokens are recognised wherever somebody puts them, and what is given as a token is one, whatever it is. */
function withoutKeys(text: string): string {
  return text.replace(SECRETS, '…')
}

function withoutSecrets(body: unknown): unknown {
  if (body === undefined) return undefined
  const json = JSON.stringify(body)
  const clean = withoutKeys(json).replace(/"token":"(?:[^"\\]|\\.)*"/g, '"token":"…"')
  return clean === json ? body : JSON.parse(clean)
}

/** The thread or task whose stream this is. */
function streamOf({req}: Request): string | undefined {
  const id = /\/(?:threads|tasks)\/([^/]+)\/stream$/.exec(req.path)?.[1]
  return id === undefined ? undefined : decodeURIComponent(id)
}
