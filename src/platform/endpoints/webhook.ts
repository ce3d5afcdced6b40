import {Agent} from 'undici'
import {isRecord, parseJson} from '../../security/foreign-json.ts'
import type {Secret} from '../../security/secret.ts'
import {toPlatformError} from '../error-answer.ts'
import {type PlatformError, PlatformRefused, PlatformUnreachable} from '../errors.ts'
import {type OpenAnswer, exchange, isGood} from '../exchange.ts'
import {repeat} from '../retry.ts'
import {readWord} from '../unnamed.ts'

/** One delivery to the incoming webhook of an automation. */
interface WebhookDelivery {
  /** The address is the credential: it stands in no error. */
  url: Secret
  /** Any JSON object, or the text of one, which goes out as it is; it reaches the agent as quoted, untrusted context. */
  body: Readonly<Record<string, unknown>> | string
  /** Deliveries with the same key start one run. */
  idempotencyKey: string
  timeoutMs?: number
  /** How often it is delivered again under the same key. */
  retries?: number
}

/** `no-match`: the trigger's filters rejected the body, and will again. Section 3.7. */
export type WebhookOutcome = 'accepted' | 'duplicate' | 'no-match'

/**
 * Calls an automation's webhook, section 4.9. It is called again on a 5xx, a time-out, a lost
 * connection, a short 429 and a 2xx without an outcome, whose status the error bears. A `PlatformNotFound`
 * means that the address is wrong or the automation is disabled; which of them, the platform does not tell.
 *
 * No word of an answer gets into an error, since an answer may quote its own address.
 */
export async function deliverWebhook(
  delivery: WebhookDelivery,
  signal: AbortSignal,
): Promise<{outcome: WebhookOutcome}> {
  // The connection is the delivery's own: nothing is kept open, and nothing is left to close.
  const agent = new Agent({connections: 1, connectTimeout: 5000})
  try {
    return await repeat(() => deliverOnce(agent, delivery, signal), delivery.retries ?? 3, signal)
  } finally {
    await agent.destroy()
  }
}

const WHAT = 'The delivery to a webhook'

async function deliverOnce(
  agent: Agent,
  {url, body, idempotencyKey, timeoutMs = 15_000}: WebhookDelivery,
  signal: AbortSignal,
): Promise<{outcome: WebhookOutcome}> {
  const {origin, pathname, search} = parseUrl(url)
  const path = pathname + search
  const headers = {accept: 'application/json', 'idempotency-key': idempotencyKey}
  const request = {
    what: WHAT,
    origin,
    path,
    method: 'POST',
    headers,
    ...(typeof body === 'string' ? {json: body} : {body}),
    signal,
    timeoutMs,
  } as const
  try {
    const answer = await exchange(agent, request)
    const text = await answer.readText()
    const value = parseJson(text)
    if (!isGood(answer.status)) throw toWordlessError(answer, value)
    const outcome = readWord(value ?? text.trim(), ['accepted', 'duplicate', 'no-match'], 'outcome')
    if (outcome !== undefined) return {outcome}
    const {status} = answer
    throw new PlatformUnreachable(`${WHAT} was answered without an outcome`, true, {status})
  } catch (error) {
    if (!(error instanceof PlatformUnreachable)) throw error
    // Its cause may hold what was received.
    throw new PlatformUnreachable(error.message, error.mayHaveArrived, {status: error.status})
  }
}

function toWordlessError({status, retryAfter, trace}: OpenAnswer, value: unknown): PlatformError {
  const body = isRecord(value) ? {retryAfterSeconds: value['retryAfterSeconds']} : undefined
  return toPlatformError({what: WHAT, status, retryAfter, trace, body})
}

function parseUrl(url: Secret): URL {
  const parsed = URL.parse(url.reveal())
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed
  throw new PlatformRefused('The address of a webhook is no http or https URL')
}
