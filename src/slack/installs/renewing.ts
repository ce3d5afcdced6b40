import {WebClient} from '@slack/web-api'
import {z} from 'zod'
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

/** https://docs.slack.dev/authentication/using-token-rotation */
export function createRenewing(
  {clientId, clientSecret}: Credentials,
  {slackApiUrl, logger, fetch}: SlackAccess,
): (refreshToken: Secret) => Promise<Grant> {
  const client = new WebClient(undefined, {
    slackApiUrl,
    logger,
    ...(fetch !== undefined && {fetch}),
    ...QUIET,
  })
  return async (refreshToken) => {
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
