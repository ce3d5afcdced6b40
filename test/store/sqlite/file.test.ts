import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import Database from 'better-sqlite3'
import {Kysely} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createCondition} from '../../../src/store/database/condition.ts'
import type {Schema} from '../../../src/store/database/schema.ts'
import {createStillThere} from '../../../src/store/sqlite/database-file.ts'
import {PatientSqliteDialect} from '../../../src/store/sqlite/dialect.ts'
import {openStore} from '../../../src/store/store.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {refusalOf} from '../refusal.ts'
import {newLink, temporaryPath, temporaryStore} from '../temporary-store.ts'

test('a database is open to other programs while the bot runs', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  await store.links.open(newLink, 0)
  const tool = new Database(path, {readonly: true})
  expect(tool.prepare('select count(*) from links').pluck().get()).toBe(1)
  tool.close()
})

test('a file that is none is refused', async () => {
  const path = temporaryPath()
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, 'This is a text of some length, and by no means a database.'.repeat(30))
  expect(await refusalOf(path)).toMatchObject({code: 'damaged'})
})

test('a file in a place that cannot be is refused', async () => {
  const path = temporaryPath()
  mkdirSync(dirname(dirname(path)), {recursive: true})
  writeFileSync(dirname(path), 'a file where the folder should be')
  expect(await refusalOf(path)).toMatchObject({code: 'unreadable'})
})

test('a change that a kill cut off before the log was there is taken back', async () => {
  const path = temporaryPath()
  const first = await temporaryStore(path)
  const {id} = await first.links.open(newLink, 0)
  await first[Symbol.asyncDispose]()
  cutOffAChange(path)
  const store = await temporaryStore(path)
  expect(await store.links.byId(id)).toMatchObject({id})
  const tool = new Database(path, {readonly: true})
  expect(tool.prepare("select name from sqlite_schema where name = 'half'").all()).toEqual([])
  tool.close()
})

/** Leaves the file and its journal as a kill does while the file is in the mode that a new one is in. */
function cutOffAChange(path: string): void {
  const file = new Database(path)
  file.pragma('journal_mode = delete')
  // So little memory that what is changed is written before it is committed.
  file.pragma('cache_size = 2')
  file.exec('begin; create table half (text text)')
  const insert = file.prepare('insert into half values (?)')
  for (let row = 0; row < 200; row += 1) insert.run('x'.repeat(4000))
  for (const end of ['', '-journal']) copyFileSync(path + end, `${path}.killed${end}`)
  file.exec('rollback')
  file.close()
  for (const end of ['', '-journal']) copyFileSync(`${path}.killed${end}`, path + end)
}

test('what arrives together is committed together', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  const before = countCommits(path)
  await Promise.all(
    Array.from({length: 500}, (_, index) =>
      store.inbox.add({team: 'T1', key: `k${index}`, lane: 'l', body: '{}'}, 0),
    ),
  )
  // Few: a group ends only when it has held the event loop for too long.
  expect(countCommits(path) - before).toBeLessThan(100)
  expect((await store.inbox.due(0, ['T1'])).map(({key}) => key)).toEqual(['k0'])
})

/** Commits in the write-ahead log: frames that name the database's size (sqlite.org/fileformat, section 4.1). */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`)
  let commits = 0
  for (let at = 32; at + 24 <= log.length; at += 24 + 4096) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits
}

test('nothing is written into a file whose place another one has taken', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  const late = AbortSignal.timeout(200)
  const adding = store.inbox.add({team: 'T1', key: 'k', lane: 'l', body: '{}'}, 0, late)
  await expect(adding).rejects.toThrow('was moved or deleted while Bosun runs')
})

const rowOf = (key: string) => ({team: 'T1', key, lane: 'l', body: '{}'})

test.each(['-wal', '-shm'])(
  'nothing is acknowledged once %s was deleted, and a stop keeps what was before',
  async (end) => {
    const path = temporaryPath()
    {
      await using store = await openStore({path, sealingKeys: []})
      await store.inbox.add(rowOf('before'), 0)
      rmSync(path + end)
      const adding = store.inbox.add(rowOf('behind'), 0, AbortSignal.timeout(200))
      await expect(adding).rejects.toThrow('was moved or deleted while Bosun runs')
      expect(await store.check()).toContain('the -wal or -shm file')
    }
    const store = await temporaryStore(path)
    expect(await store.inbox.byKey('before')).toBeDefined()
    expect(await store.inbox.add(rowOf('behind'), 0)).toBe(true)
  },
)

test('a file that was deleted, or is out of reach, is told from trouble with the disk', () => {
  const path = join(temporaryFolder(), 'bosun.db')
  writeFileSync(path, '')
  const isStillThere = createStillThere(path)
  isStillThere()
  const moved = expect.objectContaining({code: 'SQLITE_READONLY_DBMOVED'}) as Error
  rmSync(path)
  expect(isStillThere).toThrow(moved)
  symlinkSync(path, path)
  expect(isStillThere).toThrow(moved)
})

test('what cannot be read is known to be damaged', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  await store.inbox.add({team: 'T1', key: 'k', lane: 'l', body: 'x'.repeat(500_000)}, 0)
  await store[Symbol.asyncDispose]()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(7, bytes.length - 300_000, bytes.length - 200_000))
  const database = new Database(path)
  const condition = createCondition()
  const db = new Kysely<Schema>({dialect: new PatientSqliteDialect({database, condition})})
  onTestFinished(() => db.destroy())
  await expect(db.selectFrom('inbox').selectAll().execute()).rejects.toThrow('malformed')
  expect(condition.words()).toContain('is damaged')
})
