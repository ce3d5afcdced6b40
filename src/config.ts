import type {SealingKey} from './security/seal.ts'
import {Secret} from './security/secret.ts'

/** Everything that the environment decides, checked. */
export interface Config {
  platform: {
    /** Ends in `/api/v1`, no slash behind it. */
    baseUrl: string
    /** The connection of channels without a binding of their own. */
    /** The key that channels work with, and the project where nobody names one. */
    standard: {apiKey: Secret; projectId: string | undefined} | undefined
    /** Holds `{threadId}`; without it there is no [Open]. */
    webUrl: string | undefined
  }
  slack: {
    botToken: Secret
    delivery: SlackDelivery
    /** Ends in a slash. */
    apiUrl: string
    /** Multiplies Slack's documented rates. */
    rateScale: number
    writer: 'auto' | 'edit' | 'stream'
  }
  database: {path: string}
  sealingKeys: readonly SealingKey[]
  admins: readonly string[]
  watchSeconds: number
  retentionDays: number
  http: {host: string; port: number; publicUrl: string | undefined}
  logLevel: LogLevel
}

type SlackDelivery = {mode: 'socket'; appToken: Secret} | {mode: 'http'; signingSecret: Secret}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/** Every problem at once, each a line that names the setting and the mend. */
export class ConfigError extends Error {
  override name = 'ConfigError' as const
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The names of all settings with what stands for them when they are unset. The README's table and
 * `.env.example` are held against this list by a test.
 */
export const SETTINGS = {
  PLATFORM_BASE_URL: undefined,
  PLATFORM_API_KEY: undefined,
  PLATFORM_PROJECT_ID: undefined,
  PLATFORM_WEB_URL: undefined,
  SLACK_BOT_TOKEN: undefined,
  SLACK_APP_TOKEN: undefined,
  SLACK_SIGNING_SECRET: undefined,
  SLACK_API_URL: 'https://slack.com/api/',
  SLACK_RATE_SCALE: '1',
  SLACK_WRITER: 'auto',
  DATABASE_URL: 'sqlite:data/bosun.db',
  BOSUN_KEYS: undefined,
  BOSUN_ADMINS: '',
  BOSUN_WATCH_SECONDS: '30',
  BOSUN_RETENTION_DAYS: '0',
  HOST: '127.0.0.1',
  PORT: '3000',
  PUBLIC_URL: undefined,
  LOG_LEVEL: 'info',
} as const
type Setting = keyof typeof SETTINGS

/** @throws {ConfigError} with every problem found, not just the first. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = createReader(environment, problems)
  const config: Config = {
    platform: readPlatform(read),
    slack: readSlack(read),
    database: {path: readDatabasePath(read)},
    sealingKeys: readSealingKeys(read),
    admins: readAdmins(read),
    watchSeconds: read.number('BOSUN_WATCH_SECONDS', {min: 1, whole: true}),
    retentionDays: read.number('BOSUN_RETENTION_DAYS', {min: 0, whole: true}),
    http: {
      host: read.text('HOST') ?? '',
      port: read.number('PORT', {min: 0, max: 65_535, whole: true}),
      publicUrl: read.url('PUBLIC_URL'),
    },
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

type Reader = ReturnType<typeof createReader>

function createReader(environment: Environment, problems: string[]) {
  /** An empty value counts as unset: that is what `NAME=` in a file of settings means. */
  const text = (name: Setting): string | undefined =>
    environment[name]?.trim() || SETTINGS[name] || undefined

  const required = (name: Setting, mend: string): string => {
    const value = text(name)
    if (value === undefined) problems.push(`${name} is missing. ${mend}`)
    return value ?? ''
  }

  const number = (name: Setting, rule: {min: number; max?: number; whole?: boolean}): number => {
    const value = Number(text(name))
    const max = rule.max ?? Number.MAX_SAFE_INTEGER
    const isWhole = rule.whole !== true || Number.isInteger(value)
    if (!(value >= rule.min && value <= max) || !isWhole) {
      const kind = rule.whole === true ? 'a whole number' : 'a number'
      const range =
        rule.max === undefined ? `of at least ${rule.min}` : `from ${rule.min} to ${max}`
      problems.push(`${name} must be ${kind} ${range}, but is "${text(name) ?? ''}".`)
    }
    return value
  }

  const choice = <Value extends string>(name: Setting, values: readonly Value[]): Value => {
    const value = values.find((candidate) => candidate === text(name))
    if (value === undefined) {
      problems.push(`${name} must be one of ${values.join(', ')}, but is "${text(name) ?? ''}".`)
    }
    return value ?? (values[0] as Value)
  }

  const url = (name: Setting): string | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const problem = urlProblem(value)
    if (problem !== undefined) problems.push(`${name} ${problem}`)
    return value
  }

  const problem = (line: string): void => void problems.push(line)
  return {text, required, number, choice, url, problem}
}

