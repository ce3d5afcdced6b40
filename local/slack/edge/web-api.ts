import {setTimeout as delay} from 'node:timers/promises'
import type {HttpBindings} from '@hono/node-server'
import {Hono} from 'hono'
import {alreadySent} from '../../already-sent.ts'
import {isRecord, type Arguments} from './arguments.ts'
import type {Failure, FaultBox} from './faults.ts'
import type {CallRecord, LedgerWriter} from './ledger.ts'
import type {AppSides} from '../apps/app-sides.ts'
import type {AppLine} from '../apps/line.ts'
import type {Office} from '../apps/oauth.ts'
import type {Answer, Method} from '../methods/method.ts'
import type {Rates} from './rates.ts'
import {Refusal} from './refusal.ts'
import {readArguments, type ReceivedArguments} from './request.ts'
import {scopesFor} from './scopes.ts'

interface WebApiParts {
  appSides: AppSides
  lines: readonly AppLine[]
  office: Office
  record: {origin: string; now: () => number}
  methods: Map<string, Method>
  rates: Rates
  faultBox: FaultBox
  recordCall: LedgerWriter['recordCall']
  /** Aborted when the local Slack closes: calls on their way end there. */
  closing: AbortSignal
}

type Outcome = Pick<CallRecord, 'status' | 'answer' | 'applied'> & {
  retryAfterSeconds?: number
  /** What the caller may do at all. */
  scopes?: readonly string[]
}

/**
 * The Web API. A call goes `held (latency) → applied → recorded → held → answered`; tests may make it
 * fail at either end, and a call whose client has left is applied all the same.
 */
export function webApi(parts: WebApiParts): Hono<{Bindings: HttpBindings}> {
  const {faultBox, closing} = parts
  const hold = async (ms: number): Promise<void> => {
    if (ms > 0) await delay(ms, undefined, {signal: closing})
  }
  const holdUntilCalm = async (ms: number): Promise<void> => {
    const calm = faultBox.untilCalm()
    const held = delay(ms, undefined, {signal: AbortSignal.any([closing, calm])})
    await held.catch((error: unknown) => {
      if (!calm.aborted) throw error
    })
  }
  const api = new Hono<{Bindings: HttpBindings}>()
  api.all('/api/:method', async (context) => {
    const method = context.req.param('method')
    const arrivedAtMs = parts.record.now()
    const args = await readArguments(context.req)
    const failure = faultBox.takeFailure(method)
    const {latencyMs, jitterMs} = faultBox.faults
    const heldMs = latencyMs + Math.random() * jitterMs
    if (failure?.delayMs !== undefined) await holdUntilCalm(failure.delayMs)
    await hold(heldMs / 2)
    closing.throwIfAborted()
    const outcome = settle(parts, {method, args, failure})
    const {status, answer: said, applied, retryAfterSeconds} = outcome
    if (failure?.applied === true && failure.lateMs !== undefined) {
      // Nobody waits for it any more.
      hold(failure.lateMs).then(() => answer(parts, {method, args}), doNothing)
    }
    const answered = parts.recordCall({
      ...callerOf(parts, args),
      ...{method, args: withoutSecrets(args.values), status, answer: said, applied, arrivedAtMs},
      ...(retryAfterSeconds !== undefined && {retryAfterSeconds}),
    })
    await hold(heldMs / 2)
    answered()
    if (outcome.status === 0) {
      context.env.incoming.socket.destroy()
      return alreadySent()
    }
    const headers = toHeaders(method, outcome)
    if (failure?.page === true) return context.html(PROXY_PAGE, 502)
    return new Response(JSON.stringify(outcome.answer), {status: outcome.status, headers})
  })
  api.onError((error, context) => {
    if (!closing.aborted) console.error(error)
    return context.json({ok: false, error: 'internal_error'}, 500)
  })
  return api
}

/** The local Slack has closed. */
function doNothing(): void {}

const PROXY_PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>'

const SECRETS = ['client_secret', 'refresh_token', 'code', 'code_verifier']

/** As it may be kept and shown: that they came is all that counts. */
function withoutSecrets(args: Record<string, unknown>): Record<string, unknown> {
  const hidden = SECRETS.filter((name) => typeof args[name] === 'string')
  if (hidden.length === 0) return args
  return {...args, ...Object.fromEntries(hidden.map((name) => [name, '…']))}
}

/** Whoever it is, also where the call is refused. */
function callerOf(
  {appSides, lines, office}: WebApiParts,
  args: Arguments,
): Pick<CallRecord, 'appId' | 'teamId'> {
  const app =
    lines.find((line) => line.app.appToken === args.token)?.app ??
    office.apps.find(({clientId}) => clientId === args.text('client_id'))
  const installation = appSides
    .withToken(args.token ?? '', args.text('team_id'))
    ?.side.installation()
  if (installation === undefined) return app === undefined ? {} : {appId: app.id}
  return {appId: installation.appId, teamId: installation.teamId}
}

