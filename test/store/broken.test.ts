import {createHash} from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import Database from 'better-sqlite3'
import {describe, expect, test} from 'vitest'
import {StoreError} from '../../src/store/database/errors.ts'
import {openStore} from '../../src/store/store.ts'
import {newLink, temporaryPath} from './temporary-store.ts'

const ROWS = 100

/** A database with some rows; `dirty` leaves it as a process that is killed would, its log beside it. */
async function written(): Promise<{path: string; dirty: string}> {
  const path = temporaryPath()
  const dirty = temporaryPath()
  const store = await openStore({path, sealingKeys: []})
  await store.links.open(newLink, 0)
  const body = JSON.stringify({text: 'x'.repeat(500)})
  for (let index = 0; index < ROWS; index += 1) {
    await store.inbox.add({team: 'T1', key: `key-${index}`, lane: `lane-${index % 7}`, body}, 0)
  }
  cpSync(dirname(path), dirname(dirty), {recursive: true})
  await store[Symbol.asyncDispose]()
  return {path, dirty}
}

async function open(path: string): Promise<void> {
  const store = await openStore({path, sealingKeys: []})
  await store[Symbol.asyncDispose]()
}

async function refusal(path: string): Promise<StoreError> {
  const error = await open(path).catch((thrown: unknown) => thrown)
  if (error instanceof StoreError) return error
  throw new Error('It was opened', {cause: error})
}

/** Everything in the folder but the log's index, which holds no data. */
function contents(path: string): Record<string, string> {
  const names = readdirSync(dirname(path)).filter((name) => !name.endsWith('-shm'))
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(dirname(path), name)))
      .digest('hex')
  return Object.fromEntries(names.map((name) => [name, hashOf(name)]))
}

describe('a start never begins empty where a database has been', () => {
  const harms = {
    'the file is gone': (path: string) => rmSync(path),
    'the file is empty': (path: string) => truncateSync(path, 0),
  }
  for (const [name, harm] of Object.entries(harms)) {
    test(name, async () => {
      const {path} = await written()
      harm(path)
      const before = contents(path)
      const error = await refusal(path)
      expect(error).toMatchObject({code: 'missing'})
      expect(error.message).toContain(`Put a backup in its place`)
      expect(error.message).toContain(`delete ${path}.lock`)
      expect(contents(path)).toEqual(before)
      rmSync(`${path}.lock`)
      await open(path)
    })
  }

  test('the file is gone, and its log and the mark are not', async () => {
    const {dirty: path} = await written()
    rmSync(path)
    rmSync(`${path}.lock`)
    const before = contents(path)
    expect((await refusal(path)).message).toContain(`is not there, but ${path}-wal is`)
    expect(contents(path)).toMatchObject(before)
  })
})

describe('a damaged file is refused, and stays as it is', () => {
  const harms = {
    'it is cut in the middle of a page': (path: string) =>
      truncateSync(path, readFileSync(path).length - 5000),
    'it is cut to half of its pages': (path: string) =>
      truncateSync(path, Math.floor(readFileSync(path).length / 8192) * 4096),
    'a page is overwritten': (path: string) => {
      const bytes = readFileSync(path)
      bytes.fill(0xa5, 3 * 4096, 4 * 4096)
      writeFileSync(path, bytes)
    },
    'it is no database': (path: string) => writeFileSync(path, 'no database '.repeat(2000)),
    'it is shorter than a header': (path: string) => writeFileSync(path, 'SQLite format 3\0'),
  }
  for (const [name, harm] of Object.entries(harms)) {
    test(name, async () => {
      const {path} = await written()
      harm(path)
      const before = contents(path)
      const error = await refusal(path)
      expect(error).toMatchObject({code: 'damaged'})
      expect(error.message).toContain('put a backup in its place')
      expect(contents(path)).toMatchObject(before)
    })
  }
})

describe('a start that is refused changes nothing, also behind a kill', () => {
  const change = (path: string, sql: string) => {
    const copy = temporaryPath()
    const db = new Database(path)
    db.exec(sql)
    // As a kill would leave it: closing moves the log into the database.
    cpSync(dirname(path), dirname(copy), {recursive: true})
    db.close()
    return copy
  }

  test('the database is of a newer version', async () => {
    const {dirty} = await written()
    const path = change(dirty, `insert into kysely_migration values ('9999-later', '2026-01-01')`)
    const before = contents(path)
    expect(before).toHaveProperty('bosun.db-wal')
    const error = await refusal(path)
    expect(error).toMatchObject({code: 'newer'})
    expect(error.message).toContain('9999-later')
    expect(contents(path)).toEqual(before)
  })

  test('a sealing key is missing, and the database is of an older version', async () => {
    const {dirty} = await written()
    const path = change(
      dirty,
      `insert into seals (key_id, sealed) values ('k1', 'k1:x'); drop table sends; delete from kysely_migration where name > '0001-start'`,
    )
    const before = contents(path)
    expect(await refusal(path)).toMatchObject({code: 'keys'})
    expect(contents(path)).toEqual(before)
  })
})

