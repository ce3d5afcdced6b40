import {createServer as createHttpServer} from 'node:http'
import {type AddressInfo, type Server, createServer} from 'node:net'
import pg from 'pg'
import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {Secret} from '../../../src/security/secret.ts'
import {LOCK} from '../../../src/store/postgres/living.ts'
import {openStore} from '../../../src/store/store.ts'
import {isBotRunning, openToolStore} from '../../../src/store/tool-store.ts'
import {barePostgres, temporaryName} from '../../support/postgres.ts'
import {SERVER, onServer} from '../../support/postgres-server.ts'
import {editRaw, printOf} from '../../support/raw-database.ts'
import {refusalOf} from '../refusal.ts'

const keyOf = (id: string, byte: number) => ({
  id,
  key: new Secret(Buffer.alloc(32, byte).toString('base64')),
})

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A role that may nothing by itself, and the same database as it sees it. */
async function asRole(url: string, rights = ''): Promise<{role: string; url: string}> {
  const role = temporaryName()
  await onServer(`create role ${role} login password 'right' ${rights}`)
  onTestFinished(async () => {
    await onServer(`drop owned by ${role}`, url)
    await onServer(`drop role ${role}`)
  })
  const theirs = new URL(url)
  theirs.username = role
  theirs.password = 'right'
  return {role, url: theirs.href}
}

async function make(url: string, sealingKeys = [] as ReturnType<typeof keyOf>[]): Promise<void> {
  const store = await openStore({path: url, sealingKeys})
  await store[Symbol.asyncDispose]()
}

/** The lock as a bot of that name holds it. */
async function holdAs(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({connectionString: url, application_name: name})
  client.on('error', () => undefined)
  await client.connect()
  await client.query('select pg_advisory_lock_shared($1)', [LOCK])
  return client
}

/** One line that says what is wrong, where, and what to do, without a secret. */
function expectOneLine(message: string, ...parts: readonly (string | RegExp)[]): void {
  expect(message).toMatch(/^(?:The database|BOSUN_KEYS|A bot|A tool)/)
  expect(message).not.toContain('\n')
  expect(message).not.toContain('right')
  for (const part of parts) expect(message).toMatch(part)
}

describe('where no database of ours is', () => {
  test('nobody answers', async () => {
    const port = await portOf(createServer())
    const refusal = await refusalOf(`postgres://bosun:right@127.0.0.1:${port + 1}/bosun`)
    expect(refusal.code).toBe('unreadable')
    expectOneLine(
      refusal.message,
      /bosun at 127\.0\.0\.1:\d+ /,
      'nobody answers',
      'PostgreSQL runs',
    )
  })

  test('there is no such host', async () => {
    const refusal = await refusalOf('postgres://bosun:right@nowhere.invalid/bosun')
    expectOneLine(refusal.message, 'bosun at nowhere.invalid ', 'nobody answers')
  })

  test('something else answers', async () => {
    const port = await portOf(createHttpServer((_request, response) => response.end('hello')))
    const refusal = await refusalOf(`postgres://bosun:right@127.0.0.1:${port}/bosun`)
    expect(refusal.code).toBe('unreadable')
    expectOneLine(refusal.message, 'DATABASE_URL names a PostgreSQL')
  })

  test('something takes the call, and says nothing', async () => {
    const port = await portOf(createServer(() => undefined))
    const url = `postgres://bosun:right@127.0.0.1:${port}/bosun`
    const [refusal, asked] = await Promise.all([refusalOf(url), isBotRunning(url).catch(String)])
    expectOneLine(refusal.message, 'nobody answers')
    expect(asked).toContain('timeout')
  })

  test('the server has no such database', async () => {
    const url = new URL(SERVER)
    url.pathname = '/bosun_test_never'
    const refusal = await refusalOf(url.href)
    expectOneLine(refusal.message, 'bosun_test_never at ', 'does not exist', 'create database')
  })

  test('the server has no such role', async () => {
    const url = new URL(SERVER)
    url.username = 'bosun_test_nobody'
    const refusal = await refusalOf(url.href)
    expectOneLine(refusal.message, 'bosun_test_nobody', 'role')
  })

  test('the address is none', async () => {
    for (const url of ['postgres://a b/c', 'postgres://x:y:z/bosun', 'postgres://a:b@c@d:x/e']) {
      const refusal = await refusalOf(url)
      expect(refusal.code).toBe('unreadable')
      expectOneLine(refusal.message, 'DATABASE_URL is no address')
    }
  })
})

