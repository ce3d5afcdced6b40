import {randomBytes, timingSafeEqual} from 'node:crypto'
import type {SqlDatabase} from '../database.ts'
import {openRecords} from '../records.ts'

/** https://docs.slack.dev/authentication/using-token-rotation */
const usualLifeMs = 12 * 60 * 60_000
/** A refresh leaves the token before it alive until its own end, and revokes older ones. */
const maxLiveTokens = 2
/** Of how many Slack says what became of them; older ones it has never heard of. */
const maxKnownTokens = 50

interface BotToken {
  value: string
  /** Absent: it does not end by itself. */
  expiresAtMs?: number
  isRevoked?: true
}

/**
 * An app in a workspace: `active → uninstalled → active …`. Its tokens end by themselves where the app
 * rotates them, by auth.revoke, or with the installation. In a whole organization it is one of the organization, which has
 * the token, and one of each workspace, which has none.
 */
export interface Installation {
  /** By `installationId`. */
  id: string
  appId: string
  /** Or the organization's. */
  teamId: string
  /** Of a workspace whose organization has let the app in. */
  organizationId?: string
  botId: string
  userId: string
  installerId: string
  scopes: readonly string[]
  isActive: boolean
  tokens: BotToken[]
  refreshToken?: string
}

/** What a token is worth at this moment; the words are Slack's errors. */
export type TokenState =
  'valid' | 'token_expired' | 'token_revoked' | 'account_inactive' | 'team_access_not_granted'

/** A token as it is handed out, once. */
export interface Grant {
  installation: Installation
  token: string
  refreshToken?: string
  expiresInS?: number
}

interface Draft {
  appId: string
  teamId: string
  botId: string
  userId: string
  installerId: string
  scopes: readonly string[]
  isRotating: boolean
}

/** What a workspace has of its organization's installation. */
type Membership = Omit<Draft, 'isRotating'> & {organizationId: string}

export interface Installations {
  all(): Installation[]
  of(appId: string, teamId: string): Installation | undefined
  /** A further time it widens the scopes, and revives what was uninstalled. */
  install(draft: Draft): Grant
  /** Brings the app into a workspace by its organization's installation; one of its own goes before that. */
  join(membership: Membership): Installation
  withToken(token: string): {installation: Installation; state: TokenState} | undefined
  /** A refresh token works once; `undefined`: it is none of this app's, or was used. */
  refresh(appId: string, refreshToken: string): Grant | undefined
  /** Turns a token that does not end into one that does. */
  exchange(installation: Installation): Grant
  revoke(installation: Installation, token: string): void
  uninstall(installation: Installation): void
}

interface InstallationsParts {
  database: SqlDatabase
  now: () => number
  timeFactor: number
  tokenLifeMs?: number
}

export function createInstallations(parts: InstallationsParts): Installations {
  const records = openRecords<Installation>(parts.database, {kind: 'installations', scope: ''})
  const save = (installation: Installation): Installation => {
    records.save(installation)
    return installation
  }
  const rotate = createRotation(parts, save)
  return {
    all: records.all,
    of: (appId, teamId) => records.find(installationId(appId, teamId)),
    install: ({isRotating, ...draft}) => {
      const id = installationId(draft.appId, draft.teamId)
      const installation = toInstalled(records.find(id) ?? {...draft, id, ...nothing}, draft)
      if (isRotating) return rotate(installation)
      const token = standing(installation) ?? newToken('xoxb', installation.teamId)
      const tokens = [...installation.tokens.filter(({value}) => value !== token), {value: token}]
      return {installation: save({...installation, tokens}), token}
    },
    join: (membership) => {
      const id = installationId(membership.appId, membership.teamId)
      const before = records.find(id)
      const isOwn = before?.isActive === true && before.organizationId === undefined
      return isOwn ? before : save({...membership, id, isActive: true, tokens: []})
    },
    withToken: (token) => {
      const installation = records
        .all()
        .find(({tokens}) => tokens.some(({value}) => isSameSecret(value, token)))
      if (installation === undefined) return undefined
      return {installation, state: stateOf(installation, token, parts.now())}
    },
    refresh: (appId, refreshToken) => {
      const installation = records
        .all()
        .find((one) => one.appId === appId && isSameSecret(one.refreshToken ?? '', refreshToken))
      return installation?.isActive === true ? rotate(installation) : undefined
    },
    exchange: rotate,
    revoke: (installation, token) => {
      const tokens = installation.tokens.map((one) => (one.value === token ? toRevoked(one) : one))
      save({...installation, tokens})
    },
    uninstall: (installation) => void save({...installation, isActive: false}),
  }
}

const nothing = {isActive: false, tokens: []}

/** What was active keeps its scopes and tokens; what was uninstalled begins anew. */
function toInstalled(
  before: Installation,
  {installerId, scopes}: Pick<Draft, 'installerId' | 'scopes'>,
): Installation {
  const {isActive, tokens} = before
  const own = {...before}
  delete own.organizationId
  return {
    ...own,
    installerId,
    scopes: [...new Set([...(isActive ? before.scopes : []), ...scopes])],
    isActive: true,
    tokens: isActive ? tokens : tokens.map(toRevoked),
  }
}

function createRotation(
  {now, timeFactor, tokenLifeMs = usualLifeMs}: InstallationsParts,
  save: (installation: Installation) => Installation,
): (installation: Installation) => Grant {
  return (installation) => {
    const lifetimeMs = tokenLifeMs * timeFactor
    const token = newToken('xoxe.xoxb', installation.teamId)
    const refreshToken = newToken('xoxe', installation.teamId)
    const hasEnded = ({expiresAtMs = Infinity}: BotToken): boolean => expiresAtMs <= now()
    const live = installation.tokens
      .filter((one) => one.expiresAtMs !== undefined && one.isRevoked !== true && !hasEnded(one))
      .slice(1 - maxLiveTokens)
    const before = installation.tokens.map((one) =>
      live.includes(one) || hasEnded(one) ? one : toRevoked(one),
    )
    const tokens = [...before, {value: token, expiresAtMs: now() + lifetimeMs}]
    const saved = save({...installation, tokens: tokens.slice(-maxKnownTokens), refreshToken})
    const expiresInS = Math.max(1, Math.round(lifetimeMs / 1000))
    return {installation: saved, token, refreshToken, expiresInS}
  }
}

function toRevoked(token: BotToken): BotToken {
  return {...token, isRevoked: true}
}

export function installationId(appId: string, teamId: string): string {
  return `${appId} ${teamId}`
}

/** The token that an installation without rotation keeps through every further one. */
function standing({tokens}: Installation): string | undefined {
  return tokens.find(({expiresAtMs, isRevoked}) => expiresAtMs === undefined && isRevoked !== true)
    ?.value
}

function stateOf({isActive, tokens}: Installation, token: string, nowMs: number): TokenState {
  const known = tokens.find(({value}) => value === token)
  if (!isActive) return 'account_inactive'
  if (known?.isRevoked === true) return 'token_revoked'
  return (known?.expiresAtMs ?? Infinity) > nowMs ? 'valid' : 'token_expired'
}

function newToken(kind: 'xoxb' | 'xoxe.xoxb' | 'xoxe', teamId: string): string {
  const random = randomBytes(16).toString('hex')
  return kind === 'xoxb' ? `xoxb-1000000000-${teamId}-${random}` : `${kind}-1-${teamId}${random}`
}

/** In constant time; nothing is the same as an empty one. */
export function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}
