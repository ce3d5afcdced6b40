import {Secret} from '../security/secret.ts'

/** What the environment says of Slack, checked. */
export interface SlackConfig {
  /** Of the one workspace; `undefined` where many install the app by OAuth. */
  botToken: Secret | undefined
  /** `undefined`: one workspace, by its bot token. */
  installs: {clientId: string; clientSecret: Secret; stateSecret: Secret} | undefined
  delivery: {mode: 'socket'; appToken: Secret} | {mode: 'http'; signingSecret: Secret}
  /** Ends in a slash. */
  apiUrl: string
  /** Multiplies Slack's documented rates. */
  rateScale: number
  writer: 'auto' | 'edit' | 'stream'
}

/** What tells this app of Slack's from others, where the settings name it. */
export function appOf({botToken, delivery, installs}: SlackConfig): string | undefined {
  if (installs !== undefined) return installs.clientId
  if (delivery.mode === 'socket') {
    return /^xapp-\d+-(A[A-Z0-9]+)-/.exec(delivery.appToken.reveal())?.[1]
  }
  // The numbers of the workspace and of the bot in it: another token of the same bot begins so, too.
  return /^xoxb-\d+-\d+-/.exec(botToken?.reveal() ?? '')?.[0]
}

/** The settings that are read here, and how their problems are told. */
interface Reader {
  text(name: SlackSetting): string | undefined
  bare(name: SlackSetting): string | undefined
  key(name: SlackSetting): string | undefined
  required(name: SlackSetting, mend: string): string
  number(name: 'SLACK_RATE_SCALE', rule: {min: number}): number
  choice<Value extends string>(name: 'SLACK_WRITER', values: readonly Value[]): Value
  url(name: 'SLACK_API_URL'): string | undefined
  problem(line: string): void
  warn(line: string): void
}

type SlackSetting = OAuthSetting | 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN' | 'SLACK_SIGNING_SECRET'
const OAUTH = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const
type OAuthSetting = (typeof OAUTH)[number]

/** A bot token is the simple way, and wins; with any of the OAuth settings instead, many workspaces may install the app. */
export function readSlack(read: Reader): SlackConfig {
  const given = OAUTH.filter((name) => read.text(name) !== undefined)
  const isMany = read.text('SLACK_BOT_TOKEN') === undefined && given.length > 0
  if (!isMany && given.length > 0) {
    read.warn(`${given.join(', ')}: not used, because SLACK_BOT_TOKEN is set: one workspace.`)
  }
  return {
    ...(isMany ? readMany(read) : readOne(read)),
    apiUrl: readApiUrl(read),
    rateScale: readRateScale(read),
    writer: read.choice('SLACK_WRITER', ['auto', 'edit', 'stream']),
  }
}

/** What a tool needs that talks to Slack alone: of one workspace, and nothing of how events come. */
export type SlackAccessConfig = Pick<SlackConfig, 'apiUrl' | 'rateScale'> & {
  botToken: Secret
  appToken: Secret | undefined
}

export function readSlackAccess(read: Reader): SlackAccessConfig {
  const appToken = read.text('SLACK_APP_TOKEN')
  checkPrefix(read, 'SLACK_APP_TOKEN', appToken ?? '', 'xapp-', APP_TOKENS)
  return {
    botToken: readBotToken(read),
    appToken: appToken === undefined ? undefined : new Secret(appToken),
    apiUrl: readApiUrl(read),
    rateScale: readRateScale(read),
  }
}

function readApiUrl(read: Reader): string {
  const apiUrl = read.url('SLACK_API_URL') ?? ''
  return apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`
}

const APP_TOKENS = 'Basic Information → App-Level Tokens'

type Entrance = Pick<SlackConfig, 'botToken' | 'installs' | 'delivery'>

function readOne(read: Reader): Entrance {
  return {botToken: readBotToken(read), installs: undefined, delivery: readDelivery(read)}
}

function readBotToken(read: Reader): Secret {
  const botToken = read.required(
    'SLACK_BOT_TOKEN',
    'Copy it from your Slack app under OAuth & Permissions; it starts with xoxb-. ' +
      'For many workspaces set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_STATE_SECRET instead.',
  )
  checkPrefix(read, 'SLACK_BOT_TOKEN', botToken, 'xoxb-', 'OAuth & Permissions')
  return new Secret(botToken)
}

const CREDENTIALS = 'Copy it from your Slack app under Basic Information → App Credentials.'

function readMany(read: Reader): Entrance {
  const clientId = requiredBare(read, 'SLACK_CLIENT_ID')
  const clientSecret = requiredBare(read, 'SLACK_CLIENT_SECRET')
  const stateSecret = requiredBare(
    read,
    'SLACK_STATE_SECRET',
    'It signs what a browser brings back from Slack. Make one with: openssl rand -hex 32',
  )
  const signingSecret = requiredBare(read, 'SLACK_SIGNING_SECRET')
  if (read.text('SLACK_APP_TOKEN') !== undefined) {
    read.warn('SLACK_APP_TOKEN: not used, because many workspaces are served over HTTP.')
  }
  return {
    botToken: undefined,
    installs: {
      clientId,
      clientSecret: new Secret(clientSecret),
      stateSecret: new Secret(stateSecret),
    },
    delivery: {mode: 'http', signingSecret: new Secret(signingSecret)},
  }
}

/** Without quotes: some ways to set it keep them. */
function requiredBare(read: Reader, name: SlackSetting, fix = CREDENTIALS): string {
  read.required(name, fix)
  return read.bare(name) ?? ''
}

function readRateScale(read: Reader): number {
  const scale = read.number('SLACK_RATE_SCALE', {min: 0})
  if (scale === 0) read.problem('SLACK_RATE_SCALE must be more than 0.')
  return scale
}

/** With both an app token and a signing secret, Socket Mode wins. */
function readDelivery(read: Reader): SlackConfig['delivery'] {
  const appToken = read.text('SLACK_APP_TOKEN')
  if (appToken === undefined && read.text('SLACK_SIGNING_SECRET') === undefined) {
    read.problem(
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing. Socket Mode needs an app-level token with ' +
        'connections:write (Basic Information → App-Level Tokens); HTTP needs the signing secret ' +
        '(Basic Information → App Credentials).',
    )
  }
  if (appToken === undefined) {
    return {mode: 'http', signingSecret: new Secret(read.bare('SLACK_SIGNING_SECRET') ?? '')}
  }
  checkPrefix(read, 'SLACK_APP_TOKEN', appToken, 'xapp-', APP_TOKENS)
  return {mode: 'socket', appToken: new Secret(appToken)}
}

/** Names what was pasted instead by its prefix alone: the rest is a secret. */
function checkPrefix(
  read: Reader,
  name: SlackSetting,
  value: string,
  prefix: string,
  where: string,
): void {
  if (value === prefix) {
    read.problem(
      `${name} is only its prefix ${prefix}. Copy it from your Slack app under ${where}.`,
    )
    return
  }
  if (value === '') return
  if (value.startsWith(prefix)) {
    read.key(name)
    return
  }
  const given = /^xox[a-z]-|^xapp-|^xoxe|^["']/.exec(value)?.[0]
  const but = given === undefined ? '' : `, but this one starts with ${given}`
  read.problem(
    `${name} must start with ${prefix}${but}. Copy it from your Slack app under ${where}.`,
  )
}
