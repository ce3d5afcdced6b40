import {isSlip} from '../agents/nearest-word.ts'

export type Environment = Readonly<Record<string, string | undefined>>

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
  METRICS_HOST: '127.0.0.1',
  METRICS_PORT: undefined,
  METRICS_TOKEN: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  LOG_LEVEL: 'info',
} as const
type Setting = keyof typeof SETTINGS

/** What may have been meant for a setting: `BOSUN_ADMIN`. Other programs have names of one word alone. */
export function slipsIn(environment: Environment): string[] {
  const isSet = (name: string): boolean => Boolean(environment[name]?.trim())
  const unset = Object.keys(SETTINGS).filter((name) => name.includes('_') && !isSet(name))
  return Object.keys(environment).flatMap((name) => {
    const meant = unset.find((setting) => isSlip(setting, name))
    if (meant === undefined || !isSet(name) || name in SETTINGS) return []
    return [`${name} is no setting, and changes nothing. Is it ${meant}?`]
  })
}

export type Reader = ReturnType<typeof createReader>

export function createReader(
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

  /** Without quotes: some ways to set it keep them. */
  const bare = (name: Setting): string | undefined => {
    const value = text(name)
    if (value !== undefined && /^["']/.test(value)) {
      problems.push(`${name} must have no quotes around it.`)
    }
    return value
  }

  /** A secret that is sent in a header. */
  const key = (name: Setting): string | undefined => {
    const value = bare(name)
    if (value !== undefined && !/^[!-~]+$/.test(value)) {
      problems.push(`${name} must be of letters, digits and signs alone, without a space.`)
    }
    return value
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
  return {text, bare, key, isEmpty, required, number, choice, url, problem, warn}
}

/** What is wrong with an address that secrets are sent to, if anything is. */
export function urlProblem(value: string): string | undefined {
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

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