function toHeaders(
  method: string,
  {retryAfterSeconds, scopes = []}: Outcome,
): Record<string, string> {
  const accepted = scopesFor(method)
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-oauth-scopes': scopes.join(','),
    ...(accepted !== undefined && {'x-accepted-oauth-scopes': accepted.join(',')}),
    ...(retryAfterSeconds !== undefined && {'retry-after': String(retryAfterSeconds)}),
  }
}

function settle(
  parts: WebApiParts,
  call: {method: string; args: ReceivedArguments; failure: Failure | undefined},
): Outcome {
  const {failure} = call
  if (failure === undefined) return answer(parts, call)
  const real = failure.applied && failure.lateMs === undefined ? answer(parts, call) : undefined
  const applied = real?.applied ?? false
  const {status, error, retryAfterSeconds} = failure
  if (status === undefined && error === undefined) {
    // Held only: a late answer is no failure beyond its delay.
    if (failure.delayMs !== undefined && real !== undefined) return real
    return {status: 0, answer: real?.answer ?? {}, applied}
  }
  return {
    status: status ?? 200,
    answer: {ok: false, error: error ?? (status === 429 ? 'ratelimited' : 'internal_error')},
    applied,
    ...(status === 429 && {retryAfterSeconds: toWholeSeconds(retryAfterSeconds ?? 1)}),
  }
}

/** The header says whole seconds, whatever a test asks for: https://docs.slack.dev/apis/web-api/rate-limits */
function toWholeSeconds(seconds: number): number {
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 1
}

function answer(
  parts: WebApiParts,
  {method: name, args}: {method: string; args: ReceivedArguments},
): Outcome {
  let scopes: readonly string[] = []
  try {
    const method = parts.methods.get(name)
    if (method === undefined) throw new Refusal('unknown_method', {req_method: name})
    if (args.objection !== undefined) throw args.objection
    const call = admit(parts, {name, method, args})
    scopes = call.scopes
    const waitSeconds = parts.rates.take(limitsOf(name, call.caller, method, args))
    if (waitSeconds !== undefined) {
      const limited = {ok: false, error: 'ratelimited'}
      return {status: 429, answer: limited, applied: false, retryAfterSeconds: waitSeconds, scopes}
    }
    const result: Answer = {ok: true, ...call.handle()}
    return {status: 200, answer: withWarnings(result, args), applied: true, scopes}
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const refused = {ok: false, error: error.code, ...error.details}
    return {status: 200, answer: withWarnings(refused, args), applied: false, scopes}
  }
}

/** Behind what the method itself warns of stands what Slack thinks of the request. */
function withWarnings(result: Answer, {warnings}: ReceivedArguments): Answer {
  if (warnings.length === 0) return result
  const metadata = isRecord(result['response_metadata']) ? result['response_metadata'] : {}
  const own: unknown[] = Array.isArray(metadata['warnings']) ? metadata['warnings'] : []
  const all = [...own, ...warnings]
  return {...result, warning: all.join(','), response_metadata: {...metadata, warnings: all}}
}

/** A call whose token is good for it. */
interface Admitted {
  /** Whose limits count. */
  caller: string
  scopes: readonly string[]
  handle: () => Answer
}

function admit(
  {appSides, lines, office, record}: WebApiParts,
  {name, method, args}: {name: string; method: Method; args: Arguments},
): Admitted {
  if (method.token === 'none') {
    return {caller: '', scopes: [], handle: () => method.handle(office, args)}
  }
  const {token} = args
  if (token === undefined || token === '') throw new Refusal('not_authed')
  const line = lines.find(({app}) => app.appToken === token)
  const found = line === undefined ? appSides.withToken(token, args.text('team_id')) : undefined
  if (line === undefined && found === undefined) throw new Refusal('invalid_auth')
  if (found !== undefined && found.state !== 'valid') throw new Refusal(found.state)
  if (method.token === 'app') {
    if (line === undefined) throw new Refusal('not_allowed_token_type')
    const origin = record.origin.replace('http', 'ws')
    const newSocketUrl = (): string => `${origin}${line.socketMode.newPath()}`
    return {caller: line.app.id, scopes: [], handle: () => method.handle({newSocketUrl}, args)}
  }
  if (found === undefined) throw new Refusal('not_allowed_token_type')
  const {desk, installation} = found.side
  desk.grants.requireOneOf(scopesFor(name) ?? [])
  const scopes = desk.grants.scopes()
  return {caller: installation().id, scopes, handle: () => method.handle(desk, args)}
}

function limitsOf(name: string, caller: string, {rate, channelRate}: Method, args: Arguments) {
  const channel = args.text('channel') ?? args.text('channel_id') ?? ''
  const key = `${caller} ${name}`
  return [
    ...(channelRate === undefined ? [] : [{key: `${key} ${channel}`, rate: channelRate}]),
    ...(rate === undefined ? [] : [{key, rate}]),
  ]
}
