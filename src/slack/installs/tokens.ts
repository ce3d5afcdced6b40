import {createKeyedQueue} from '../../async/keyed-queue.ts'
import {backoffMs} from '../../async/pause.ts'
import type {Log} from '../../relay/ports.ts'
import type {Secret} from '../../security/secret.ts'
import {QUIET, type SlackAccess, type TokenOf, callSlack} from '../api/slack-client.ts'
import {type Grant, type Installation, withGrant} from './installation.ts'
import {SlackError} from '../../once/slack-error.ts'
import {z} from 'zod'
import {WebClient} from '@slack/web-api'

/** One installation and its token: where tokens rotate, the one place that renews it. */
export interface Tokens {
  tokenOf: TokenOf
  installation(): Installation
  /** Changes what is stored of it, one change after the other. */
  change(change: (installation: Installation) => Installation): Promise<void>
  /** Slack does not renew it any more: in Slack's words, and when the token that it has will end. */
  refusal(): {code: string; endsAtMs: number} | undefined
  /** Nothing is asked for any more. Resolves when what Slack has given is stored. */
  end(): Promise<void>
}

interface TokensOptions {
  first: Installation
  /**
   * Asks Slack for new tokens; the refresh token is worth nothing from then on.
   *
   * @throws {SlackError}
   */
  renew: (refreshToken: Secret) => Promise<Grant>
  /** False: there is no such install any more. */
  store: (installation: Installation) => Promise<boolean>
  nowMs?: () => number
  log: Log
}

/** Two of Slack's twelve hours: whoever has to install the app anew has so long to do it. */
const RENEWED_IN_LAST = 1 / 6
const RETRY = {baseMs: 1000, maxMs: 60_000}
/** What Slack has refused once it will hardly allow. */
const REFUSED_RETRY_MS = 600_000

/**
 * `fresh → renewed → stored → used`. A token is renewed while it still lives, and goes on being used until the new one is
 * stored: Slack leaves it alive until its own end. Who comes with one that is over waits for the new one. Only one asks
 * Slack at a time, since a refresh token works once. A process that dies between Slack's answer and the table keeps the
 * old token, and the operator reads when that will end: what Slack has answered once it does not answer again.
 */
export function createTokens(options: TokensOptions): Tokens {
  const {renew, store, nowMs = Date.now, log} = options
  let current = options.first
  let renewing: Promise<void> | undefined
  const inOrder = createKeyedQueue()
  let failure: unknown
  let failures = 0
  let notBeforeMs = 0
  /** Slack has given it, and it could not be stored yet. */
  let unstored: {grant: Grant; atMs: number} | undefined
  let isOver = false

  const change: Tokens['change'] = (make) =>
    inOrder('', async () => {
      const after = make(current)
      if (!(await store(after))) throw new SlackError('dead', 'app_uninstalled')
      current = after
    })

  const ask = async ({refreshToken}: {refreshToken: Secret}): Promise<void> => {
    if (nowMs() < notBeforeMs) throw failure
    if (isOver) throw new SlackError('dead', 'app_uninstalled')
    try {
      unstored ??= {grant: await renew(refreshToken), atMs: nowMs()}
      const {grant, atMs} = unstored
      await change((installation) => withGrant(installation, grant, atMs))
      unstored = undefined
      failure = undefined
      failures = 0
    } catch (error) {
      fail(error)
      throw failure
    }
  }

  const fail = (error: unknown): void => {
    const mayPass = !(error instanceof SlackError) || ['retry', 'wait'].includes(error.kind)
    const waitMs = error instanceof SlackError ? error.retryAfterMs : 0
    notBeforeMs =
      nowMs() + (mayPass ? Math.max(waitMs, backoffMs(failures, RETRY)) : REFUSED_RETRY_MS)
    failures += 1
    const wasRefused = refusal() !== undefined
    failure = mayPass ? error : new SlackError('dead', error.code, {cause: error})
    const details = {err: error, install: current.id}
    if (mayPass) log.warn(details, 'A token could not be renewed; trying again')
    else if (!wasRefused) log.error(details, 'Slack does not renew the token of this install')
  }

  const refusal: Tokens['refusal'] = () =>
    failure instanceof SlackError && failure.kind === 'dead'
      ? {code: failure.code, endsAtMs: current.renewal?.endsAtMs ?? 0}
      : undefined

  const tokenOf: TokenOf = async (expired) => {
    const {token, renewal} = current
    // Somebody else may have renewed it meanwhile.
    if (renewal === undefined || (expired !== undefined && expired !== token)) return token
    const {grantedAtMs, endsAtMs} = renewal
    const leftMs = expired === undefined ? endsAtMs - nowMs() : 0
    if (leftMs > (endsAtMs - grantedAtMs) * RENEWED_IN_LAST) return token
    renewing ??= ask(renewal).finally(() => (renewing = undefined))
    if (leftMs <= 0) await renewing
    // It is told, and it is told again when the token is over.
    else renewing.catch(() => undefined)
    return leftMs <= 0 ? current.token : token
  }

  return {
    tokenOf,
    installation: () => current,
    change,
    refusal,
    end: async () => {
      isOver = true
      await renewing?.catch(() => undefined)
      await inOrder('', async () => undefined)
    },
  }
}

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
