import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import Database from 'better-sqlite3'
import {type TestContext, describe, expect, test} from 'vitest'
import {startLocalSlack} from '../../local/slack/server.ts'
import {runToEnd} from '../support/bot.ts'
import {makeOldDatabase} from '../support/old-database.ts'
import {freePort} from '../support/servers.ts'
import {until} from '../support/until.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import type {World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const GOOD: Readonly<Record<string, string>> = {
  PLATFORM_BASE_URL: 'http://127.0.0.1:9/api/v1',
  PLATFORM_API_KEY: 'pk_1',
  PLATFORM_PROJECT_ID: 'project_1',
  SLACK_API_URL: 'http://127.0.0.1:9/api/',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  DATABASE_URL: 'sqlite:never-opened/bosun.db',
  BOSUN_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
}

/** Nobody should wait for an answer that is known: who asks again does so for minutes. */
const TOLD_WITHIN_MS = 15_000

const WRONG: readonly (readonly [name: string, value: string])[] = [
  ['PLATFORM_BASE_URL', 'http://platform.example.com/api/v1'],
  ['PLATFORM_API_KEY', ''],
  ['PLATFORM_WEB_URL', 'https://app.example.com/'],
  ['SLACK_BOT_TOKEN', 'xoxp-hunter2'],
  ['SLACK_APP_TOKEN', 'xoxb-hunter2'],
  ['SLACK_API_URL', 'http://slack.example.com/api/'],
  ['SLACK_RATE_SCALE', '0'],
  ['SLACK_WRITER', 'typewriter'],
  ['DATABASE_URL', 'postgres://db'],
  ['BOSUN_KEYS', 'k1:c2hvcnQ='],
  ['BOSUN_ADMINS', 'jane'],
  ['BOSUN_WATCH_SECONDS', '0'],
  ['BOSUN_HOOKS_PER_MINUTE', '0'],
  ['BOSUN_RETENTION_DAYS', '-1'],
  ['PORT', '70000'],
  ['PUBLIC_URL', 'bosun'],
  ['LOG_LEVEL', 'loud'],
]

describe.concurrent('a wrong setting', () => {
  test.each(WRONG)('is named in one line: %s=%s', async (name, value) => {
    const {code, stdout, stderr} = await runToEnd({...GOOD, [name]: value})
    expect({code, stdout}).toEqual({code: 1, stdout: ''})
    const [head, line, ...more] = stderr.trimEnd().split('\n')
    expect(head).toBe('Bosun cannot start: a setting is wrong.')
    expect(line).toMatch(new RegExp(`^  .*\\b${name}\\b`))
    expect(more).toEqual([])
    expect(stderr).not.toContain('hunter2')
  })

  test('does not hide another one: all are told at once', async () => {
    const names = [...new Set(WRONG.map(([name]) => name))]
    const broken = names.filter((name) => name !== 'PLATFORM_API_KEY')
    const values = Object.fromEntries(WRONG.filter(([name]) => broken.includes(name)))
    const {code, stderr} = await runToEnd({...GOOD, ...values})
    const [head, ...lines] = stderr.trimEnd().split('\n')
    expect(code).toBe(1)
    expect(head).toBe(`Bosun cannot start: ${broken.length} settings are wrong.`)
    for (const name of broken) expect(lines.filter((line) => line.includes(name))).not.toEqual([])
    expect(lines.filter((line) => /^ +at /.test(line))).toEqual([])
  })
})

describe.concurrent('a start that cannot work', () => {
  test('says that the port is taken, and has shown nothing', async (context) => {
    const world = await restingWorld(context)
    const other = createServer().listen(0, '127.0.0.1')
    context.onTestFinished(() => void other.close())
    await world.until('the port is taken', () => other.listening)
    const {port} = other.address() as AddressInfo
    const before = world.slack.ledger.calls.length
    await expectOneLine(world, {PORT: String(port)}, `PORT ${port} on 127.0.0.1 is in use.`)
    const calls = world.slack.ledger.calls.slice(before).map(({method}) => method)
    expect(calls).toEqual(['auth.test'])
  })

  test('says that the database is none, and leaves the file alone', async (context) => {
    const world = await restingWorld(context)
    const path = join(world.folder, 'letters.db')
    writeFileSync(path, 'Dear Jane,\n'.repeat(500))
    await expectOneLine(world, {DATABASE_URL: `sqlite:${path}`}, path, path)
  })

  test('says that the database is of a newer version, and leaves it alone', async (context) => {
    const world = await restingWorld(context)
    const path = databaseOf(world)
    const database = new Database(path)
    database
      .prepare('insert into kysely_migration (name, timestamp) values (?, ?)')
      .run('0999-later', new Date().toISOString())
    database.close()
    await expectOneLine(world, {}, 'newer version of Bosun (it has 0999-later)', path)
  })

  test.for([
    ['another key under the same id', (id: string) => `${id}:${'B'.repeat(43)}=`],
    ['another id', () => `other:${'B'.repeat(43)}=`],
    ['no key at all', () => ''],
  ] as const)('says that the sealing key is wrong: %s', async ([, toKeys], context) => {
    const world = await restingWorld(context)
    const [id = ''] = world.settings()['BOSUN_KEYS']?.split(':') ?? []
    await expectOneLine(world, {BOSUN_KEYS: toKeys(id)}, `the key "${id}"`, databaseOf(world))
  })

  const tokens = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']
  test.for(tokens)('says that Slack refuses %s', async (name, context) => {
    const world = await restingWorld(context)
    const given = world.settings()[name] ?? ''
    await expectOneLine(world, {[name]: `${given}x`}, `Slack refuses ${name} (invalid_auth)`)
    const refused = world.slack.ledger.calls.find(({answer}) => answer['error'] === 'invalid_auth')
    expect(Date.now() - (refused?.atMs ?? 0)).toBeLessThan(TOLD_WITHIN_MS)
  })

  // Without the scope, of the wrong kind, of somebody who has left.
  const others = ['missing_scope', 'not_allowed_token_type', 'user_removed_from_team']
  test.for(others)('says that Slack refuses SLACK_APP_TOKEN by %s', async (error, context) => {
    const world = await restingWorld(context)
    const failure = {times: 1000, applied: false, error}
    world.slack.faults.failNext('apps.connections.open', failure)
    const words = `Slack refuses SLACK_APP_TOKEN (${error}). Copy one that has the scope connections:write`
    await expectOneLine(world, {}, words)
  })

  test('says that another bot runs on the database, and that one goes on', async (context) => {
    const world = await openWorld(context)
    // The file changes all the same: the bot that runs moves its mark.
    await expectOneLine(world, {}, 'Another bot is running on the database')
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })
})