/** What is wrong with an address that secrets are sent to, if anything is. */
function urlProblem(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be an address such as https://example.com.'
  const {protocol, hostname, username, password} = new URL(value)
  if (username !== '' || password !== '') return 'must not hold a user name or a password.'
  if (protocol === 'https:') return undefined
  if (protocol === 'http:' && isLoopback(hostname)) return undefined
  return 'must start with https:// (plain http is for this machine alone: 127.0.0.1, ::1, localhost).'
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function readPlatform(read: Reader): Config['platform'] {
  const set = read.required(
    'PLATFORM_BASE_URL',
    "Give the agent platform's address, for example https://platform.example.com/api/v1.",
  )
  const baseUrl = set.replace(/\/+$/, '')
  if (set !== '') {
    read.url('PLATFORM_BASE_URL')
    if (!baseUrl.endsWith('/api/v1')) {
      // The value is not repeated: somebody may have put a password into it.
      read.problem('PLATFORM_BASE_URL must end in /api/v1.')
    }
  }
  const apiKey = read.text('PLATFORM_API_KEY')
  const projectId = read.text('PLATFORM_PROJECT_ID')
  if (apiKey === undefined && projectId !== undefined) {
    read.problem('PLATFORM_API_KEY is missing. Give a key that reaches PLATFORM_PROJECT_ID.')
  }
  const webUrl = read.text('PLATFORM_WEB_URL')
  if (webUrl !== undefined) {
    const problem = urlProblem(webUrl.replaceAll('{threadId}', 'id'))
    if (problem !== undefined) read.problem(`PLATFORM_WEB_URL ${problem}`)
    if (!webUrl.includes('{threadId}')) {
      read.problem(
        'PLATFORM_WEB_URL must hold {threadId}, for example https://app.example.com/t/{threadId}.',
      )
    }
  }
  return {
    baseUrl,
    standard: apiKey === undefined ? undefined : {apiKey: new Secret(apiKey), projectId},
    webUrl,
  }
}

function readSlack(read: Reader): Config['slack'] {
  const botToken = read.required(
    'SLACK_BOT_TOKEN',
    'Copy it from your Slack app under OAuth & Permissions; it starts with xoxb-.',
  )
  checkPrefix(read, 'SLACK_BOT_TOKEN', botToken, 'xoxb-', 'OAuth & Permissions')
  const apiUrl = read.url('SLACK_API_URL') ?? ''
  return {
    botToken: new Secret(botToken),
    delivery: readDelivery(read),
    apiUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`,
    rateScale: readRateScale(read),
    writer: read.choice('SLACK_WRITER', ['auto', 'edit', 'stream']),
  }
}

function readRateScale(read: Reader): number {
  const scale = read.number('SLACK_RATE_SCALE', {min: 0})
  if (scale === 0) read.problem('SLACK_RATE_SCALE must be more than 0.')
  return scale
}

/** With both an app token and a signing secret, Socket Mode wins. */
function readDelivery(read: Reader): SlackDelivery {
  const appToken = read.text('SLACK_APP_TOKEN')
  const signingSecret = read.text('SLACK_SIGNING_SECRET')
  if (appToken === undefined && signingSecret === undefined) {
    read.problem(
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing. Socket Mode needs an app-level token with ' +
        'connections:write (Basic Information → App-Level Tokens); HTTP needs the signing secret ' +
        '(Basic Information → App Credentials).',
    )
  }
  if (appToken === undefined) return {mode: 'http', signingSecret: new Secret(signingSecret ?? '')}
  checkPrefix(read, 'SLACK_APP_TOKEN', appToken, 'xapp-', 'Basic Information → App-Level Tokens')
  return {mode: 'socket', appToken: new Secret(appToken)}
}

/** Names what was pasted instead by its prefix alone: the rest is a secret. */
function checkPrefix(read: Reader, name: Setting, value: string, prefix: string, where: string) {
  if (value === '' || value.startsWith(prefix)) return
  const given = /^xox[a-z]-|^xapp-|^xoxe/.exec(value)?.[0]
  const but = given === undefined ? '' : `, but this one starts with ${given}`
  read.problem(
    `${name} must start with ${prefix}${but}. Copy it from your Slack app under ${where}.`,
  )
}

function readDatabasePath(read: Reader): string {
  const value = read.text('DATABASE_URL') ?? ''
  const path = value.replace(/^sqlite:/, '')
  if (!value.startsWith('sqlite:') || path === '') {
    read.problem('DATABASE_URL must be sqlite: and a file, for example sqlite:data/bosun.db.')
  }
  return path
}

function readSealingKeys(read: Reader): SealingKey[] {
  const keys: SealingKey[] = []
  for (const [index, part] of (read.text('BOSUN_KEYS') ?? '').split(',').entries()) {
    if (part.trim() === '') continue
    const [, id, key] = /^([\w-]{1,32}):([A-Za-z0-9+/]+=*)$/.exec(part.trim()) ?? []
    if (id === undefined || key === undefined || Buffer.from(key, 'base64').length !== 32) {
      read.problem(
        `BOSUN_KEYS: entry ${index + 1} must read id:base64 of 32 bytes. Make one with: ` +
          `echo "k1:$(openssl rand -base64 32)"`,
      )
    } else if (keys.some((known) => known.id === id)) {
      read.problem(`BOSUN_KEYS names the key id "${id}" twice. Give each key an id of its own.`)
    } else {
      keys.push({id, key: new Secret(key)})
    }
  }
  return keys
}

function readAdmins(read: Reader): string[] {
  const ids = (read.text('BOSUN_ADMINS') ?? '').split(',').map((id) => id.trim())
  const admins = ids.filter((id) => id !== '')
  for (const id of admins) {
    if (!/^[UW][A-Z0-9]+$/.test(id)) {
      read.problem(`BOSUN_ADMINS must list Slack user ids such as U012AB3CD, but has "${id}".`)
    }
  }
  return admins
}
