import {randomBytes} from 'node:crypto'
import type {Arguments} from '../edge/arguments.ts'
import {Refusal} from '../edge/refusal.ts'
import type {Organization, Team} from '../workspace/workspace.ts'
import type {App} from './app.ts'
import {isSameSecret, type Grant, type Installations} from './installations.ts'

/** What somebody allowed on the consent page, until the app comes for it. */
interface Consent {
  appId: string
  teamId: string
  userId: string
  scopes: readonly string[]
  redirectUri: string
  /** The address itself said where to lead back: then the app has to say the same again. */
  isRedirectAsked: boolean
  /** Given on the page of the first OAuth, whose codes are none for this one. */
  isFirstVersion: boolean
}

/** A code works once, for ten minutes: https://docs.slack.dev/authentication/installing-with-oauth */
export interface Codes {
  issue(consent: Consent): string
  find(code: string): Consent | undefined
  spend(code: string): void
}

const codeLifetimeMs = 600_000

export function createCodes({now, timeFactor}: {now: () => number; timeFactor: number}): Codes {
  const issued = new Map<string, {consent: Consent; atMs: number}>()
  return {
    issue: (consent) => {
      const code = `${Math.floor(now())}.${randomBytes(16).toString('hex')}`
      issued.set(code, {consent, atMs: now()})
      return code
    },
    find: (code) => {
      const entry = issued.get(code)
      const isLive = entry !== undefined && now() - entry.atMs <= codeLifetimeMs * timeFactor
      return isLive ? entry.consent : undefined
    },
    spend: (code) => void issued.delete(code),
  }
}

/** Where apps get their tokens. */
export interface Office {
  apps: readonly App[]
  codes: Codes
  installations: Installations
  organization: Organization | undefined
  team(teamId: string): Team
  /** Brings the app into the workspace. */
  install(consent: Pick<Consent, 'appId' | 'teamId' | 'userId' | 'scopes'>): Grant
}

type Answer = Record<string, unknown>

/**
 * https://docs.slack.dev/reference/methods/oauth.v2.access: bot tokens alone. No app here has declared
 * PKCE or user scopes, so the former is refused as Slack does, and the consent page refuses the latter.
 */
export function access(office: Office, args: Arguments): Answer {
  const app = authenticate(office, args)
  if (args.has('code_verifier')) throw new Refusal('pkce_not_allowed')
  const grantType = args.text('grant_type') ?? 'authorization_code'
  if (grantType === 'refresh_token') {
    const grant = office.installations.refresh(app.id, args.text('refresh_token') ?? '')
    if (grant === undefined) throw new Refusal('invalid_refresh_token')
    return toAnswer(office, app, grant)
  }
  if (grantType !== 'authorization_code') throw new Refusal('invalid_grant_type')
  const code = args.text('code') ?? ''
  const consent = office.codes.find(code)
  if (consent?.appId !== app.id) throw new Refusal('invalid_code')
  if (consent.isFirstVersion) throw new Refusal('oauth_authorization_url_mismatch')
  const {redirectUri, isRedirectAsked} = consent
  const repeated = args.text('redirect_uri') ?? (isRedirectAsked ? '' : redirectUri)
  if (repeated !== redirectUri) throw new Refusal('bad_redirect_uri')
  office.codes.spend(code)
  return toAnswer(office, app, office.install(consent))
}

/** https://docs.slack.dev/reference/methods/oauth.v2.exchange: once, from a token that does not end. */
export function exchange({apps, installations}: Office, args: Arguments): Answer {
  const app = authenticate({apps}, args)
  if (app.options.tokenRotation !== true) throw new Refusal('token_rotation_not_enabled')
  const token = args.token ?? ''
  const found = installations.withToken(token)
  if (found?.installation.appId !== app.id) throw new Refusal('authorization_not_found')
  const {installation, state} = found
  if (installation.isActive && installation.refreshToken !== undefined) {
    throw new Refusal('token_already_exchanged')
  }
  if (state !== 'valid') throw new Refusal(state)
  return toTokens(app, installations.exchange(installation))
}

function authenticate({apps}: Pick<Office, 'apps'>, args: Arguments): App {
  const app = apps.find(({clientId}) => clientId === args.text('client_id'))
  if (app === undefined) throw new Refusal('invalid_client_id')
  if (!isClientOf(app, app.clientId, args.text('client_secret') ?? '')) {
    throw new Refusal('bad_client_secret')
  }
  return app
}

export function isClientOf({clientId, clientSecret}: App, id: string, secret: string): boolean {
  return clientId === id && isSameSecret(clientSecret, secret)
}

function toAnswer(office: Office, app: App, grant: Grant): Answer {
  const {teamId, installerId} = grant.installation
  const owner = teamId === office.organization?.id ? office.organization : undefined
  const {id, name} = owner ?? office.team(teamId)
  return {
    ...toTokens(app, grant),
    team: owner === undefined ? {id, name} : null,
    enterprise: owner === undefined ? null : {id, name},
    authed_user: {id: installerId},
    is_enterprise_install: owner !== undefined,
  }
}

function toTokens(app: App, {installation, token, refreshToken, expiresInS}: Grant): Answer {
  return {
    app_id: app.id,
    token_type: 'bot',
    access_token: token,
    scope: installation.scopes.join(','),
    bot_user_id: installation.userId,
    ...(refreshToken !== undefined && {refresh_token: refreshToken, expires_in: expiresInS}),
  }
}
