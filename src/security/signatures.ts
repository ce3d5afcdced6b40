import {createHmac, timingSafeEqual} from 'node:crypto'
import type {Secret} from './secret.ts'

/** What the head of a request says of its origin: each header as often as it came. */
interface Head {
  timestamps: readonly string[]
  signatures: readonly string[]
}

/** The same with its body, byte for byte. */
interface Claim extends Head {
  body: Uint8Array
}

/** Before and behind our clock. */
export const WINDOW_SECONDS = 300
const SECONDS = /^[1-9]\d{0,11}$/
const SIGNATURE = /^v0=([0-9a-f]{64})$/

/** Whether a body could make it one that Slack signed now: what is not need not be read. */
export function maySign(head: Head, nowMs: number): boolean {
  return readHead(head, nowMs) !== undefined
}

/** Whether Slack signed it, now: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function isSigned(claim: Claim, secret: Secret, nowMs: number): boolean {
  const head = readHead(claim, nowMs)
  if (head === undefined) return false
  const {timestamp, given} = head
  const expected = createHmac('sha256', secret.reveal())
    .update(`v0:${timestamp}:`)
    .update(claim.body)
    .digest()
  return timingSafeEqual(expected, Buffer.from(given, 'hex'))
}

/** One time of these minutes and one signature, each as Slack writes it. */
function readHead(
  {timestamps, signatures}: Head,
  nowMs: number,
): {timestamp: string; given: string} | undefined {
  const [timestamp = '', ...furtherTimestamps] = timestamps
  const [signature = '', ...furtherSignatures] = signatures
  if (furtherTimestamps.length > 0 || furtherSignatures.length > 0) return undefined
  const given = SIGNATURE.exec(signature)?.[1]
  if (given === undefined || !SECONDS.test(timestamp)) return undefined
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  return Math.abs(ageSeconds) > WINDOW_SECONDS ? undefined : {timestamp, given}
}
