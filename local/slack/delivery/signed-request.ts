import {createHmac} from 'node:crypto'

/** As Slack tells it in `x-slack-retry-reason`: https://docs.slack.dev/apis/events-api */
type Unanswered = 'http_timeout' | 'connection_failed' | 'too_many_redirects'

type SignedAnswer = {response: Response; text: string} | {reason: Unanswered}

interface SignedRequest {
  body: string
  headers: Record<string, string>
}

/** Never rejects: what goes wrong is a reason. */
export type SendSigned = (url: string, request: SignedRequest) => Promise<SignedAnswer>

export interface SendSignedParts {
  signingSecret: string
  timeoutMs: number
  /** Aborted when the local Slack closes. */
  closing: AbortSignal
  now: () => number
}

const maxRedirects = 2

/** Signed requests to an app: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export function createSendSigned(parts: SendSignedParts): SendSigned {
  return async (url, {body, headers}) => {
    const timeout = AbortSignal.timeout(Math.ceil(parts.timeoutMs))
    const init: RequestInit = {
      method: 'POST',
      body,
      headers: {...signatureOf(parts, body), ...headers},
      redirect: 'manual',
      signal: AbortSignal.any([timeout, parts.closing]),
    }
    try {
      const response = await follow(url, init)
      if (response === undefined) return {reason: 'too_many_redirects'}
      return {response, text: await response.text()}
    } catch {
      // Whatever the reason, Slack only knows whether it waited too long or never got through.
      return {reason: timeout.aborted ? 'http_timeout' : 'connection_failed'}
    }
  }
}

/** The request goes on as it is: `fetch` would make a GET of it. */
async function follow(url: string, init: RequestInit): Promise<Response | undefined> {
  let place = url
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(place, init)
    const location = response.headers.get('location')
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null
    if (!isRedirect) return response
    await response.body?.cancel()
    place = new URL(location, place).href
  }
  return undefined
}

function signatureOf({signingSecret, now}: SendSignedParts, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now() / 1000))
  const signature = createHmac('sha256', signingSecret)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex')
  return {
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
  }
}
