import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, statSync, statfsSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import Database from 'better-sqlite3'
import {expect, onTestFinished, test} from 'vitest'
import {StoreError} from '../../../src/store/database/errors.ts'
import {openStore} from '../../../src/store/store.ts'
import {makeOldDatabase} from '../../support/old-database.ts'
import {temporaryPath} from '../temporary-store.ts'

const OLD = '0009-hooks'
const NEXT = '0010-folders'
/** Enough for a lock file and the log's index, and too little for a copy. */
const LEFT_BYTES = 500_000

/** A database of an earlier version with a row of that time. */
async function oldDatabase(path = temporaryPath(), sql = ''): Promise<string> {
  await makeOldDatabase(path, OLD, (database) => {
    database.exec(`create table remembered (word text); insert into remembered values ('once')`)
    database.exec(sql)
  })
  return path
}

function versionOf(path: string): unknown {
  const database = new Database(path, {readonly: true})
  try {
    const last = database.prepare('select max(name) from kysely_migration').pluck().get()
    return [last, database.prepare('select word from remembered').pluck().get()]
  } finally {
    database.close()
  }
}

async function refusal(path: string): Promise<StoreError> {
  const error: unknown = await openStore({path, sealingKeys: []}).catch((thrown: unknown) => thrown)
  if (error instanceof StoreError) return error
  throw new Error('It was opened', {cause: error})
}

test('a copy is made before a migration, told, and kept until the next good start', async () => {
  const path = await oldDatabase()
  const copy = `${path}.before-${NEXT}`
  const told: string[] = []
  const first = await openStore({path, sealingKeys: [], tell: (line) => told.push(line)})
  expect(told.filter((line) => line.includes(copy))).toHaveLength(1)
  expect(versionOf(copy)).toEqual([OLD, 'once'])
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  first.settle()
  expect(existsSync(copy)).toBe(true)
  await first[Symbol.asyncDispose]()

  const fruitless = await openStore({path, sealingKeys: []})
  await fruitless[Symbol.asyncDispose]()
  expect(existsSync(copy)).toBe(true)

  const good = await openStore({path, sealingKeys: []})
  good.settle()
  await good[Symbol.asyncDispose]()
  expect(readdirSync(dirname(path)).filter((name) => name.includes('.before-'))).toEqual([])
})

test('a new database has nothing to copy, and what a restore kept is left alone', async () => {
  const path = temporaryPath()
  mkdirSync(dirname(path), {recursive: true})
  const aside = `${path}.before-restore-20260101T000000Z`
  writeFileSync(aside, 'dear to somebody')
  const store = await openStore({path, sealingKeys: []})
  store.settle()
  await store[Symbol.asyncDispose]()
  expect(existsSync(aside)).toBe(true)
  expect(existsSync(`${path}.before-0001-start`)).toBe(false)
})

test('a migration that fails leaves the database as it was, and says what holds it', async () => {
  const path = await oldDatabase(temporaryPath(), 'create table folders (name text)')
  const error = await refusal(path)
  expect(error).toMatchObject({code: 'migration'})
  expect(error.message).toContain('table "folders" already exists')
  expect(error.message).toContain('Nothing of it was changed. The earlier version can be started')
  expect(error.message).toContain(`${path}.before-${NEXT} holds the same`)
  expect(versionOf(path)).toEqual([OLD, 'once'])
  expect(versionOf(`${path}.before-${NEXT}`)).toEqual([OLD, 'once'])

  const database = new Database(path)
  database.exec('drop table folders')
  database.close()
  const store = await openStore({path, sealingKeys: []})
  await store[Symbol.asyncDispose]()
})

/** Mounting is root's. */
test.runIf(process.geteuid?.() === 0)('without room for the copy nothing is changed', async () => {
  const path = temporaryPath()
  const folder = dirname(path)
  mkdirSync(folder, {recursive: true})
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  await oldDatabase(path, 'insert into remembered values (zeroblob(1000000))')
  const {bavail, bsize} = statfsSync(folder)
  writeFileSync(join(folder, 'filling'), Buffer.alloc(bavail * bsize - LEFT_BYTES))
  const error = await refusal(path)
  expect(error.message).toContain('the disk is full. Free as much space as the database takes')
  expect(error.message).toContain('Nothing was changed.')
  expect(versionOf(path)).toEqual([OLD, 'once'])
  expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([])
})
