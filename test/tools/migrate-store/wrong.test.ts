import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, linkSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs'
import {type AddressInfo, createServer} from 'node:net'
import {dirname} from 'node:path'
import {describe, expect, test} from 'vitest'
import {openStore} from '../../../src/store/store.ts'
import {temporaryPath} from '../../store/temporary-store.ts'
import {BARE_ENV} from '../../support/bare-env.ts'
import {standOf} from '../../support/moved-store.ts'
import {makeOldDatabase} from '../../support/old-database.ts'
import {barePostgres} from '../../support/postgres.ts'
import {editRaw} from '../../support/raw-database.ts'
import {tool} from '../../support/tool.ts'
import {keyNamed} from '../sealed-database.ts'
import {SCRIPT, contentOf, filledStore, key, move, refusal, settings} from './moving.ts'

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
    for (const args of [[], ['sqlite:a']]) {
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
    // By another name, where no bot has left its own.
    const [copied, named] = [await filledStore(20), temporaryPath()]
    await editRaw(copied, 'delete from bot_mark')
    mkdirSync(dirname(named), {recursive: true})
    linkSync(copied, named)
    await expectLine([copied, named], /are one database/)
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
    const child = spawn('sh', ['-c', command], {env: {...BARE_ENV, ...settings}})
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