describe('a database is refused, and nothing of it is changed', () => {
  test('that holds tables of another program', async () => {
    const url = await barePostgres()
    await editRaw(url, 'create table orders (id integer); insert into orders values (7)')
    const before = await printOf(url)
    const refusal = await refusalOf(url)
    expect(refusal.code).toBe('unreadable')
    expectOneLine(refusal.message, 'another program', 'orders', 'create database')
    expect(await printOf(url)).toBe(before)
  })

  test('in which the role may not make tables', async () => {
    const url = await barePostgres()
    const {url: theirs} = await asRole(url)
    const before = await printOf(url)
    const refusal = await refusalOf(theirs)
    expect(refusal.code).toBe('unreadable')
    expectOneLine(refusal.message, 'may not be given tables by this role', 'grant create')
    expect(await printOf(url)).toBe(before)
  })

  test('that is another role’s', async () => {
    const url = await barePostgres()
    await make(url)
    const {url: theirs} = await asRole(url)
    const before = await printOf(url)
    const refusal = await refusalOf(theirs)
    expect(refusal.code).toBe('unreadable')
    expectOneLine(refusal.message, 'permission denied', 'owner')
    expect(await printOf(url)).toBe(before)
    await expect(openToolStore({path: theirs, sealingKeys: []})).rejects.toMatchObject({
      code: 'unreadable',
    })
  })

  test('of a newer version', async () => {
    const url = await barePostgres()
    await make(url)
    await editRaw(
      url,
      `insert into kysely_migration values ('9999-later', '2026-01-01'); update schema_compat set min_version = 9999`,
    )
    const before = await printOf(url)
    const refusal = await refusalOf(url)
    expect(refusal.code).toBe('newer')
    expectOneLine(refusal.message, '9999-later', 'Start that version')
    expect(await printOf(url)).toBe(before)
    const tool = openToolStore({path: url, sealingKeys: []})
    await expect(tool).rejects.toMatchObject({code: 'newer'})
  })

  test('that is sealed with other keys', async () => {
    const url = await barePostgres()
    await make(url, [keyOf('k1', 1)])
    const before = await printOf(url)
    const missing = await refusalOf(url, [keyOf('k2', 2)])
    expect(missing.code).toBe('keys')
    expectOneLine(missing.message, 'lacks the key "k1"')
    expectOneLine((await refusalOf(url, [keyOf('k1', 9)])).message, '"k1" is not the one')
    expect(await printOf(url)).toBe(before)
  })

  test('that a tool finds empty', async () => {
    const url = await barePostgres()
    const before = await printOf(url)
    const tool = openToolStore({path: url, sealingKeys: []})
    await expect(tool).rejects.toThrow('is empty. Start Bosun once')
    expect(await printOf(url)).toBe(before)
  })
})

test('a role that may make tables and has the schema of the engine is enough', async () => {
  const url = await barePostgres()
  const {role, url: theirs} = await asRole(url)
  await onServer(`grant create on schema public to ${role}`, url)
  expectOneLine(
    (await refusalOf(theirs)).message,
    `create schema bosun_jobs authorization "${role}"`,
  )
  await onServer(`create schema bosun_jobs authorization ${role}`, url)
  await make(theirs)
  await make(theirs)
})

