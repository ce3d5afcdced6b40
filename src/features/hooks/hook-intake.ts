import {createHash, randomBytes} from 'node:crypto'
import {type HookClaim, isGenuine, isSignedByGithub, mayBeGenuine} from './secret-check.ts'
import {Secret} from '../../security/secret.ts'
import type {DeliveryStore} from '../../store/tables/hooks/deliveries.ts'
import {type HookStore, MAX_FORMERS} from '../../store/tables/hooks/hooks.ts'
import type {HookSecrets} from '../../store/tables/hooks/hook-secrets.ts'
import {hookBodies} from './sealed-bodies.ts'
import {type Bucket, createBucket} from '../../async/buckets.ts'
import {createMemory} from '../../async/memory.ts'

/** What somebody sent to the address of a hook, its body byte for byte. */
interface HookRequest {
  hookId: string
  claim: HookClaim
  keys: KeyHeaders
  /** GitHub's name of what has happened, as often as it came. */
  githubEvents: readonly string[]
  body: Uint8Array
}

export type HookAnswer =
  /** `ignored`: it says nothing that we would do something about. */
  | {outcome: 'accepted' | 'duplicate' | 'ignored'}
  /** No such hook, or no secret of it: the same for both. */
  | {outcome: 'unauthorized'}
  | {outcome: 'disabled'}
  | {outcome: 'bad'; problem: BodyProblem | 'bad_key'}
  /** Too often, too many that wait, or the database does not take it now. */
  | {outcome: 'limited' | 'full' | 'silent'; retrySeconds: number}

export interface HookIntake {
  /** Whether the body is worth reading: there is such a hook, and its token is right where one was given. */
  mayKnow(hookId: string, claim: HookClaim): Promise<boolean>
  /** Takes a delivery once, and writes it down before anybody is told that it was taken. */
  take(request: HookRequest): Promise<HookAnswer>
}

interface HookIntakeOptions {
  hooks: HookStore
  deliveries: DeliveryStore
  rates: HookRates
  onAdded: () => void
  /** What a code host says of pull requests. */
  takeEvent: (event: {
    hookId: string
    event: string
    json: string
    signal: AbortSignal
  }) => Promise<'accepted' | 'duplicate' | 'ignored' | 'gone'>
  nowMs?: () => number
}

/** Senders wait for about 10 s. */
const WRITE_WITHIN_MS = 5000
const FULL_SECONDS = 60
const SILENT_SECONDS = 10

export function createHookIntake(options: HookIntakeOptions): HookIntake {
  const {hooks, deliveries, rates, onAdded, takeEvent, nowMs = Date.now} = options

  const mayKnow: HookIntake['mayKnow'] = async (hookId, claim) => {
    const {hook, secrets} = await hooks.secretsOf(hookId)
    return mayBeGenuine(claim, standing(secrets, nowMs())) && hook !== undefined
  }

  /** All is asked again: while the body came, the hook may have been deleted, or its secret replaced. */
  const take: HookIntake['take'] = async (request) => {
    const {hookId, keys, body} = request
    const {hook, secrets} = await hooks.secretsOf(hookId)
    const isTrue = isGenuine(request, standing(secrets, nowMs()), nowMs())
    if (hook === undefined || !isTrue) return {outcome: 'unauthorized'}
    const isGithubs = hook.kind === 'github'
    // A token would let whoever has read one delivery say anything.
    if (isGithubs && !isSignedByGithub(request.claim)) return {outcome: 'unauthorized'}
    if (hook.state === 'off') return {outcome: 'disabled'}
    const waitSeconds = rates.take(hookId)
    if (waitSeconds !== undefined) return {outcome: 'limited', retrySeconds: waitSeconds}
    const read = readHookBody(body)
    if ('problem' in read) return {outcome: 'bad', problem: read.problem}
    if (isGithubs) return hear(request, read.json)
    const key = hookKeyOf(keys, body)
    if (key === undefined) return {outcome: 'bad', problem: 'bad_key'}
    const late = AbortSignal.timeout(WRITE_WITHIN_MS)
    const sealed = hookBodies(hookId, secrets).seal(read.json, key)
    const row = {hookId, team: hook.team, key, sentKey: key, body: sealed}
    try {
      const terms = {perMinute: rates.perMinute, signal: late}
      const outcome = await deliveries.receive(row, nowMs(), terms)
      if (typeof outcome === 'object') {
        return {outcome: 'limited', retrySeconds: Math.ceil(outcome.waitMs / 1000)}
      }
      // Deleted since its secret was asked for.
      if (outcome === 'gone') return {outcome: 'unauthorized'}
      if (outcome === 'full') return {outcome, retrySeconds: FULL_SECONDS}
      if (outcome === 'accepted') onAdded()
      return {outcome}
    } catch (error) {
      if (!late.aborted) throw error
      return {outcome: 'silent', retrySeconds: SILENT_SECONDS}
    }
  }

  const hear = async (
    {hookId, githubEvents: [event = '']}: HookRequest,
    json: string,
  ): Promise<HookAnswer> => {
    const late = AbortSignal.timeout(WRITE_WITHIN_MS)
    try {
      const outcome = await takeEvent({hookId, event, json, signal: late})
      return {outcome: outcome === 'gone' ? 'unauthorized' : outcome}
    } catch (error) {
      if (!late.aborted) throw error
      return {outcome: 'silent', retrySeconds: SILENT_SECONDS}
    }
  }

  return {mayKnow, take}
}

