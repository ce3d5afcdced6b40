import {parseDatabase, passwordIn} from './database.ts'
import {type Environment, type Reader, createReader, slipsIn, urlProblem} from './reader.ts'
import {type MetricsConfig, readMetrics, readTraces} from './metrics.ts'
import {type SlackAccessConfig, type SlackConfig, readSlack, readSlackAccess} from './slack.ts'
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
  /** Who may read what is measured; `undefined`: nobody, and nothing is measured. */
  metrics: MetricsConfig | undefined
  /** Where traces go; `undefined`: there are none. */
  traces: {endpoint: string} | undefined
  logLevel: LogLevel
  /** Secrets that libraries read from the environment themselves. */
  secretsOfLibraries: readonly Secret[]
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

/** @throws {ConfigError} with every problem found, not just the first. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const warnings: string[] = []
  const read = createReader(environment, {problems, warnings})
  const platform = readPlatform(read)
  const slack = readSlack(read)
  const http = {
    host: read.text('HOST') ?? '',
    port: read.number('PORT', {min: 0, max: 65_535, whole: true}),
    publicUrl: read.url('PUBLIC_URL'),
  }
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
    retentionDays: read.number('BOSUN_RETENTION_DAYS', {min: 0, max: 36_500, whole: true}),
    http,
    metrics: readMetrics(read, http),
    traces: readTraces(read),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS),
    secretsOfLibraries: secretsOfLibraries(environment),
    warnings: [...slipsIn(environment), ...warnings],
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

/** All that must be seen by nobody. */
export function secretsIn(config: Config): Secret[] {
  const {platform, slack, database, sealingKeys, metrics} = config
  const {botToken, installs, delivery} = slack
  return [
    platform.standard?.apiKey,
    passwordIn(database),
    metrics?.token,
    ...[botToken, installs?.clientSecret, installs?.stateSecret],
    delivery.mode === 'http' ? delivery.signingSecret : delivery.appToken,
    ...sealingKeys.map(({key}) => key),
    ...config.secretsOfLibraries,
  ].filter((secret) => secret !== undefined)
}

/** What such headers name people speak of. */
const PLAIN_HEADER = /dataset|org-?id|tenant|project|service|environment/i

/** A PostgreSQL's password, and what goes along to the collector of traces: `name=value`, percent-encoded, separated by commas. */
function secretsOfLibraries(environment: Environment): Secret[] {
  const {
    PGPASSWORD = '',
    OTEL_EXPORTER_OTLP_HEADERS,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS,
  } = environment
  const headers = [OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS]
    .flatMap((all) => all?.split(',') ?? [])
    .flatMap((header) => {
      const [name = '', ...rest] = header.split('=')
      const value = rest.join('=').trim()
      return PLAIN_HEADER.test(name) ? [] : [value, decoded(value)]
    })
  return [...new Set([PGPASSWORD, ...headers])].flatMap((one) =>
    one === '' ? [] : new Secret(one),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
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

/** Slack alone, for a tool that needs no platform and no database. @throws {ConfigError} with every problem of these settings. */
export function readSlackSettings(
  environment: Environment,
): SlackAccessConfig & {webUrl: string | undefined} {
  const problems: string[] = []
  const read = createReader(environment, {problems, warnings: []})
  const config = {...readSlackAccess(read), webUrl: readWebAddress(read)}
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Where people open work, for what needs nothing else. @throws {ConfigError} */
export function readWebUrl(environment: Environment): string | undefined {
  const problems: string[] = []
  const webUrl = readWebAddress(createReader(environment, {problems, warnings: []}))
  if (problems.length > 0) throw new ConfigError(problems)
  return webUrl
}

/** The address of the platform, for what needs nothing else. @throws {ConfigError} */
export function readPlatformAddress(environment: Environment): string {
  const problems: string[] = []
  const {baseUrl} = readPlatform(createReader(environment, {problems, warnings: []}))
  if (problems.length > 0) throw new ConfigError(problems)
  return baseUrl
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
  return {baseUrl, webUrl: readWebAddress(read), tokenFile: readTokenFile(read)}
}

function readWebAddress(read: Reader): string | undefined {
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
  return webUrl
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
  const apiKey = read.key('PLATFORM_API_KEY')
  const projectId = read.bare('PLATFORM_PROJECT_ID')
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
