import {WebClient} from '@slack/web-api'
import {z} from 'zod'
import {startTimeLimit} from '../../async/time-limit.ts'
import {SlackError} from '../../once/slack-error.ts'
import type {Secret} from '../../security/secret.ts'
import {QUIET, type SlackAccess, callSlack} from '../api/slack-client.ts'
import type {Grant} from './installation.ts'

/** The app's own credentials: what its tokens are given for. */
export interface Credentials {
  clientId: string
  clientSecret: Secret
}

const grantSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.number().positive(),
})

/** Nobody waits meanwhile: the token that is renewed still lives for hours. */
const TIMEOUT_MS = 60_000

/**
 * An answer that nobody has heard is a token that nobody has, and the refresh token is spent: so it is waited for longer than
 * that of any other call.
 *
 * https://docs.slack.dev/authentication/using-token-rotation
 */
export function createRenewing(
  {clientId, clientSecret}: Credentials,
  {slackApiUrl, logger, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS}: SlackAccess,
): (refreshToken: Secret) => Promise<Grant> {
  return async (refreshToken) => {
    using limit = startTimeLimit(timeoutMs)
    const client = new WebClient(undefined, {
      slackApiUrl,
      logger,
      fetch: (url, init) => fetch(url, {...init, signal: limit.signal}),
      ...QUIET,
      timeout: 0, // its own would count while this process stands still
    })
    const answer = await callSlack(() =>
      client.oauth.v2.access({
        client_id: clientId,
        client_secret: clientSecret.reveal(),
        grant_type: 'refresh_token',
        refresh_token: refreshToken.reveal(),
      }),
    )
    const {data} = grantSchema.safeParse(answer)
    if (data === undefined) throw new SlackError('refused', 'no_token')
    const {access_token: token, refresh_token: next, expires_in: lifeSeconds} = data
    return {token, refreshToken: next, lifeSeconds}
  }
}
