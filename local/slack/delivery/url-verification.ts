import {randomBytes} from 'node:crypto'
import {isRecord, parseJson} from '../edge/arguments.ts'
import type {SendSigned} from './signed-request.ts'

interface Unverified {
  /** As the deliveries tell it. */
  reason: string
  /** What the app's makers are told. */
  sentence: string
}

/**
 * Slack delivers to an address only after that has answered a challenge:
 * https://docs.slack.dev/reference/events/url_verification. `undefined`: it has.
 */
export async function verifyUrl(send: SendSigned, url: string): Promise<Unverified | undefined> {
  const challenge = randomBytes(20).toString('hex')
  const body = JSON.stringify({
    token: 'local-verification-token',
    challenge,
    type: 'url_verification',
  })
  const answer = await send(url, {body, headers: {'content-type': 'application/json'}})
  if ('reason' in answer) return unverified(answer.reason, url, answer.reason)
  const {response, text} = answer
  if (!response.ok) return unverified('http_error', url, `HTTP ${response.status}`)
  if (saidIn(text) === challenge) return undefined
  return unverified('http_error', url, 'another answer than the challenge')
}

/** As plain text, as JSON or as a form: Slack takes all three. */
function saidIn(text: string): string {
  const value = parseJson(text)
  if (isRecord(value)) return String(value['challenge'])
  return new URLSearchParams(text).get('challenge') ?? text.trim()
}

function unverified(reason: string, url: string, what: string): Unverified {
  const sentence =
    `${url} did not answer the url_verification challenge within 3 seconds (${what}). ` +
    'Start the app that listens there, with the signing secret of this one, and set the address again.'
  return {reason, sentence}
}
