import {createHmac, timingSafeEqual} from 'node:crypto'
import type {Secret} from './secret.ts'

/** What a request says of its origin: each header as often as it came, and its body byte for byte. */
interface Claim {
  timestamps: readonly string[]
  signatures: readonly string[]
  body: Uint8Array
}

/** Before and behind our clock. */
const WINDOW_SECONDS = 300
const SECONDS = /^[1-9]\d{0,11}$/
const SIGNATURE = /^v0=([0-9a-f]{64})$/

/** Whether Slack signed it, now: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function isSigned(claim: Claim, secret: Secret, nowMs: number): boolean {
  const [timestamp = '', ...furtherTimestamps] = claim.timestamps
  const [signature = '', ...furtherSignatures] = claim.signatures
  if (furtherTimestamps.length > 0 || furtherSignatures.length > 0) return false
  const given = SIGNATURE.exec(signature)?.[1]
  if (given === undefined || !SECONDS.test(timestamp)) return false
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  if (Math.abs(ageSeconds) > WINDOW_SECONDS) return false
  const expected = createHmac('sha256', secret.reveal())
    .update(`v0:${timestamp}:`)
    .update(claim.body)
    .digest()
  return timingSafeEqual(expected, Buffer.from(given, 'hex'))
}
