import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import {createServer} from 'node:net'
import type {AddressInfo} from 'node:net'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {createSealer} from '../../src/security/seal.ts'
import {isPostgres} from '../../src/store/is-postgres.ts'
import {openStore} from '../../src/store/store.ts'
import {ASKS, PROCESS, seed} from '../store/tenancy-asks.ts'
import {temporaryPath} from '../store/temporary-store.ts'
import {fillStore, standOf} from '../support/moved-store.ts'
import {makeOldDatabase} from '../support/old-database.ts'
import {barePostgres} from '../support/postgres.ts'
import {editRaw, openRaw, printOf} from '../support/raw-database.ts'
import {type Stall, startStallingProxy} from '../support/stalling-proxy.ts'
import {tool} from '../support/tool.ts'
import {keyNamed} from './sealed-database.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'src', 'tools', 'migrate-store.ts')
const key = keyNamed('k1')
const settings = {BOSUN_KEYS: key.setting}
const named = (path: string): string => (isPostgres(path) ? path : `sqlite:${path}`)

function move(from: string, to: string, keys: Record<string, string> = settings) {
  return tool('migrate-store', [named(from), named(to)], keys)
}

/** Of SQLite, with rows in every table. */
async function filledStore(rows = 400): Promise<string> {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: [key]})
  await store[Symbol.asyncDispose]()
  fillStore(path, {rows, seed: '1', sealer: createSealer([key])})
  return path
}

/** Everything that stands there. */
async function contentOf(path: string): Promise<unknown> {
  if (isPostgres(path)) return printOf(path)
  if (!existsSync(path)) return 'not there'
  await using raw = await openRaw(path)
  const schema = await raw.all('select name, sql from sqlite_schema order by name')
  return [schema, await standOf(path)]
}