describe('a start with the database of an earlier version', () => {
  test('keeps a copy until the next good start, and names it', async (context) => {
    const world = await restingWorld(context)
    const path = databaseOf(world)
    for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(path + suffix, {force: true})
    await makeOldDatabase(path, '0009-hooks')
    const copy = `${path}.before-0010-folders`
    await world.startBot()
    expect(world.bot.output()).toContain(
      `What it held is kept as ${copy} until the next good start`,
    )
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    await world.bot.stop()
    const {code} = await runToEnd({...world.settings(), SLACK_BOT_TOKEN: 'xoxb-wrong'})
    expect(code).toBe(1)
    expect(existsSync(copy)).toBe(true)
    await world.startBot()
    await world.until('the copy is gone', () => !existsSync(copy))
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })
})

/** A world whose bot has run once and is stopped. */
async function restingWorld(context: TestContext): Promise<World> {
  const world = await openWorld(context)
  expect(await world.bot.stop()).toMatchObject({code: 0})
  return world
}

/** Starts a bot with these settings: it must end with one line, and leave the file as it is. */
async function expectOneLine(
  world: World,
  settings: Readonly<Record<string, string>>,
  words: string,
  untouched?: string,
): Promise<void> {
  const before = untouched === undefined ? undefined : bytesOf(untouched)
  const {code, stdout, stderr} = await runToEnd({
    ...world.settings(),
    LOG_LEVEL: 'warn',
    ...settings,
  })
  expect({code, stdout}).toEqual({code: 1, stdout: ''})
  expect(stderr).toContain(`Bosun cannot start: `)
  expect(stderr).toContain(words)
  // Besides what Slack's packages log, which is JSON.
  const lines = stderr.trimEnd().split('\n')
  expect(lines.filter((line) => !line.startsWith('{'))).toHaveLength(1)
  if (untouched !== undefined) expect(bytesOf(untouched)).toEqual(before)
}

/** What stands in the database file and in the log beside it. */
function bytesOf(path: string): string[] {
  return ['', '-wal'].map((suffix) =>
    existsSync(path + suffix) ? readFileSync(path + suffix).toString('base64') : '',
  )
}

function databaseOf(world: World): string {
  return world.settings()['DATABASE_URL']?.replace(/^sqlite:/, '') ?? ''
}

describe('a start that Slack holds up', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'is told by /healthz, and called off by %s',
    async (signal) => {
      await using slack = await startLocalSlack({rateScale: Infinity})
      slack.faults.failNext('apps.connections.open', {
        times: 1000,
        applied: false,
        error: 'internal_error',
      })
      const folder = mkdtempSync(join(tmpdir(), 'bosun-held-'))
      const port = await freePort()
      const bot = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
        env: {
          PATH: process.env['PATH'],
          PLATFORM_BASE_URL: 'http://127.0.0.1:9/api/v1',
          SLACK_API_URL: slack.apiUrl,
          SLACK_BOT_TOKEN: slack.botToken,
          SLACK_APP_TOKEN: slack.appToken,
          DATABASE_URL: `sqlite:${join(folder, 'bosun.db')}`,
          PORT: String(port),
          LOG_LEVEL: 'silent',
        },
      })
      const ended = once(bot, 'exit')
      await until('it has asked for a socket', () =>
        slack.ledger.calls.some(({method}) => method === 'apps.connections.open'),
      )
      const health = await fetch(`http://127.0.0.1:${port}/healthz`)
      expect(await health.json()).toMatchObject({slack: 'not connected'})
      bot.kill(signal)
      expect(await ended).toEqual([0, null])
      rmSync(folder, {recursive: true})
    },
  )
})
