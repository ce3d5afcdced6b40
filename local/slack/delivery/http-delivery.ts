import {parseJson} from '../edge/arguments.ts'
import {createSendSigned, type SendSigned, type SendSignedParts} from './signed-request.ts'
import type {Handover, HandoverAnswer, Payload, Transport} from './transport.ts'
import {verifyUrl} from './url-verification.ts'

interface HttpDeliveryParts extends SendSignedParts {
  eventsUrl: () => string | undefined
}

/**
 * Payloads as signed requests to the app. The address is verified before its first payload, and again
 * before each further try while it fails: an app may come to listen there later.
 */
export function createHttpDelivery({eventsUrl, ...parts}: HttpDeliveryParts): Transport {
  const send = createSendSigned(parts)
  const verify = createVerification(send)
  return {
    isReady: () => eventsUrl() !== undefined,
    hand: async (handover) => {
      const url = eventsUrl()
      if (url === undefined) return toFailure('connection_failed')
      const unverified = await verify(url)
      if (unverified !== undefined) return toFailure(unverified.reason)
      const answer = await send(url, toRequest(handover))
      if ('reason' in answer) return toFailure(answer.reason)
      return toAnswer(answer.response, answer.text)
    },
  }
}

/** Asks an address once for all payloads that come meanwhile, and never again when it was right. */
function createVerification(send: SendSigned): (url: string) => ReturnType<typeof verifyUrl> {
  const asked = new Map<string, ReturnType<typeof verifyUrl>>()
  const ask = async (url: string): ReturnType<typeof verifyUrl> => {
    const unverified = await verifyUrl(send, url)
    if (unverified !== undefined) asked.delete(url)
    return unverified
  }
  return (url) => {
    const known = asked.get(url) ?? ask(url)
    asked.set(url, known)
    return known
  }
}

function toRequest({payload, attempt, reason}: Handover) {
  const isJson = payload.kind === 'events_api'
  return {
    body: toBody(payload),
    headers: {
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(attempt > 0 && {
        'x-slack-retry-num': String(attempt),
        'x-slack-retry-reason': reason === 'timeout' ? 'http_timeout' : (reason ?? ''),
      }),
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

function toFailure(reason: string): HandoverAnswer {
  return {outcome: reason === 'http_timeout' ? 'timeout' : 'failed', reason}
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