/** Why no bot starts there; `undefined` when one does. */
async function refusal(path: string): Promise<string | undefined> {
  try {
    const store = await openStore({path, sealingKeys: [key]})
    await store[Symbol.asyncDispose]()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('all that is there moves', () => {
  test('from SQLite to PostgreSQL and back, and again: every table, and nothing else', async () => {
    const [file, server] = [await filledStore(), await barePostgres()]
    const before = await standOf(file)
    expect(before.rows).toBeGreaterThan(400)
    const there = await move(file, server)
    expect(there).toMatchObject({code: 0, err: ''})
    expect(there.out).toMatch(/ {2}links\n/)
    expect(there.out).toMatch(/\d+ rows in [\d.]+ s, \d+ a second; read back and compared\.\n/)
    expect(there.out).toContain('name it in DATABASE_URL, and start Bosun')
    expect(await standOf(server)).toEqual(before)
    expect(await refusal(file)).toContain('was moved to')
    expect(await standOf(file)).toEqual(before)

    const back = await move(server, file)
    expect(back).toMatchObject({code: 0, err: ''})
    expect(await standOf(file)).toEqual(before)
    expect(await refusal(server)).toContain(`was moved to ${file}: set DATABASE_URL to that one`)
    expect(await refusal(file)).toBeUndefined()

    await editRaw(file, `delete from pings`)
    const changed = await standOf(file)
    expect(await move(file, server)).toMatchObject({code: 0, err: ''})
    expect(await standOf(server)).toEqual(changed)
    expect(await refusal(server)).toBeUndefined()
  })

  test('from SQLite to SQLite, and from PostgreSQL to PostgreSQL', async () => {
    const file = await filledStore(50)
    const before = await standOf(file)
    const way = [file, temporaryPath(), await barePostgres(), await barePostgres()]
    for (const [index, to] of way.slice(1).entries()) {
      expect(await move(way[index] ?? '', to)).toMatchObject({code: 0, err: ''})
      expect(await standOf(to)).toEqual(before)
    }
  })

  test('the store answers what it would have answered', async () => {
    const file = temporaryPath()
    const store = await openStore({path: file, sealingKeys: [key]})
    const mine = await seed(store, 'T-MINE')
    await seed(store, 'T-THEIRS')
    await store[Symbol.asyncDispose]()
    const [copy, server] = [temporaryPath(), await barePostgres()]
    mkdirSync(dirname(copy), {recursive: true})
    copyFileSync(file, copy)
    expect(await move(file, server)).toMatchObject({code: 0, err: ''})
    const answersOf = async (path: string): Promise<unknown[]> => {
      await using opened = await openStore({path, sealingKeys: [key]})
      const answers: unknown[] = []
      for (const [name, asks] of Object.entries(ASKS)) {
        for (const [method, ask] of Object.entries(asks)) {
          if (ask === PROCESS) continue
          const answer = await ask(opened, mine).catch((error: unknown) => String(error))
          const text = withoutFresh(JSON.stringify([answer]))
          answers.push([name, method, ...(JSON.parse(text) as unknown[]).map(inOrder)])
        }
      }
      return answers
    }
    // What was written in one instant is listed in any order.
    const inOrder = (answer: unknown): unknown =>
      Array.isArray(answer) ? answer.map((one) => JSON.stringify(one)).toSorted() : answer
    // Ids, tokens and secrets that are made now are random.
    const known = new Set(Object.values(mine).map(String))
    const withoutFresh = (text: string): string =>
      text.replaceAll(/[\w-]{16,}|(?<="(?:text|token)":")[0-9a-z]{8}(?=")/g, (id) =>
        known.has(id) ? id : 'fresh',
      )
    expect(await answersOf(server)).toEqual(await answersOf(copy))
  })

  test('numbers that were given are not given again, though the newest rows are gone', async () => {
    const [file, server] = [await filledStore(100), await barePostgres()]
    await editRaw(
      file,
      `insert into audit (id, team, "user", act, outcome, at_ms) values (5000, 'T', 'U', 'a', 'done', 1.5);
       delete from audit where id = 5000; delete from deliveries`,
    )
    const nextOf = async (path: string): Promise<unknown> => {
      await using raw = await openRaw(path)
      return await raw.all(
        `insert into audit (team, "user", act, outcome, at_ms) values ('T', 'U', 'a', 'done', 1.5) returning id`,
      )
    }
    expect(await move(file, server)).toMatchObject({code: 0})
    expect(await nextOf(server)).toEqual([{id: 5001}])
    await editRaw(server, 'delete from audit')
    expect(await move(server, file)).toMatchObject({code: 0})
    expect(await nextOf(file)).toEqual([{id: 5002}])
  })

  test('what PostgreSQL cannot hold is replaced and told of; everything else stays as it is', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    const texts = ['a\0b\0', '\\u0000', '{"a":"\\ud800"}', `{NULL,"x'\\}`, 'NULL', '', '😀\u{fffd}']
    for (const [index, text] of texts.entries()) {
      await editRaw(
        file,
        `insert into agent_posts (id, link_id, key, digest, text, file_bytes, state, step, made_at_ms)
          select ?, id, ?, 'd', ?, x'00ff5c22', 'placed', 0, 1234567890123.0625 from links limit 1`,
        ...[`special-${index}`, String(index), text],
      )
    }
    // Half of a pair, as SQLite holds it when another program has written it.
    await editRaw(file, `update agent_posts set text = cast(x'61eda08062' as text) where key = '6'`)
    const specialsOf = async (path: string): Promise<unknown> => {
      await using raw = await openRaw(path)
      return await raw.all(
        `select text, file_bytes, made_at_ms from agent_posts where id like 'special-%' order by id`,
      )
    }
    const before = (await specialsOf(file)) as {text: string}[]
    const {out} = await move(file, server)
    expect(out).toContain('1 text held U+0000, which PostgreSQL does not take: U+FFFD stands there')
    const replaced = before.map((row) => ({...row, text: row.text.replaceAll('\0', '\u{fffd}')}))
    expect(await specialsOf(server)).toEqual(replaced)
    expect((await move(server, file)).out).not.toContain('U+0000')
    expect(await specialsOf(file)).toEqual(replaced)
  })

  test('the oldest open rows of lanes stay what they are, and are kept afterwards', async () => {
    const file = temporaryPath()
    const server = await barePostgres()
    const store = await openStore({path: file, sealingKeys: []})
    for (let index = 0; index < 30; index += 1) {
      await store.inbox.add({team: 'T1', key: `${index}`, lane: `l${index % 3}`, body: '{}'}, index)
    }
    await store[Symbol.asyncDispose]()
    const headsOf = async (path: string): Promise<unknown> => {
      await using raw = await openRaw(path)
      return await raw.all('select id from inbox where head = 1 order by id')
    }
    expect(await move(file, server)).toMatchObject({code: 0})
    expect(await headsOf(server)).toEqual([{id: 1}, {id: 2}, {id: 3}])
    await editRaw(server, `update inbox set state = 'done' where id = 1`)
    expect(await headsOf(server)).toEqual([{id: 2}, {id: 3}, {id: 4}])
    expect(await move(server, file)).toMatchObject({code: 0})
    await editRaw(file, `update inbox set state = 'done' where id = 2`)
    expect(await headsOf(file)).toEqual([{id: 3}, {id: 4}, {id: 5}])
  })

  test('a repeat says that it is done, and changes nothing; doctor says where everything is', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    expect(await move(file, server)).toMatchObject({code: 0})
    const before = [await contentOf(file), await contentOf(server)]
    const repeated = await move(file, server)
    expect(repeated).toMatchObject({code: 0, err: ''})
    expect(repeated.out).toMatch(/^Everything is in \S+ at \S+ already: nothing was changed\.\n$/)
    expect([await contentOf(file), await contentOf(server)]).toEqual(before)
    const asked = {...settings, DATABASE_URL: `sqlite:${file}`}
    expect((await tool('keys', ['check'], asked)).err).toContain('was moved to')
    expect((await tool('backup', [`${file}.copy`], asked)).err).toContain('was moved to')
    const platform = {PLATFORM_BASE_URL: 'http://127.0.0.1:9/api/v1'}
    const doctor = {...asked, ...platform, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1'}
    const said = await tool('doctor', [], {...doctor, SLACK_API_URL: 'http://127.0.0.1:9/api/'})
    expect(said.out + said.err).toContain('was moved to')
  })
})

describe('where something is wrong nothing is changed, and one line says what', () => {
  async function expectLine(
    [from, to]: readonly [string, string],
    line: RegExp | string,
    {keys = settings, secret = 'geheim'}: {keys?: Record<string, string>; secret?: string} = {},
  ): Promise<void> {
    const printed = async (): Promise<unknown> =>
      Promise.all(
        [from, to].map(async (one) => {
          try {
            return await contentOf(one)
          } catch {
            return 'not there'
          }
        }),
      )
    const before = await printed()
    const {code, out, err} = await move(from, to, keys)
    expect({code, out}).toEqual({code: 1, out: ''})
    expect(err).toMatch(line)
    expect(err.trimEnd()).not.toContain('\n')
    expect(err).not.toContain(secret)
    expect(await printed()).toEqual(before)
  }

  test('arguments', async () => {
    const say = /^Say from where to where: npm run migrate-store -- sqlite:/
    for (const args of [[], ['sqlite:a'], ['sqlite:a', 'sqlite:b', 'sqlite:c']]) {
      expect((await tool('migrate-store', args, settings)).err).toMatch(say)
    }
    const wrong = await tool('migrate-store', ['sqlite:a', 'mysql://root:geheim@h/b'], settings)
    expect(wrong).toMatchObject({code: 1, out: ''})
    expect(wrong.err).toMatch(/^TO must be sqlite: and a file/)
    expect(wrong.err).not.toContain('geheim')
    const nameless = await tool('migrate-store', ['postgres://h', 'sqlite:a'], settings)
    expect(nameless.err).toMatch(/^FROM must name a database/)
  })

  test('a bot runs, on either', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    await using ends = new AsyncDisposableStack()
    ends.use(await openStore({path: file, sealingKeys: [key]}))
    await expectLine([file, server], /^Another bot is running on the database/)
    await ends.disposeAsync()
    await using other = new AsyncDisposableStack()
    other.use(await openStore({path: server, sealingKeys: []}))
    await expectLine([file, server], /^A bot works with the database/)
  })

  test('the source is not there, empty, of another program, damaged, older or newer', async () => {
    const server = await barePostgres()
    const missing = temporaryPath()
    await expectLine([missing, server], /is not there/)
    expect(existsSync(dirname(missing))).toBe(false)
    await expectLine([await barePostgres(), server], /is empty or not Bosun's: there is nothing/)
    const strange = await barePostgres()
    await editRaw(strange, 'create table orders (id integer)')
    await expectLine([strange, server], /another program \(orders\)/)
    const broken = await filledStore(20)
    writeFileSync(broken, readFileSync(broken).fill(7, 4096, 9000))
    await expectLine([broken, server], /is damaged/)
    const old = temporaryPath()
    await makeOldDatabase(old, '0015-marks')
    await expectLine([old, server], /is of an earlier version of Bosun\. Start Bosun once/)
    const newer = await filledStore(20)
    await editRaw(newer, `insert into kysely_migration values ('9999-later', '2026-01-01')`)
    await expectLine([newer, server], /is of a newer version of Bosun/)
  })

  test('the target is not empty, of another program, or the same', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    await expectLine([file, file], /are one database/)
    await expectLine([server, server.replace('127.0.0.1', 'localhost')], /are one database/)
    await editRaw(server, 'create table orders (id integer)')
    await expectLine([file, server], /another program \(orders\)/)
    const other = await filledStore(20)
    await expectLine([file, other], /is not empty: there are rows in .*links/)
    const strange = temporaryPath()
    mkdirSync(dirname(strange), {recursive: true})
    await editRaw(strange, 'create table orders (id integer)')
    await expectLine([file, strange], /another program \(orders\)/)
  })

  test('tables of ours in which nothing stands are a target', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    const store = await openStore({path: server, sealingKeys: []})
    await store[Symbol.asyncDispose]()
    expect(await move(file, server)).toMatchObject({code: 0})
    expect(await standOf(server)).toEqual(await standOf(file))
  })

  test('keys are missing or others, or one value does not open', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    const ways: [Record<string, string>, RegExp][] = [
      [{}, /lacks the key "k1"/],
      [{BOSUN_KEYS: keyNamed('k2').setting}, /lacks the key "k1"/],
      [{BOSUN_KEYS: keyNamed('k1').setting}, /the key "k1" is not the one/],
    ]
    for (const [keys, line] of ways) await expectLine([file, server], line, {keys})
    await editRaw(file, `update connections set key = 'k1:AAAA' where key is not null`)
    await expectLine([file, server], /does not open/)
  })

  test('the server is away, lets nobody in, or asks for a password', async () => {
    const file = await filledStore(20)
    const asking = createServer((socket) => {
      const ask = (code: number, text: string): void => {
        const head = Buffer.from([0x52, 0, 0, 0, 8 + Buffer.byteLength(text), 0, 0, 0, code])
        socket.write(Buffer.concat([head, Buffer.from(text)]))
      }
      socket.once('data', () => {
        ask(10, 'SCRAM-SHA-256\0\0')
        socket.once('data', (data) => {
          const [, nonce = ''] = /,r=([^,]+)/.exec(data.toString()) ?? []
          ask(11, `r=${nonce}x,s=c2FsdA==,i=4096`)
        })
      })
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => asking.listen(0, '127.0.0.1', resolve))
    const {port} = asking.address() as AddressInfo
    const asked = await move(file, `postgres://bosun@127.0.0.1:${port}/bosun`)
    expect(asked.err).toMatch(/^[^\n]* asks for a password, and TO has none\. [^\n]*\n$/)
    asking.close()
    const away = `postgres://bosun:geheim@127.0.0.1:${port}/bosun`
    await expectLine([file, away], /nobody answers there .* port in TO\./, {secret: 'geheim'})
    const server = new URL(await barePostgres())
    server.username = 'bosun_test_nobody'
    server.password = 'geheim'
    await expectLine([file, server.href], /bosun_test_nobody/, {secret: 'geheim'})
  })

  test('a disk is full, or fails', async () => {
    const [file, server] = [await filledStore(300), await barePostgres()]
    const store = await openStore({path: server, sealingKeys: []})
    await store[Symbol.asyncDispose]()
    await editRaw(
      server,
      `create function full_disk() returns boolean language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = '53100'; end $$;
       alter table posts add constraint room check (full_disk())`,
    )
    await expectLine([file, server], /could not extend file\. The disk of the server is full/)
    expect(await refusal(file)).toBeUndefined()

    const [large, small] = [await filledStore(), temporaryPath()]
    expect(await moveOnSmallDisk(large, small)).toMatch(
      /^The move was cut off at its end by .* \(disk I\/O error\): repeat npm run migrate-store/,
    )
    expect(await refusal(large)).toContain('was moved to')
    expect(await refusal(small)).toContain('does not yet')
    expect(await move(large, small)).toMatchObject({code: 0})
    expect(await standOf(small)).toEqual(await standOf(large))
  })

  test('the source has a table that this version does not know', async () => {
    const [file, server, fresh] = [await filledStore(20), await barePostgres(), temporaryPath()]
    await editRaw(file, 'create table later (id text primary key)')
    for (const to of [server, fresh]) {
      await expectLine([file, to], /^The tables of \S+ are not those of this version of Bosun\./)
    }
    expect(readdirSync(dirname(fresh))).toEqual(['bosun.db.lock'])
    await editRaw(file, 'drop table later')
    expect(await move(file, fresh)).toMatchObject({code: 0})
  })

  /** No file grows beyond some kilobytes. */
  async function moveOnSmallDisk(from: string, to: string): Promise<string> {
    const command = `ulimit -f 200; exec "${process.execPath}" "${SCRIPT}" "sqlite:${from}" "sqlite:${to}"`
    const child = spawn('sh', ['-c', command], {env: {PATH: process.env['PATH'], ...settings}})
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    await once(child, 'close')
    return err
  }

  test('what has moved goes on only from where it is, and only there', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    expect(await move(file, server)).toMatchObject({code: 0})
    await expectLine([file, temporaryPath()], /was moved to \S+ at \S+: move from there/)
    const third = temporaryPath()
    expect(await move(server, third)).toMatchObject({code: 0})
    await expectLine([third, file], /and still holds what was moved\. Give a new one/)
  })
})

