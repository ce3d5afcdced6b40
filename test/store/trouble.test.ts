import {rmSync} from 'node:fs'
import Database from 'better-sqlite3'
import {Kysely, sql} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createCondition} from '../../src/store/database/condition.ts'
import {PatientSqliteDialect} from '../../src/store/sqlite/dialect.ts'
import {troubleOf} from '../../src/store/database/errors.ts'
import {migrateFrom} from '../../src/store/database/migrate.ts'
import type {Schema} from '../../src/store/database/schema.ts'
import {createWriter} from '../../src/store/database/writer.ts'
import {createInboxStore} from '../../src/store/tables/inbox.ts'
import {until} from '../support/until.ts'
import {newLink, place, temporaryPath, temporaryStore} from './temporary-store.ts'

/** The parts of a store, on a database in memory whose size can be bounded: a disk that is full on demand. */
async function smallDisk() {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  database.pragma('foreign_keys = on')
  const condition = createCondition()
  const db = new Kysely<Schema>({dialect: new PatientSqliteDialect({database, condition})})
  await migrateFrom(db, {path: ':memory:', copy: undefined})
  const {write, stop} = createWriter({db, condition, stopWithinMs: 50})
  const usedPages = Number(database.pragma('page_count', {simple: true}))
  const setFreePages = (count: number) =>
    void database.pragma(`max_page_count = ${usedPages + count}`)
  return {database, condition, db, write, stop, inbox: createInboxStore(db, write), setFreePages}
}

const rowOf = (key: string, body = '{}') => ({team: 'T1', key, lane: key, body})
const LARGE = 'x'.repeat(50_000)

test('on a full disk nothing is acknowledged, and all is written once when there is space', async () => {
  const {condition, inbox, setFreePages, db} = await smallDisk()
  setFreePages(3)
  const settled: string[] = []
  const adding = ['a', 'b', 'c'].map(async (key) => {
    await inbox.add(rowOf(key, LARGE), 0)
    settled.push(key)
  })
  await until('the disk is full', () => condition.words()?.includes('the disk is full'))
  expect(settled).toEqual([])
  expect(await inbox.byKey('a')).toBeUndefined()
  setFreePages(10_000)
  await Promise.all(adding)
  expect(condition.words()).toBeUndefined()
  expect(await db.selectFrom('inbox').select('key').execute()).toHaveLength(3)
})

test('what is taken back while the disk is full is not written later', async () => {
  const {condition, inbox, setFreePages} = await smallDisk()
  setFreePages(3)
  const late = new AbortController()
  const refused = inbox.add(rowOf('late', LARGE), 0, late.signal)
  const patient = inbox.add(rowOf('patient', LARGE), 0)
  await until('the disk is full', () => condition.words() !== undefined)
  late.abort()
  await expect(refused).rejects.toThrow('the disk is full')
  setFreePages(10_000)
  expect(await patient).toBe(true)
  expect(await inbox.byKey('late')).toBeUndefined()
  await expect(inbox.add(rowOf('late'), 0, late.signal)).rejects.toThrow('Not written in time')
  expect(await inbox.add(rowOf('late'), 0)).toBe(true)
})

test('what is taken back at once holds up nothing behind it', async () => {
  const {inbox} = await smallDisk()
  const late = new AbortController()
  const refused = inbox.add(rowOf('late'), 0, late.signal)
  late.abort()
  await expect(refused).rejects.toThrow('Not written in time')
  expect(await inbox.add(rowOf('next'), 0)).toBe(true)
  expect(await inbox.byKey('late')).toBeUndefined()
})

test('a stop waits for a full disk a short time only, and loses nothing that was acknowledged', async () => {
  const {condition, inbox, setFreePages, stop, db} = await smallDisk()
  expect(await inbox.add(rowOf('early'), 0)).toBe(true)
  setFreePages(3)
  const refused = inbox.add(rowOf('a', LARGE), 0)
  refused.catch(() => undefined) // looked at below
  await until('the disk is full', () => condition.words() !== undefined)
  await stop()
  await expect(refused).rejects.toThrow(
    'Not written before the stop: the database cannot be written',
  )
  await expect(inbox.add(rowOf('b', LARGE), 0)).rejects.toThrow('the disk is full')
  setFreePages(10_000)
  expect(await inbox.add(rowOf('c', LARGE), 0)).toBe(true)
  const rows = await db.selectFrom('inbox').select('key').orderBy('id').execute()
  expect(rows.map(({key}) => key)).toEqual(['early', 'c'])
})

