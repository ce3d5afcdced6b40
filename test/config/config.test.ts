import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseEnv} from 'node:util'
import {describe, expect, test} from 'vitest'
import {ConfigError, readConfig, secretsIn} from '../../src/config/config.ts'
import {SETTINGS} from '../../src/config/reader.ts'
import {appOf} from '../../src/config/slack.ts'
import {STOP_SIGN} from '../../src/slack/ids.ts'
import {MARKS} from '../../src/slack/states/mark.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const right = {
  PLATFORM_BASE_URL: 'https://platform.example.com/api/v1',
  PLATFORM_API_KEY: 'key_secret',
  PLATFORM_PROJECT_ID: 'project_web',
  SLACK_BOT_TOKEN: 'xoxb-secret',
  SLACK_APP_TOKEN: 'xapp-secret',
}
const many = {
  PLATFORM_BASE_URL: 'https://platform.example.com/api/v1',
  SLACK_CLIENT_ID: '1.2',
  SLACK_CLIENT_SECRET: 'client-secret',
  SLACK_STATE_SECRET: 'state-secret',
  SLACK_SIGNING_SECRET: 'signing-secret',
  BOSUN_KEYS: `k1:${key}`,
}
type Environment = Readonly<Record<string, string | undefined>>

function problemsOf(changes: Environment): readonly string[] {
  try {
    readConfig({...right, ...changes})
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test.each<[Environment, string | undefined]>([
  [{SLACK_APP_TOKEN: 'xapp-1-A0BOSUN-2-abc'}, 'A0BOSUN'],
  [{SLACK_APP_TOKEN: 'xapp-secret'}, undefined],
  [
    {SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: 's', SLACK_BOT_TOKEN: 'xoxb-11-22-abc'},
    'xoxb-11-22-',
  ],
  [
    {SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: 's', SLACK_BOT_TOKEN: 'xoxb-secret'},
    undefined,
  ],
  [{...many, SLACK_BOT_TOKEN: undefined, SLACK_APP_TOKEN: undefined}, '1.2'],
])('the app of %o is %s, and no secret tells it', (changes, app) => {
  expect(appOf(readConfig({...right, ...changes}).slack)).toBe(app)
})

describe('right settings', () => {
  test('the few that are needed bring all the rest along', () => {
    const config = readConfig(right)
    expect(config).toMatchObject({
      platform: {baseUrl: right.PLATFORM_BASE_URL, webUrl: undefined},
      slack: {apiUrl: 'https://slack.com/api/', rateScale: 1, writer: 'auto'},
      database: {path: 'data/bosun.db'},
      sealingKeys: [],
      admins: [],
      watchSeconds: 30,
      hooksPerMinute: 60,
      retentionDays: 0,
      http: {host: '127.0.0.1', port: 3000, publicUrl: undefined},
      logLevel: 'info',
    })
    expect(config.platform.standard?.apiKey.reveal()).toBe('key_secret')
    expect(config.platform.standard?.projectId).toBe('project_web')
    expect(config.slack.botToken?.reveal()).toBe('xoxb-secret')
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('each is read', () => {
    const config = readConfig({
      ...right,
      PLATFORM_BASE_URL: 'http://127.0.0.1:4000/api/v1///',
      PLATFORM_WEB_URL: 'https://app.example.com/t/{threadId}',
      PLATFORM_SESSION_TOKEN_FILE: '/etc/agent/session-token',
      BOSUN_MAX_FILES: '5',
      BOSUN_MAX_FILE_MB: '10',
      SLACK_API_URL: 'http://localhost:5000/api',
      SLACK_RATE_SCALE: '0.5',
      SLACK_WRITER: 'edit',
      DATABASE_URL: 'sqlite:elsewhere/b.db',
      BOSUN_KEYS: `k2:${key}, k1:${key},`,
      BOSUN_ADMINS: 'U012AB3CD, W99',
      BOSUN_WATCH_SECONDS: '5',
      BOSUN_HOOKS_PER_MINUTE: '7',
      BOSUN_RETENTION_DAYS: '90',
      HOST: '0.0.0.0',
      PORT: '0',
      PUBLIC_URL: 'https://bosun.example.com',
      LOG_LEVEL: 'debug',
    })
    expect(config).toMatchObject({
      platform: {
        baseUrl: 'http://127.0.0.1:4000/api/v1',
        webUrl: 'https://app.example.com/t/{threadId}',
        tokenFile: '/etc/agent/session-token',
      },
      files: {maxFiles: 5, maxBytes: 10_000_000},
      slack: {apiUrl: 'http://localhost:5000/api/', rateScale: 0.5, writer: 'edit'},
      database: {path: 'elsewhere/b.db'},
      admins: ['U012AB3CD', 'W99'],
      watchSeconds: 5,
      hooksPerMinute: 7,
      retentionDays: 90,
      http: {host: '0.0.0.0', port: 0, publicUrl: 'https://bosun.example.com'},
      logLevel: 'debug',
    })
    expect(config.sealingKeys.map(({id}) => id)).toEqual(['k2', 'k1'])
  })

  test('Socket Mode wins when both ways are set; a signing secret alone means HTTP', () => {
    const both = readConfig({...right, SLACK_SIGNING_SECRET: 's'})
    expect(both.slack.delivery.mode).toBe('socket')
    const http = readConfig({...right, SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 's'})
    expect(http.slack.delivery.mode).toBe('http')
  })

  test('a key alone works where somebody names a project', () => {
    const {standard} = readConfig({...right, PLATFORM_PROJECT_ID: ''}).platform
    expect(standard?.apiKey.reveal()).toBe('key_secret')
    expect(standard?.projectId).toBeUndefined()
  })

  test('without a key there is no standard connection', () => {
    const config = readConfig({...right, PLATFORM_API_KEY: '', PLATFORM_PROJECT_ID: ' '})
    expect(config.platform.standard).toBeUndefined()
  })

  test('many workspaces want the app’s credentials and a sealing key, and nobody works with the operator’s key', () => {
    const config = readConfig({...many, PUBLIC_URL: 'https://bosun.example.com'})
    expect(config.warnings).toEqual([])
    expect(config.slack).toMatchObject({botToken: undefined, delivery: {mode: 'http'}})
    expect(config.slack.installs).toMatchObject({clientId: '1.2'})
    const lavish = readConfig({...many, PLATFORM_API_KEY: 'key_secret', SLACK_APP_TOKEN: 'xapp-1'})
    expect(lavish.platform.standard).toBeUndefined()
    expect(lavish.warnings).toHaveLength(2)
    expect(lavish.warnings.join()).not.toContain('key_secret')
    expect(readConfig({...many, PLATFORM_PROJECT_ID: 'p'}).warnings).toHaveLength(1)
  })

  test('a bot token is the simple way, and wins', () => {
    const {slack, warnings} = readConfig({...right, SLACK_CLIENT_ID: '1.2'})
    expect(slack.installs).toBeUndefined()
    expect(slack.botToken?.reveal()).toBe('xoxb-secret')
    expect(warnings).toEqual([
      expect.stringContaining('SLACK_CLIENT_ID: not used'),
      expect.stringContaining('BOSUN_KEYS is not set'),
    ])
  })

  test('a name that is hardly another than a setting’s is told, unless that one is set', () => {
    const told = (environment: Environment) =>
      readConfig({...right, BOSUN_KEYS: `k1:${key}`, ...environment}).warnings
    expect(told({BOSUN_RETENTION: '30', bosun_admins: 'U1'})).toEqual([
      'BOSUN_RETENTION is no setting, and changes nothing. Is it BOSUN_RETENTION_DAYS?',
      'bosun_admins is no setting, and changes nothing. Is it BOSUN_ADMINS?',
    ])
    expect(told({BOSUN_ADMIN: 'U1', BOSUN_ADMINS: 'U2'})).toEqual([])
    const others = ['HOSTNAME', 'HOME', 'BOSUN_DB_PASSWORD', 'SLACK_USER_TOKEN', 'BOSUN_PORT']
    expect(told(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([])
    expect(told({BOSUN_ADMIN: ''})).toEqual([])
  })

  test('metrics are told to nobody, at a port of their own, or to who has the token', () => {
    expect(readConfig(right).metrics).toBeUndefined()
    expect(readConfig({...right, METRICS_HOST: '0.0.0.0'}).metrics).toBeUndefined()
    const own = readConfig({...right, METRICS_PORT: '9464'})
    expect(own.metrics).toEqual({host: '127.0.0.1', port: 9464, token: undefined})
    const elsewhere = {METRICS_PORT: '3000', METRICS_HOST: '10.0.0.7', HOST: '10.0.0.8'}
    expect(readConfig({...right, ...elsewhere}).metrics?.port).toBe(3000)
    expect(readConfig({...right, PORT: '0', METRICS_PORT: '0'}).metrics?.port).toBe(0)
    const METRICS_TOKEN = 'a-token-of-24-characters'
    const withToken = readConfig({...right, METRICS_TOKEN})
    expect(withToken.metrics?.port).toBeUndefined()
    expect(secretsIn(withToken).map((secret) => secret.reveal())).toContain(METRICS_TOKEN)
    const open = {...right, METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0'}
    expect(readConfig(open).warnings.join()).toContain('whoever reaches METRICS_PORT')
    expect(readConfig({...open, METRICS_TOKEN}).warnings.join()).not.toContain('METRICS')
  })

  test('secrets that libraries read are known as ours are', () => {
    const OTEL_EXPORTER_OTLP_HEADERS =
      'authorization=Basic%20c2VjcmV0, x-team=k%zz=, x-dataset=bosun-production'
    const config = readConfig({...right, PGPASSWORD: 'of the database', OTEL_EXPORTER_OTLP_HEADERS})
    const known = secretsIn(config).map((secret) => secret.reveal())
    const theirs = ['of the database', 'Basic%20c2VjcmV0', 'Basic c2VjcmV0', 'k%zz=']
    expect(known).toEqual(expect.arrayContaining(theirs))
    expect(known).not.toContain('')
    // What people speak of is left in what they say.
    expect(known).not.toContain('bosun-production')
  })

  test('an emoji starts work unless it is set to nothing', () => {
    expect(readConfig(right).startEmoji).toBe('robot_face')
    expect(readConfig({...right, BOSUN_START_EMOJI: ':schiffsjunge_ü:'}).startEmoji).toBe(
      'schiffsjunge_ü',
    )
    expect(readConfig({...right, BOSUN_START_EMOJI: ' '}).startEmoji).toBeUndefined()
  })

  test('an empty value counts as unset', () => {
    const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '  ']))
    expect(readConfig({...empty, ...right}).http.port).toBe(3000)
  })
})

describe('a wrong setting is named, with what to do', () => {
  test.each<[string, Environment, string]>([
    ['a missing base', {PLATFORM_BASE_URL: undefined}, 'PLATFORM_BASE_URL is missing.'],
    ['no address', {PLATFORM_BASE_URL: 'platform/api/v1'}, 'PLATFORM_BASE_URL must be an address'],
    ['another path', {PLATFORM_BASE_URL: 'https://a.example/api'}, 'must end in /api/v1'],
    ['plain http', {PLATFORM_BASE_URL: 'http://a.example/api/v1'}, 'must start with https://'],
    ['a look-alike host', {PLATFORM_BASE_URL: 'http://127.0.0.1.a.example/api/v1'}, 'https://'],
    ['another scheme', {PLATFORM_BASE_URL: 'file:///api/v1'}, 'must start with https://'],
    ['a user in it', {PLATFORM_BASE_URL: 'https://u:p@a.example/api/v1'}, 'must not hold a user'],
    ['a project alone', {PLATFORM_API_KEY: ''}, 'PLATFORM_API_KEY is missing.'],
    [
      'no place',
      {PLATFORM_WEB_URL: 'https://a.example/t'},
      'PLATFORM_WEB_URL must hold {threadId}',
    ],
    ['a script', {PLATFORM_WEB_URL: 'javascript:{threadId}'}, 'PLATFORM_WEB_URL must start with'],
    ...['token', '/etc/$(id)', "/a'b", '/a b', '/'].map(
      (path): [string, Record<string, string>, string] => [
        'a path for a shell to trip over',
        {PLATFORM_SESSION_TOKEN_FILE: path},
        'PLATFORM_SESSION_TOKEN_FILE must be a path',
      ],
    ),
    ['no files', {BOSUN_MAX_FILES: '0'}, 'BOSUN_MAX_FILES must be a whole number'],
    ['no bot token', {SLACK_BOT_TOKEN: ''}, 'SLACK_BOT_TOKEN is missing.'],
    ['another token', {SLACK_BOT_TOKEN: 'xapp-1'}, 'but this one starts with xapp-'],
    ['a user token', {SLACK_BOT_TOKEN: 'xoxp-1'}, 'but this one starts with xoxp-'],
    ['no token at all', {SLACK_BOT_TOKEN: 'abc'}, 'SLACK_BOT_TOKEN must start with xoxb-.'],
    ['one in quotes', {SLACK_BOT_TOKEN: '"xoxb-1"'}, 'but this one starts with "'],
    ['half of another', {SLACK_BOT_TOKEN: 'xoxb-1 2'}, 'SLACK_BOT_TOKEN must be of letters'],
    ['no header takes it', {SLACK_APP_TOKEN: 'xapp-1…'}, 'SLACK_APP_TOKEN must be of letters'],
    [
      'a key in quotes',
      {PLATFORM_API_KEY: "'key'"},
      'PLATFORM_API_KEY must have no quotes around it.',
    ],
    ['two lines', {PLATFORM_API_KEY: 'key\nkey'}, 'PLATFORM_API_KEY must be of letters'],
    [
      'a secret in quotes',
      {SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: '"s"'},
      'SLACK_SIGNING_SECRET must have no quotes around it.',
    ],
    [
      'a project in quotes',
      {PLATFORM_PROJECT_ID: '"p"'},
      'PLATFORM_PROJECT_ID must have no quotes around it.',
    ],
    ['a bare prefix', {SLACK_BOT_TOKEN: 'xoxb-'}, 'SLACK_BOT_TOKEN is only its prefix xoxb-.'],
    ['another one', {SLACK_APP_TOKEN: ' xapp- '}, 'SLACK_APP_TOKEN is only its prefix xapp-.'],
    ['no way in', {SLACK_APP_TOKEN: ''}, 'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing.'],
    ['a bot token as app', {SLACK_APP_TOKEN: 'xoxb-1'}, 'SLACK_APP_TOKEN must start with xapp-'],
    ['an open API', {SLACK_API_URL: 'http://slack.com/api/'}, 'SLACK_API_URL must start with'],
    ['no scale', {SLACK_RATE_SCALE: 'fast'}, 'SLACK_RATE_SCALE must be a number of at least 0'],
    ['scale 0', {SLACK_RATE_SCALE: '0'}, 'SLACK_RATE_SCALE must be more than 0.'],
    ['a negative scale', {SLACK_RATE_SCALE: '-1'}, 'SLACK_RATE_SCALE must be a number'],
    ['an endless scale', {SLACK_RATE_SCALE: 'Infinity'}, 'SLACK_RATE_SCALE must be a number'],
    ['another writer', {SLACK_WRITER: 'fax'}, 'SLACK_WRITER must be one of auto, edit, stream'],
    ['another database', {DATABASE_URL: 'mysql://x'}, 'DATABASE_URL must be sqlite: and a file'],
    ['no file', {DATABASE_URL: 'sqlite:'}, 'DATABASE_URL must be sqlite: and a file'],
    ['no database', {DATABASE_URL: 'postgres://a.example'}, 'DATABASE_URL must name a database'],
    ['half a code', {DATABASE_URL: 'postgres://u:50%@a.example/b'}, 'write %25 for it'],
    ['a / in a password', {DATABASE_URL: 'postgres://u:/p@a.example:1/b'}, 'write %2F and %40'],
    ['no address', {DATABASE_URL: 'postgres://a b/c'}, 'DATABASE_URL is no address'],
    ['a port too high', {DATABASE_URL: 'postgres://a:99999/b'}, 'DATABASE_URL is no address'],
    ['a / in it', {DATABASE_URL: 'postgres://u:p/w@a.example/b'}, 'in a password %2F for a /'],
    ['a word for a port', {DATABASE_URL: 'postgres://a/b?port=abc'}, 'a port that is no number'],
    ['no port', {DATABASE_URL: 'postgres://a/b?port=0'}, 'a port that is no number'],
    ['a database in memory', {DATABASE_URL: 'sqlite::memory:'}, 'is lost at each stop'],
    ['a short key', {BOSUN_KEYS: 'k1:YWJj'}, 'BOSUN_KEYS: entry 1 must read'],
    ['no id', {BOSUN_KEYS: `k1:${key},${key}`}, 'BOSUN_KEYS: entry 2 must read'],
    ['one id twice', {BOSUN_KEYS: `k1:${key},k1:${key}`}, 'names the key id "k1" twice'],
    ['a name', {BOSUN_ADMINS: 'U1,jane'}, 'BOSUN_ADMINS must list Slack user ids'],
    ['an emoji itself', {BOSUN_START_EMOJI: '🤖'}, 'BOSUN_START_EMOJI must be the name of one'],
    ['two emoji', {BOSUN_START_EMOJI: 'robot_face,eyes'}, 'BOSUN_START_EMOJI must be the name'],
    ['the sign that stops', {BOSUN_START_EMOJI: STOP_SIGN}, 'that one stops work'],
    ['a sign of ours', {BOSUN_START_EMOJI: 'no_entry_sign'}, 'Bosun says with it how work stands'],
    ['no seconds', {BOSUN_WATCH_SECONDS: '0'}, 'BOSUN_WATCH_SECONDS must be a whole number'],
    ['half a second', {BOSUN_WATCH_SECONDS: '1.5'}, 'BOSUN_WATCH_SECONDS must be a whole number'],
    ['days before', {BOSUN_RETENTION_DAYS: '-1'}, 'BOSUN_RETENTION_DAYS must be a whole number'],
    ['days of another age', {BOSUN_RETENTION_DAYS: '1e15'}, 'a whole number from 0 to 36500'],
    ['no such port', {PORT: '65536'}, 'PORT must be a whole number from 0 to 65535'],
    ['a word as port', {PORT: 'http'}, 'PORT must be a whole number from 0 to 65535'],
    ['one port for two', {METRICS_PORT: '3000'}, 'METRICS_PORT must not be PORT, which is 3000.'],
    ['no such port of metrics', {METRICS_PORT: 'x'}, 'METRICS_PORT must be a whole number'],
    [
      'no collector',
      {OTEL_EXPORTER_OTLP_ENDPOINT: 'x:4318'},
      'OTEL_EXPORTER_OTLP_ENDPOINT must be',
    ],
    ['a token to guess', {METRICS_TOKEN: 'secret'}, 'METRICS_TOKEN must be at least 16'],
    ['plain http outside', {PUBLIC_URL: 'http://a.example'}, 'PUBLIC_URL must start with https://'],
    ['another level', {LOG_LEVEL: 'loud'}, 'LOG_LEVEL must be one of trace'],
  ])('%s', (_name, changes, problem) => {
    const problems = problemsOf(changes)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(problem)
  })

  test.each(Object.values(MARKS))('the sign %s, by which work shows how it stands', (sign) => {
    const [problem] = problemsOf({BOSUN_START_EMOJI: sign})
    expect(problem).toContain('Bosun says with it how work stands')
  })

  test('what many workspaces lack is told at once', () => {
    const environment = {PLATFORM_BASE_URL: many.PLATFORM_BASE_URL, SLACK_CLIENT_ID: '1.2'}
    expect(() => readConfig(environment)).toThrow(ConfigError)
    const problems = problemsOf({
      ...Object.fromEntries(Object.keys(right).map((name) => [name, ''])),
      ...environment,
    })
    expect(problems.map((line) => line.split(' ', 1)[0])).toEqual([
      ...['SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET', 'SLACK_SIGNING_SECRET', 'BOSUN_KEYS'],
    ])
  })

  test('all problems are told at once', () => {
    const problems = problemsOf({PLATFORM_BASE_URL: '', SLACK_BOT_TOKEN: '', PORT: 'x'})
    expect(problems.map((line) => line.split(' ', 1)[0])).toEqual([
      'PLATFORM_BASE_URL',
      'SLACK_BOT_TOKEN',
      'PORT',
    ])
  })

  test('no problem shows a secret', () => {
    const text = problemsOf({
      PLATFORM_BASE_URL: 'https://jane:hunter2@a.example/api',
      PLATFORM_WEB_URL: 'https://jane:hunter2@a.example/',
      PLATFORM_PROJECT_ID: '',
      SLACK_BOT_TOKEN: 'xapp-hunter2',
      SLACK_APP_TOKEN: 'xoxb-hunter2',
      BOSUN_KEYS: 'k1:hunter2',
    }).join('\n')
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('key_secret')
  })
})

describe('the list of settings', () => {
  const root = join(import.meta.dirname, '..', '..')
  const names = Object.keys(SETTINGS).toSorted()
  const namesIn = (file: string, line: RegExp): string[] =>
    [...readFileSync(join(root, file), 'utf8').matchAll(line)]
      .map(([, name]) => name ?? '')
      .toSorted()

  test('is that of .env.example', () => {
    expect(namesIn('.env.example', /^#? ?([A-Z][A-Z0-9_]+)=/gm)).toEqual(names)
  })

  test('.env.example sets nothing yet, and names no default: a container has others', () => {
    const given = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'))
    expect(Object.entries(given).filter(([, value]) => value !== '')).toEqual([])
    const standard: Environment = SETTINGS
    expect(Object.keys(given).filter((name) => standard[name])).toEqual([])
  })

  test('is that of the README', () => {
    expect(namesIn('README.md', /^\| `([A-Z][A-Z0-9_]+)`/gm)).toEqual(names)
  })

  test('has the defaults that the README and .env.example give', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const example = readFileSync(join(root, '.env.example'), 'utf8')
    for (const [name, standard] of Object.entries(SETTINGS)) {
      if (standard === undefined || standard === '') continue
      expect(readme).toContain(`| \`${name}\` | \`${standard}\` |`)
      expect(example).toContain(`${name}=${standard}\n`)
    }
  })
})
