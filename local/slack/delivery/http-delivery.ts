import {createHmac} from 'node:crypto'
import {parseJson} from '../edge/arguments.ts'
import type {Handover, HandoverAnswer, Payload, Transport} from './transport.ts'

interface HttpDeliveryParts {
  eventsUrl: () => string | undefined
  signingSecret: string
  timeoutMs: number
  /** Aborted when the local Slack closes. */
  closing: AbortSignal
  now: () => number
}

/** Signed requests to the app: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function createHttpDelivery(parts: HttpDeliveryParts): Transport {
  return {
    isReady: () => parts.eventsUrl() !== undefined,
    hand: async (handover) => {
      const url = parts.eventsUrl()
      if (url === undefined) return {outcome: 'failed', reason: 'connection_failed'}
      const timeout = AbortSignal.timeout(Math.ceil(parts.timeoutMs))
      try {
        const response = await fetch(url, {
          method: 'POST',
          ...toRequest(handover, parts),
          redirect: 'manual',
          signal: AbortSignal.any([timeout, parts.closing]),
        })
        return toAnswer(response, await response.text())
      } catch {
        // Whatever the reason, Slack only knows whether it waited too long or never got through.
        return timeout.aborted
          ? {outcome: 'timeout', reason: 'http_timeout'}
          : {outcome: 'failed', reason: 'connection_failed'}
      }
    },
  }
}

function toRequest({payload, attempt, reason}: Handover, parts: HttpDeliveryParts) {
  const body = toBody(payload)
  const timestamp = String(Math.floor(parts.now() / 1000))
  const signature = createHmac('sha256', parts.signingSecret)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex')
  const isJson = payload.kind === 'events_api'
  return {
    body,
    headers: {
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
      ...(attempt > 0
        ? {
            'x-slack-retry-num': String(attempt),
            'x-slack-retry-reason': reason === 'timeout' ? 'http_timeout' : (reason ?? ''),
          }
        : {}),
    },
  }
}

function toBody({kind, body}: Payload): string {
  switch (kind) {
    case 'events_api':
      return JSON.stringify(body)
    case 'interactive':
      return new URLSearchParams({payload: JSON.stringify(body)}).toString()
    case 'slash_commands':
      return new URLSearchParams(
        Object.entries(body).map(([name, value]) => [name, String(value)]),
      ).toString()
    default:
      throw new Error(`Unknown kind of payload: ${String(kind satisfies never)}`)
  }
}

function toAnswer(response: Response, text: string): HandoverAnswer {
  if (response.ok) return {outcome: 'acked', response: parseResponse(text)}
  const isFinal = response.headers.get('x-slack-no-retry') === '1'
  return {outcome: 'failed', reason: 'http_error', isFinal}
}

/** A slash command may be answered with a message as JSON, or with plain text. */
function parseResponse(text: string): unknown {
  const value = parseJson(text)
  return typeof value === 'string' && value !== '' ? {text: value} : value
}