describe('versions and settings side by side', () => {
  test('what a newer version has only added to is worked with, and left as it is', async () => {
    const url = await barePostgres()
    await make(url)
    await editRaw(url, `insert into kysely_migration values ('9999-later', '2026-01-01')`)
    const before = await printOf(url)
    await make(url)
    await using tool = await openToolStore({path: url, sealingKeys: []})
    expect(tool.isBotRunning).toBe(false)
    expect(await printOf(url)).toBe(before)
  })

  test('a version that older ones could not work beside waits for their end', async () => {
    const url = await barePostgres()
    const older = await holdAs(url, 'bosun lock 16 - aaaaaa')
    const before = await printOf(url)
    const refusal = await refusalOf(url)
    expect(refusal.code).toBe('in-use')
    expectOneLine(refusal.message, '1 bots of a version', 'Stop them', 'Nothing of it was changed')
    expect(await printOf(url)).toBe(before)
    await older.end()
    await make(url)
  })

  test('one that would seal what another cannot open is refused', async () => {
    const url = await barePostgres()
    const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)]
    await using first = await openStore({path: url, sealingKeys: [k1]})
    expect(first).toBeDefined()
    const before = await printOf(url)
    const refusal = await refusalOf(url, [k2, k1])
    expect(refusal.code).toBe('keys')
    expectOneLine(refusal.message, 'the bot that works', 'what "k2" seals', 'second in BOSUN_KEYS')
    expect(await printOf(url)).toBe(before)
    await make(url, [k1, k2])
  })

  test('of two that begin it at once with keys of one name, one is refused', async () => {
    const url = await barePostgres()
    const begin = (fill: number) => openStore({path: url, sealingKeys: [keyOf('k1', fill)]})
    const outcomes = await Promise.allSettled([begin(1), begin(2)])
    const opened = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const store of opened) await store[Symbol.asyncDispose]()
    expect(opened).toHaveLength(1)
    const refused = outcomes.find((one) => one.status === 'rejected')
    expect(refused?.reason).toMatchObject({
      code: 'keys',
      message: expect.stringContaining('the key "k1" is not the one') as string,
    })
  })

  test('bots of two Slack apps do not share it', async () => {
    const url = await barePostgres()
    await using first = await openStore({path: url, sealingKeys: [], app: 'A1'})
    expect(first).toBeDefined()
    const second = openStore({path: url, sealingKeys: [], app: 'A2'})
    await expect(second).rejects.toMatchObject({
      code: 'in-use',
      message: expect.stringMatching(
        /^A bot of another Slack app .+ a database of its own .+ stop all bots/,
      ) as string,
    })
    await using same = await openStore({path: url, sealingKeys: [], app: 'A1'})
    expect(same).toBeDefined()
  })

  test('bots of two agent platforms do not share it, however many keys they have', async () => {
    const url = await barePostgres()
    const sealingKeys = Array.from({length: 9}, (_, index) => keyOf(`k${index}`, index))
    const at = (platform: string) => openStore({path: url, sealingKeys, platform})
    await using first = await at('https://a.example/api/v1')
    expect(first).toBeDefined()
    await expect(at('https://b.example/api/v1')).rejects.toMatchObject({
      code: 'in-use',
      message: expect.stringMatching(
        /^PLATFORM_BASE_URL: a bot of another agent platform .+ the same address/,
      ) as string,
    })
    await using same = await at('https://a.example/api/v1')
    expect(same).toBeDefined()
  })

  test.each([
    [2, '120 minutes ahead of'],
    [-2, '120 minutes behind'],
  ])('a clock that is %s hours off is told of', async (hours, words) => {
    const url = await barePostgres()
    const lines: string[] = []
    await (await openStore({path: url, sealingKeys: []}))[Symbol.asyncDispose]()
    const real = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => real() + hours * 3_600_000)
    onTestFinished(() => void vi.restoreAllMocks())
    await using store = await openStore({
      path: url,
      sealingKeys: [],
      tell: (line) => lines.push(line),
    })
    expect(store).toBeDefined()
    expect(lines).toEqual([expect.stringContaining(words)])
  })
})

test('a database without anything in it is told of, since another name may have been meant, and only then', async () => {
  const url = await barePostgres()
  const name = new URL(url).pathname.slice(1)
  const lines: string[] = []
  for (let times = 0; times < 2; times += 1) {
    await using store = await openStore({
      path: url,
      sealingKeys: [],
      tell: (line) => lines.push(line),
    })
    expect(await store.check()).toBeUndefined()
  }
  expect(lines).toEqual([expect.stringContaining(`The database ${name} at `)])
  expect(lines[0]).toContain('was empty: Bosun begins anew in it')
})

test('a migration that fails leaves nothing behind', async () => {
  const url = await barePostgres()
  // What the bot is about to make stands there as something else.
  await editRaw(url, 'create view links as select 1 as one')
  const before = await printOf(url)
  const refusal = await refusalOf(url)
  expect(refusal.code).toBe('migration')
  expectOneLine(refusal.message, 'Nothing of it was changed')
  expect(await printOf(url)).toBe(before)
})

test('a server that has come to be read-only is told of, until it is not', async () => {
  const url = await barePostgres()
  await using store = await openStore({path: url, sealingKeys: []})
  const name = new URL(url).pathname.slice(1)
  const readOnly = async (isOn: boolean): Promise<void> => {
    await onServer(`alter database ${name} set default_transaction_read_only = ${String(isOn)}`)
    await onServer(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = '${name}' and application_name = 'bosun'`,
    )
  }
  await readOnly(true)
  await expect.poll(() => store.check()).toContain('read-only')
  await readOnly(false)
  await expect.poll(() => store.check()).toBeUndefined()
})
