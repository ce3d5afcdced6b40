import {copyFileSync, mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import {describe, expect, test} from 'vitest'
import {openStore} from '../../../src/store/store.ts'
import {temporaryPath} from '../../store/temporary-store.ts'
import {ASKS, PROCESS, seed} from '../../store/tenancy-asks.ts'
import {standOf} from '../../support/moved-store.ts'
import {barePostgres} from '../../support/postgres.ts'
import {editRaw, openRaw} from '../../support/raw-database.ts'
import {tool} from '../../support/tool.ts'
import {contentOf, filledStore, key, move, refusal, settings} from './moving.ts'

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

  test('a cost of which the platform says that it is no number, there and back', async () => {
    const [file, server] = [await filledStore(20), await barePostgres()]
    await editRaw(file, `update links set credits = 'NaN'`)
    for (const [from, to] of [
      [file, server],
      [server, file],
    ] as const) {
      expect(await move(from, to)).toMatchObject({code: 0, err: ''})
      await using raw = await openRaw(to)
      const [link] = await raw.all<{credits: unknown}>('select credits from links limit 1')
      expect(Number(link?.credits)).toBeNaN()
      expect(link?.credits).not.toBeNull()
    }
  })

  test('but not what Litestream keeps in a file that it copies', async () => {
    const [first, second] = [await filledStore(40), temporaryPath()]
    const before = await standOf(first)
    await editRaw(
      first,
      'create table _litestream_seq (id integer primary key, seq integer); create table _litestream_lock (id integer)',
    )
    expect(await move(first, second)).toMatchObject({code: 0, err: ''})
    expect(await standOf(second)).toEqual(before)
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
