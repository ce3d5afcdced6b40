import {type SlackConfig, readSlack} from './slack.ts'
import type {SealingKey} from '../security/seal.ts'
import {Secret} from '../security/secret.ts'

/** Everything that the environment decides, checked. */
export interface Config {
  platform: {
    /** Ends in `/api/v1`, no slash behind it. */
    baseUrl: string
    /** The key that channels work with, and the project where nobody names one. */
    standard: {apiKey: Secret; projectId: string | undefined} | undefined
    /** Holds `{threadId}`; without it there is no [Open]. */
    webUrl: string | undefined
    /** Where the session token lies on the agents' machines: section 4.11 of the platform's API. */
    tokenFile: string | undefined
  }
  /** What may go along with one message to an agent. */
  files: {maxFiles: number; maxBytes: number}
  slack: SlackConfig
  database: {path: string}
  sealingKeys: readonly SealingKey[]
  admins: readonly string[]
  /** Put on a message, it offers to start work from it: without colons. `undefined`: none does. */
  startEmoji: string | undefined
  watchSeconds: number
  hooksPerMinute: number
  retentionDays: number
  http: {host: string; port: number; publicUrl: string | undefined}
  logLevel: LogLevel
  /** What is set and not used, each a line for the operator. */
  warnings: readonly string[]
}

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
  PLATFORM_SESSION_TOKEN_FILE: undefined,
  SLACK_BOT_TOKEN: undefined,
  SLACK_APP_TOKEN: undefined,
  SLACK_SIGNING_SECRET: undefined,
  SLACK_CLIENT_ID: undefined,
  SLACK_CLIENT_SECRET: undefined,
  SLACK_STATE_SECRET: undefined,
  SLACK_API_URL: 'https://slack.com/api/',
  SLACK_RATE_SCALE: '1',
  SLACK_WRITER: 'auto',
  DATABASE_URL: 'sqlite:data/bosun.db',
  BOSUN_KEYS: undefined,
  BOSUN_ADMINS: '',
  BOSUN_START_EMOJI: 'robot_face',
  BOSUN_MAX_FILES: '20',
  BOSUN_MAX_FILE_MB: '50',
  BOSUN_WATCH_SECONDS: '30',
  BOSUN_HOOKS_PER_MINUTE: '60',
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
  const warnings: string[] = []
  const read = createReader(environment, {problems, warnings})
  const platform = readPlatform(read)
  const slack = readSlack(read)
  const config: Config = {
    platform: {...platform, standard: readStandard(read, slack)},
    slack,
    database: {path: readDatabasePath(read)},
    sealingKeys: readSealingKeys(read, slack),
    admins: readAdmins(read),
    startEmoji: readStartEmoji(read),
    files: {
      maxFiles: read.number('BOSUN_MAX_FILES', {min: 1, max: 100, whole: true}),
      maxBytes: 1_000_000 * read.number('BOSUN_MAX_FILE_MB', {min: 1, max: 1000, whole: true}),
    },
    watchSeconds: read.number('BOSUN_WATCH_SECONDS', {min: 1, whole: true}),
    hooksPerMinute: read.number('BOSUN_HOOKS_PER_MINUTE', {min: 1, max: 60_000, whole: true}),
    retentionDays: read.number('BOSUN_RETENTION_DAYS', {min: 0, whole: true}),
    http: {
      host: read.text('HOST') ?? '',
      port: read.number('PORT', {min: 0, max: 65_535, whole: true}),
      publicUrl: read.url('PUBLIC_URL'),
    },
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS),
    warnings,
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

/** All that must be seen by nobody. */
export function secretsIn({platform, slack, database, sealingKeys}: Config): Secret[] {
  const {botToken, installs, delivery} = slack
  return [
    platform.standard?.apiKey,
    passwordIn(database),
    ...[botToken, installs?.clientSecret, installs?.stateSecret],
    delivery.mode === 'http' ? delivery.signingSecret : delivery.appToken,
    ...sealingKeys.map(({key}) => key),
  ].filter((secret) => secret !== undefined)
}