/** No sender knows it: stands for secrets that a hook does not have, so that all hooks take the same time. */
const NOBODYS = new Secret(randomBytes(32).toString('base64url'))

function standing({secret, formers}: HookSecrets, nowMs: number): Secret[] {
  return Array.from({length: 1 + MAX_FORMERS}, (_, index) => {
    if (index === 0) return secret
    const former = formers[index - 1]
    return former !== undefined && former.untilMs > nowMs ? former.secret : NOBODYS
  })
}

/** What a sender says of which delivery it is; each header as often as it came. */
interface KeyHeaders {
  idempotencyKeys: readonly string[]
  /** https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers */
  githubDeliveries: readonly string[]
}

/** Printable, and as long as the platform takes it. */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/

/**
 * The sender's own key, else GitHub's id of the delivery, else a hash of the body; `undefined` for a key that is none.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header
 */
export function hookKeyOf(
  {idempotencyKeys, githubDeliveries}: KeyHeaders,
  body: Uint8Array,
): string | undefined {
  const given = idempotencyKeys.length > 0 ? idempotencyKeys : githubDeliveries
  const [key, ...others] = given
  if (key === undefined) return `body-${createHash('sha256').update(body).digest('hex')}`
  return others.length === 0 && KEY.test(key) ? key : undefined
}

/** Why a body is none: each is a word of the answer to its sender. */
type BodyProblem = 'no_json' | 'no_object' | 'too_deep' | 'no_utf8'

/** Levels of objects and lists. */
const MAX_DEPTH = 64

const utf8 = new TextDecoder('utf-8', {fatal: true})

/** The text of a JSON object, as it came; or why it is none. What is too deep is not parsed. */
export function readHookBody(bytes: Uint8Array): {json: string} | {problem: BodyProblem} {
  let json: string
  try {
    json = utf8.decode(bytes)
  } catch {
    return {problem: 'no_utf8'}
  }
  if (isDeeper(json, MAX_DEPTH)) return {problem: 'too_deep'}
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return {problem: 'no_json'}
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? {json} : {problem: 'no_object'}
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** In one pass, whatever the text is. */
function isDeeper(json: string, max: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) isInString = !isInString
    else if (isInString) {
      if (code === BACKSLASH) at += 1
    } else if (OPENING.has(code)) {
      depth += 1
      if (depth > max) return true
    } else if (CLOSING.has(code)) depth -= 1
  }
  return false
}

/** How often each hook may be used here: `perMinute` in a burst, and so many in each minute. The table counts all. */
interface HookRates {
  perMinute: number
  /** `undefined`: it may. Else in how many seconds it may again. */
  take(hookId: string): number | undefined
}

/** Those that have long been full again are forgotten. */
const MAX_KNOWN = 10_000

export function createHookRates(perMinute: number, nowMs: () => number): HookRates {
  const buckets = createMemory<Bucket>({most: MAX_KNOWN})
  const bucketOf = (hookId: string): Bucket => {
    const bucket = buckets.of(hookId) ?? createBucket({perMinute, burst: perMinute}, {nowMs})
    buckets.keep(hookId, bucket)
    return bucket
  }
  return {
    perMinute,
    take: (hookId) => {
      const bucket = bucketOf(hookId)
      const waitMs = bucket.waitMs(1)
      if (waitMs > 0) return Math.ceil(waitMs / 1000)
      bucket.take(1)
      return undefined
    },
  }
}
