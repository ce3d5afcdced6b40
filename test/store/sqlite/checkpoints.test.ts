import {randomUUID} from 'node:crypto'
import {existsSync, statSync} from 'node:fs'
import Database from 'better-sqlite3'
import {expect, onTestFinished, test} from 'vitest'
import {glanceAt} from '../../../src/store/sqlite/one-bot/bot-mark.ts'
import {createCheckpoints} from '../../../src/store/sqlite/upkeep/checkpoints.ts'
import {type Store, openStore} from '../../../src/store/store.ts'
import {until} from '../../support/until.ts'
import {temporaryPath, temporaryStore} from '../temporary-store.ts'

const ROWS = 24
const LONG_BYTES = 16_000_000

/** Somebody reads, and so many megabytes are written meanwhile: more than a commit may empty. */
async function grow(path: string, store: Store) {
  const reader = new Database(path, {readonly: true})
  onTestFinished(() => void reader.close())
  reader.exec('begin; select count(*) from inbox')
  const body = 'x'.repeat(1_000_000)
  const keys = Array.from({length: ROWS}, () => randomUUID())
  await Promise.all(keys.map((key) => store.inbox.add({team: 'T1', key, lane: key, body}, 0)))
  expect(logBytes(path)).toBeGreaterThan(LONG_BYTES)
  return reader
}

const logBytes = (path: string) => statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0

function found(path: string): unknown[] {
  const db = new Database(path)
  onTestFinished(() => void db.close())
  const rows = db.prepare('select count(*) from inbox where length(body) = 1000000').pluck().get()
  return [rows, db.pragma('integrity_check(1)', {simple: true})]
}

test('a log that grew behind a reader is emptied without another commit', async () => {
  const path = temporaryPath()
  const store = await temporaryStore(path)
  const reader = await grow(path, store)
  reader.exec('commit')
  await until('the log is short', () => logBytes(path) < LONG_BYTES)
  expect(await store.check()).toBeUndefined()
  expect(found(path)).toEqual([ROWS, 'ok'])
  // And so is the next one.
  const next = await grow(path, store)
  next.exec('commit')
  await until('the log is short again', () => logBytes(path) < LONG_BYTES)
  expect(found(path)).toEqual([2 * ROWS, 'ok'])
})

test('while a long log is emptied no commit does it, and afterwards each does, by SQLite’s own measure', async () => {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  await store[Symbol.asyncDispose]()
  const writer = new Database(path)
  onTestFinished(() => void writer.close())
  const measure = () => writer.pragma('wal_autocheckpoint', {simple: true})
  const usual = measure()
  const reader = new Database(path, {readonly: true})
  onTestFinished(() => void reader.close())
  reader.exec('begin; select count(*) from inbox')
  writer.exec(`create table large as select zeroblob(${LONG_BYTES + 1_000_000}) as bytes`)
  await using checkpoints = createCheckpoints(writer)
  checkpoints.look()
  expect(measure()).toBe(0)
  reader.exec('commit')
  await until('the log is short', () => measure() !== 0)
  expect([measure(), logBytes(path)]).toEqual([usual, 0])
})

test('the beats of a bot leave the log to those who write', async () => {
  const path = temporaryPath()
  await temporaryStore(path)
  const writer = new Database(path)
  onTestFinished(() => void writer.close())
  writer.pragma('wal_autocheckpoint = 0')
  const before = statSync(path).size
  writer.exec('create table large as select zeroblob(8000000) as bytes')
  const beat = glanceAt(path)?.beat ?? 0
  await until('it beats', () => (glanceAt(path)?.beat ?? 0) > beat + 1)
  expect(statSync(path).size).toBe(before)
})

test('a store whose log is long is closed, and the log is emptied', async () => {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  const reader = await grow(path, store)
  reader.close()
  await store[Symbol.asyncDispose]()
  expect(existsSync(`${path}-wal`)).toBe(false)
  expect(found(path)).toEqual([ROWS, 'ok'])
})

test('somebody who goes on reading keeps nobody from writing or stopping', async () => {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  await grow(path, store)
  expect(await store.inbox.add({team: 'T1', key: 'next', lane: 'l', body: '{}'}, 0)).toBe(true)
  await store[Symbol.asyncDispose]()
  expect(found(path)).toEqual([ROWS, 'ok'])
})