describe('killed at any instant: all or nothing, and a repeat finishes it', () => {
  interface Start {
    from: string
    to: string
    /** The same two, past the proxy. */
    direct: {from: string; to: string}
  }

  async function killAt(way: Start, reached: Promise<void>): Promise<void> {
    const child: ChildProcess = spawn(process.execPath, [SCRIPT, named(way.from), named(way.to)], {
      env: {PATH: process.env['PATH'], ...settings},
      stdio: 'inherit',
    })
    const ended = once(child, 'close')
    await Promise.race([reached, ended.then(() => Promise.reject(new Error('It has ended')))])
    child.kill('SIGKILL')
    await ended
  }

  /** `none`: nothing has happened. `coming`, `marked`: no bot starts there; nor on the source. */
  type Left = 'none' | 'coming' | 'marked' | 'done'

  async function expectLeft(
    {direct: {from, to}}: Start,
    left: Left,
    digest: string,
  ): Promise<void> {
    await expect.poll(async () => (await refusal(from))?.includes('Another bot')).not.toBe(true)
    const [onSource, onTarget] = [
      await refusal(from),
      left === 'none' ? undefined : await refusal(to),
    ]
    if (left === 'none' || left === 'coming') expect(onSource).toBeUndefined()
    else expect(onSource).toMatch(/was moved to .* repeat npm run migrate-store with the same two/)
    if (left === 'done') expect(onTarget).toBeUndefined()
    else if (left !== 'none') expect(onTarget).toMatch(/repeat npm run migrate-store|was moved to/)
    expect((await standOf(from)).digest).toBe(digest)
    if (left === 'done') expect((await standOf(to)).digest).toBe(digest)
  }

  const THERE: [string, Stall, Left][] = [
    ['create table if not exists "moved"', 'before', 'none'],
    ["where state = 'coming'", 'after', 'none'],
    ['create table "links"', 'before', 'coming'],
    ['insert into "posts"', 'before', 'coming'],
    ['insert into "posts"', 'after', 'coming'],
    ['restart with', 'after', 'coming'],
    ['from "posts"  order', 'after', 'coming'],
    ['commit\0', 'before', 'marked'],
    ['commit\0', 'after', 'done'],
    ['analyze', 'before', 'done'],
  ]
  test.each(THERE)('on the way to PostgreSQL, at %j, %s it: %s', async (words, stall, left) => {
    const [file, server] = [await filledStore(200), await barePostgres()]
    const {digest} = await standOf(file)
    const proxy = await startStallingProxy(server)
    const way = {from: file, to: proxy.url, direct: {from: file, to: server}}
    await killAt(way, proxy.stallAt(words, stall))
    await expectLeft(way, left, digest)
    const repeated = await move(file, proxy.url)
    expect(repeated).toMatchObject({code: 0, err: ''})
    expect(repeated.out.includes('already')).toBe(left === 'done')
    expect((await standOf(server)).digest).toBe(digest)
    expect(await refusal(file)).toContain('was moved to')
    expect(await refusal(server)).toBeUndefined()
  })

  const BACK: [string, Stall, Left][] = [
    ['lock table', 'after', 'coming'],
    ['from "posts"  order', 'before', 'coming'],
    ['insert into "moved"', 'after', 'coming'],
    ['commit\0', 'before', 'coming'],
    ['commit\0', 'after', 'marked'],
  ]
  test.each(
    BACK.flatMap(([words, stall, left]) => [
      ['a new file', words, stall, left] as const,
      ['the old file', words, stall, left] as const,
    ]),
  )('on the way to %s, at %j, %s it: %s', async (to, words, stall, left) => {
    const [old, server] = [await filledStore(200), await barePostgres()]
    expect(await move(old, server)).toMatchObject({code: 0})
    const {digest} = await standOf(server)
    const file = to === 'the old file' ? old : temporaryPath()
    const proxy = await startStallingProxy(server)
    const way = {from: proxy.url, to: file, direct: {from: server, to: file}}
    await killAt(way, proxy.stallAt(words, stall))
    await expectLeft(way, left, digest)
    expect(await move(proxy.url, file)).toMatchObject({code: 0, err: ''})
    expect((await standOf(file)).digest).toBe(digest)
    expect(await refusal(server)).toContain('was moved to')
    expect(await refusal(file)).toBeUndefined()
  })
})
