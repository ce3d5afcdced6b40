import {createHash, createHmac, timingSafeEqual} from 'node:crypto'
import type {Secret} from '../../security/secret.ts'

/** How a delivery proves where it comes from; each header as often as it came. */
export interface HookClaim {
  authorizations: readonly string[]
  timestamps: readonly string[]
  /**
   * Ours, an HMAC-SHA256 in hex: `v1=` that of `v1:<timestamp>:<body>`; `v2=` that of `v2`, timestamp, `Idempotency-Key`
   * and body with a line feed between each, which no header can hold.
   */
  signatures: readonly string[]
  /** GitHub's, over the body alone: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries */
  githubSignatures: readonly string[]
}

/** What a claim is about. */
interface Claimed {
  claim: HookClaim
  /** As often as the header came. */
  keys: {idempotencyKeys: readonly string[]}
  body: Uint8Array
}

/** Before and behind our clock. */
const WINDOW_SECONDS = 300
const SECONDS = /^[1-9]\d{0,11}$/
const BEARER = /^Bearer +([!-~]+)$/i
const OURS = /^(v1|v2)=([0-9a-f]{64})$/
const GITHUBS = /^sha256=([0-9a-f]{64})$/

/** Whether there is anything to look into. */
export function isClaimed(claim: HookClaim): boolean {
  const {authorizations, signatures, githubSignatures} = claim
  return authorizations.length + signatures.length + githubSignatures.length > 0
}

/** Whether GitHub's own signature is among what it claims. */
export function isSignedByGithub({githubSignatures}: HookClaim): boolean {
  return githubSignatures.length > 0
}

/** As far as it can be told without the body: a signature may still be wrong. All secrets are tried here, too. */
export function mayBeGenuine({authorizations}: HookClaim, secrets: readonly Secret[]): boolean {
  let isOne = false
  for (const secret of secrets) {
    isOne = authorizations.map((value) => isBearer(value, secret)).every(Boolean) || isOne
  }
  return isOne
}

/**
 * Whether whoever sent it has one of the secrets. Each way that is taken has to hold. All secrets are tried, and each takes as
 * long, right or wrong.
 */
export function isGenuine(claimed: Claimed, secrets: readonly Secret[], nowMs: number): boolean {
  let isOne = false
  for (const secret of secrets) isOne = holds(claimed, secret, nowMs) || isOne
  return isOne
}

function holds(claimed: Claimed, secret: Secret, nowMs: number): boolean {
  const {claim, body} = claimed
  const {authorizations, timestamps, signatures, githubSignatures} = claim
  const ways = [
    ...authorizations.map((value) => isBearer(value, secret)),
    ...signatures.map((value) => isOurs(value, claimed, secret, nowMs)),
    ...githubSignatures.map((value) => isGithubs(value, body, secret)),
  ]
  const isRepeated = [authorizations, timestamps, signatures, githubSignatures].some(
    ({length}) => length > 1,
  )
  return ways.length > 0 && !isRepeated && ways.every((isRight) => isRight)
}

function isBearer(value: string, secret: Secret): boolean {
  return isSame(BEARER.exec(value)?.[1] ?? '', secret.reveal())
}

function isOurs(
  value: string,
  {claim, keys: {idempotencyKeys}, body}: Claimed,
  secret: Secret,
  nowMs: number,
): boolean {
  const [timestamp = ''] = claim.timestamps
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  const isTimely = SECONDS.test(timestamp) && Math.abs(ageSeconds) <= WINDOW_SECONDS
  const [, version, given = ''] = OURS.exec(value) ?? []
  const isKeyed = version === 'v2'
  const [key = ''] = idempotencyKeys
  const signed = createHmac('sha256', secret.reveal())
    .update(isKeyed ? `v2\n${timestamp}\n${key}\n` : `v1:${timestamp}:`)
    .update(body)
    .digest('hex')
  return isSame(given, signed) && isTimely && (!isKeyed || idempotencyKeys.length === 1)
}

function isGithubs(value: string, body: Uint8Array, secret: Secret): boolean {
  const signed = createHmac('sha256', secret.reveal()).update(body).digest('hex')
  return isSame(GITHUBS.exec(value)?.[1] ?? '', signed)
}

/** Hashed first, so that neither length nor content shows in the time. */
export function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted))
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