/** What a tool needs to open the database. */
type DatabaseConfig = Pick<Config, 'database' | 'sealingKeys'>

/** @throws {ConfigError} with every problem of these settings alone. */
export function readDatabaseConfig(environment: Environment): DatabaseConfig {
  const problems: string[] = []
  const read = createReader(environment, {problems, warnings: []})
  const config = {
    database: {path: readDatabasePath(read)},
    sealingKeys: readSealingKeys(read, {installs: undefined}),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

type Reader = ReturnType<typeof createReader>

function createReader(
  environment: Environment,
  {problems, warnings}: Record<'problems' | 'warnings', string[]>,
) {
  /** An empty value counts as unset: that is what `NAME=` in a file of settings means. */
  const text = (name: Setting): string | undefined =>
    environment[name]?.trim() || SETTINGS[name] || undefined

  const isEmpty = (name: Setting): boolean => environment[name]?.trim() === ''

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
    const problem = urlProblem(value) ?? tailProblem(value)
    if (problem !== undefined) problems.push(`${name} ${problem}`)
    return value
  }

  const problem = (line: string): void => void problems.push(line)
  const warn = (line: string): void => void warnings.push(line)
  return {text, isEmpty, required, number, choice, url, problem, warn}
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

/** Paths are put behind it. */
function tailProblem(value: string): string | undefined {
  return /[?#]/.test(value) ? 'must end with its path: no ? and no #.' : undefined
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function readPlatform(read: Reader): Omit<Config['platform'], 'standard'> {
  const set = read.required(
    'PLATFORM_BASE_URL',
    "Give the agent platform's address, for example https://platform.example.com/api/v1.",
  )
  const baseUrl = set.replace(/(?<!\/)\/+$/, '')
  if (set !== '') {
    read.url('PLATFORM_BASE_URL')
    if (!baseUrl.endsWith('/api/v1')) {
      // The value is not repeated: somebody may have put a password into it.
      read.problem('PLATFORM_BASE_URL must end in /api/v1.')
    }
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
  return {baseUrl, webUrl, tokenFile: readTokenFile(read)}
}

/** It stands in a line for the shell of an agent's machine. */
function readTokenFile(read: Reader): string | undefined {
  const path = read.text('PLATFORM_SESSION_TOKEN_FILE')
  if (path === undefined) return undefined
  if (!/^\/[\w.@/-]+$/.test(path)) {
    read.problem(
      'PLATFORM_SESSION_TOKEN_FILE must be a path on the agents’ machines, such as /etc/agent/session-token, of letters, digits and . _ - @ alone.',
    )
  }
  if (read.text('PUBLIC_URL') === undefined) {
    read.warn(
      'PLATFORM_SESSION_TOKEN_FILE: not used without PUBLIC_URL, where agents’ machines fetch files from.',
    )
  }
  return path
}

const MAKE_KEY = 'Make one with: echo "k1:$(openssl rand -base64 32)"'

function readStandard(read: Reader, {installs}: SlackConfig): Config['platform']['standard'] {
  const apiKey = read.text('PLATFORM_API_KEY')
  const projectId = read.text('PLATFORM_PROJECT_ID')
  if (installs !== undefined) {
    // The operator's key is nobody's who installs the app: a stranger's workspace would work with it.
    if (apiKey !== undefined || projectId !== undefined) {
      read.warn(
        'PLATFORM_API_KEY, PLATFORM_PROJECT_ID: not used with many workspaces; each gives its own keys by /bosun connect.',
      )
    }
    return undefined
  }
  if (apiKey === undefined && projectId !== undefined) {
    read.problem('PLATFORM_API_KEY is missing. Give a key that reaches PLATFORM_PROJECT_ID.')
  }
  return apiKey === undefined ? undefined : {apiKey: new Secret(apiKey), projectId}
}

function readDatabasePath(read: Reader): string {
  return parseDatabase(read.text('DATABASE_URL') ?? '', read.problem)
}

/** A file's path, or the address of a PostgreSQL. */
export function parseDatabase(value: string, problem: (line: string) => void): string {
  if (isPostgres(value)) {
    const url = URL.parse(value)
    if (url === null || url.pathname.length < 2) {
      problem('DATABASE_URL must name a database: postgres://user@host/database.')
    } else if (/[@/]/.test(url.pathname.slice(1))) {
      // A password that is cut there would be told as the name of the database.
      problem(
        'DATABASE_URL has a / or an @ behind its host: in a password or a name write %2F and %40 for them.',
      )
    } else if (![url.username, url.password, url.pathname].every(isEncoded)) {
      problem('DATABASE_URL holds a % that encodes nothing: write %25 for it.')
    }
    return value
  }
  const path = value.replace(/^sqlite:/, '')
  if (!value.startsWith('sqlite:') || path === '') {
    problem(
      'DATABASE_URL must be sqlite: and a file, for example sqlite:data/bosun.db, or the address of a PostgreSQL, postgres://user@host/database.',
    )
  }
  return path
}

function isPostgres(value: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(value)
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** A password in the address of a PostgreSQL. */
function passwordIn({path}: Config['database']): Secret | undefined {
  if (!isPostgres(path)) return undefined
  const {password, searchParams} = new URL(path)
  const given = searchParams.get('password') ?? decodeURIComponent(password)
  return given === '' ? undefined : new Secret(given)
}

function readSealingKeys(read: Reader, {installs}: Pick<SlackConfig, 'installs'>): SealingKey[] {
  const keys: SealingKey[] = []
  const set = read.text('BOSUN_KEYS')
  if (set === undefined && installs !== undefined) {
    read.problem(`BOSUN_KEYS is missing. It seals the tokens of all workspaces. ${MAKE_KEY}`)
  }
  if (set === undefined && installs === undefined) {
    read.warn(
      'BOSUN_KEYS is not set: no keys for channels (/bosun connect), no hooks and no automation’s webhook address can be stored. Make one with: npm run keys -- make',
    )
  }
  for (const [index, part] of (set ?? '').split(',').entries()) {
    if (part.trim() === '') continue
    const [, id, key] = /^([\w-]{1,32}):([A-Za-z0-9+/]+=*)$/.exec(part.trim()) ?? []
    if (id === undefined || key === undefined || Buffer.from(key, 'base64').length !== 32) {
      read.problem(`BOSUN_KEYS: entry ${index + 1} must read id:base64 of 32 bytes. ${MAKE_KEY}`)
    } else if (keys.some((known) => known.id === id)) {
      read.problem(`BOSUN_KEYS names the key id "${id}" twice. Give each key an id of its own.`)
    } else {
      keys.push({id, key: new Secret(key)})
    }
  }
  return keys
}

/** As Slack names them; custom ones may have letters of any script. */
const EMOJI = /^[\p{Ll}\p{Lo}\p{N}_+'-]{1,100}$/u

/** Unlike all else, what is set to nothing is switched off here: what holds without it is an emoji. */
function readStartEmoji(read: Reader): string | undefined {
  if (read.isEmpty('BOSUN_START_EMOJI')) return undefined
  const name = (read.text('BOSUN_START_EMOJI') ?? '').replace(/^:(.+):$/, '$1')
  if (!EMOJI.test(name)) {
    read.problem(
      `BOSUN_START_EMOJI must be the name of one emoji, such as robot_face, but is "${name}".`,
    )
  } else if (name === STOP_EMOJI) {
    read.problem(`BOSUN_START_EMOJI must not be ${STOP_EMOJI}: that one stops work. Take another.`)
  } else if (MARKS.has(name)) {
    read.problem(
      `BOSUN_START_EMOJI must not be ${name}: Bosun says with it how work stands. Take another.`,
    )
  }
  return name
}

/** 🛑, which is no setting. */
const STOP_EMOJI = 'octagonal_sign'
/** Those that Bosun puts on messages itself. */
const MARKS: ReadonlySet<string> = new Set([
  ...['eyes', 'raising_hand', 'white_check_mark', 'x', 'black_square_for_stop', 'no_entry_sign'],
])

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