test('a stop writes what can be written', async () => {
  const {inbox, stop} = await smallDisk()
  const adding = Array.from({length: 50}, (_, index) => inbox.add(rowOf(String(index)), 0))
  await stop()
  expect(await Promise.all(adding)).toEqual(adding.map(() => true))
})

test('a commit that fails takes nobody but the one at fault with it, and leaves no transaction open', async () => {
  const {database, write, db} = await smallDisk()
  const counted = (index: number) =>
    write(async (transaction) => {
      await sql`insert into seals (key_id, sealed) values (${`k${index}`}, '0')`.execute(
        transaction,
      )
      await sql`update seals set sealed = sealed + 1`.execute(transaction)
    })
  const broken = write(async (transaction) => {
    await sql`pragma defer_foreign_keys = on`.execute(transaction)
    await sql`insert into posts (link_id, key, state, intended_at_ms) values ('none', 'k', 's', 0)`.execute(
      transaction,
    )
  })
  const all = [0, 1, 2].map(counted)
  const results = await Promise.allSettled([...all, broken, ...[3, 4].map(counted)])
  expect(results.map(({status}) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled'],
    'rejected',
    ...['fulfilled', 'fulfilled'],
  ])
  expect(database.inTransaction).toBe(false)
  // Each ran once in effect: the first one was counted by itself and by the four behind it.
  const seals = await db.selectFrom('seals').selectAll().orderBy('key_id').execute()
  expect(seals.map(({sealed}) => Number(sealed))).toEqual([5, 4, 3, 2, 1])
})

test('a rollback that SQLite made by itself does not hide why', async () => {
  const {database, db, condition} = await smallDisk()
  const failing = db.transaction().execute(async (transaction) => {
    await sql`insert into seals (key_id, sealed) values ('k', '1')`.execute(transaction)
    // What a disk that is full or broken in a commit does to the connection.
    database.exec('rollback')
    throw Object.assign(new Error('disk I/O error'), {code: 'SQLITE_IOERR_WRITE'})
  })
  await expect(failing).rejects.toThrow('disk I/O error')
  expect(condition.words()).toBeUndefined()
  expect(await db.selectFrom('seals').selectAll().execute()).toEqual([])
})

test('health tells of a lock, and that it is gone, without any traffic', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  const other = new Database(path, {timeout: 0})
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  const opening = store.links.open(newLink, 0)
  await until('it met the lock', () => true)
  expect(await store.check()).toContain('locked by another program')
  other.exec('commit')
  await opening
  expect(await store.check()).toBeUndefined()
  expect(await store.links.byPlace(place)).toBeDefined()
})

test('health tells of a file that is gone while the bot runs', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  expect(await store.check()).toBeUndefined()
  rmSync(path)
  expect(await store.check()).toContain('was moved or deleted')
  const late = new AbortController()
  const adding = store.inbox.add(rowOf('k'), 0, late.signal)
  adding.catch(() => undefined) // looked at below
  late.abort()
  await expect(adding).rejects.toThrow('was moved or deleted')
})

test.each([
  [{code: 'CERT_HAS_EXPIRED'}, 'away'],
  [{code: 'ERR_TLS_CERT_ALTNAME_INVALID'}, 'away'],
  [{code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'}, 'away'],
  [{code: 'ENOENT', syscall: 'connect'}, 'away'],
  [{code: 'EMFILE', syscall: 'connect'}, 'away'],
  // No such file is another matter.
  [{code: 'ENOENT', syscall: 'open'}, undefined],
])('what keeps us from a server, as %o, is that it is away', (facts, trouble) => {
  expect(troubleOf(Object.assign(new Error('no'), facts))).toBe(trouble)
})