describe('what cannot be written is refused at start', () => {
  /** Permissions mean nothing to root, so these starts are somebody else's. */
  async function refusalOfSomebody(path: string): Promise<StoreError> {
    const uid = process.geteuid?.()
    if (uid === 0) process.seteuid?.(65534)
    try {
      return await refusal(path)
    } finally {
      if (uid === 0) process.seteuid?.(0)
    }
  }

  const open777 = (path: string) => {
    for (const name of readdirSync(dirname(path))) chmodSync(join(dirname(path), name), 0o666)
    chmodSync(dirname(path), 0o777)
    chmodSync(dirname(dirname(path)), 0o777)
  }

  for (const state of ['path', 'dirty'] as const) {
    const what = state === 'dirty' ? ', its log beside it' : ''
    test(`the file is read-only${what}`, async () => {
      const path = (await written())[state]
      open777(path)
      chmodSync(path, 0o444)
      const before = contents(path)
      const error = await refusalOfSomebody(path)
      expect(error.message).toContain('cannot be written: the file, its folder or the file system')
      expect(contents(path)).toMatchObject(before)
      chmodSync(path, 0o666)
      await open(path)
    })
  }

  test('the folder is read-only', async () => {
    const {path} = await written()
    open777(path)
    chmodSync(dirname(path), 0o555)
    const before = contents(path)
    const error = await refusalOfSomebody(path)
    expect(error.message).toContain('cannot be written: the file, its folder or the file system')
    expect(contents(path)).toEqual(before)
    chmodSync(dirname(path), 0o777)
    await open(path)
  })
})

test('a start that was killed before there was a database begins anew', async () => {
  const path = temporaryPath()
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, '')
  await open(path)
  expect(existsSync(path)).toBe(true)
})

test('a lock file that is none is named', async () => {
  const path = temporaryPath()
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(`${path}.lock`, 'something else '.repeat(1000))
  expect((await refusal(path)).message).toContain(`The lock file ${path}.lock`)
})

test('a byte that is wrong anywhere is refused, found by a check, without effect, or in the content of a cell', async () => {
  const {path} = await written()
  const whole = readFileSync(path)
  const rowsOf = (db: Database.Database) =>
    db
      .prepare<[], {key: string}>('select key, lane, body, state, due_at_ms from inbox order by id')
      .all()
  const expected = readRows(path, rowsOf)
  const outcomes = {refused: 0, same: 0, found: 0, content: 0}
  const step = Math.max(1, Math.floor(whole.length / 1000))
  for (let at = 0; at < whole.length; at += step) {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, {force: true})
    writeFileSync(path, bytes)
    outcomes[await outcomeOf(path, rowsOf, expected)] += 1
  }
  expect(outcomes.refused).toBeGreaterThan(20)
  expect(outcomes.same).toBeGreaterThan(20)
  // Never fewer or more rows: what the database cannot know is only what a cell says.
  expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(1000)
})

type RowsOf = (db: Database.Database) => {key: string}[]

function readRows(path: string, rowsOf: RowsOf): {key: string}[] {
  const db = new Database(path)
  try {
    return rowsOf(db)
  } finally {
    db.close()
  }
}

async function outcomeOf(path: string, rowsOf: RowsOf, expected: {key: string}[]) {
  const error = await open(path).catch((thrown: unknown) => thrown)
  if (error instanceof StoreError) return 'refused'
  expect(error).toBeUndefined()
  const db = new Database(path)
  try {
    if (integrityOf(db) !== 'ok') return 'found'
    const rows = readUnlessRenamed(db, rowsOf)
    // What a column is called is the content of a cell, too.
    if (rows === undefined) return 'content'
    expect(rows).toHaveLength(expected.length)
    return JSON.stringify(rows) === JSON.stringify(expected) ? 'same' : 'content'
  } finally {
    db.close()
  }
}

function readUnlessRenamed(db: Database.Database, rowsOf: RowsOf): {key: string}[] | undefined {
  try {
    return rowsOf(db)
  } catch (error) {
    if (error instanceof Database.SqliteError && /^no such (column|table)/.test(error.message)) {
      return undefined
    }
    throw error
  }
}

function integrityOf(db: Database.Database): unknown {
  try {
    return db.pragma('integrity_check(1)', {simple: true})
  } catch (error) {
    if (error instanceof Database.SqliteError) return error.message
    throw error
  }
}
