import Database from 'better-sqlite3'
import {Kysely} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createCondition} from '../../src/store/database/condition.ts'
import {migrateFrom} from '../../src/store/database/migrate.ts'
import type {Schema} from '../../src/store/database/schema.ts'
import {type Write, createWriter} from '../../src/store/database/writer.ts'
import {PatientSqliteDialect} from '../../src/store/sqlite/dialect.ts'

async function openWriter() {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  const condition = createCondition()
  let onCommitting = async (): Promise<void> => undefined
  const dialect = new PatientSqliteDialect({database, condition})
  const createDriver = dialect.createDriver.bind(dialect)
  dialect.createDriver = () => {
    const driver = createDriver()
    const commit = driver.commitTransaction.bind(driver)
    driver.commitTransaction = async (connection) => {
      await onCommitting()
      await commit(connection)
    }
    return driver
  }
  const db = new Kysely<Schema>({dialect})
  await migrateFrom(db, {path: ':memory:', copy: undefined})
  // However long they take, they are one group.
  const {write} = createWriter({db, condition, groupMs: 60_000})
  const users = async () => {
    const rows = await db.selectFrom('people').select('user').orderBy('user').execute()
    return rows.map(({user}) => user)
  }
  const whileCommitting = (work: () => Promise<void>) => void (onCommitting = work)
  return {write, users, whileCommitting}
}

const add =
  (user: string, meanwhile?: () => void): Parameters<Write>[0] =>
  async (transaction) => {
    await transaction.insertInto('people').values({team: 'T1', user, choices: '{}'}).execute()
    meanwhile?.()
  }

test('what is taken back while others of its commit run is not written with them', async () => {
  const {write, users} = await openWriter()
  const late = new AbortController()
  const refused = write(add('late'), late.signal)
  const others = [write(add('one', () => late.abort())), write(add('other'))]
  await expect(refused).rejects.toThrow('Not written in time')
  await Promise.all(others)
  expect(await users()).toEqual(['one', 'other'])
})

test('what is taken back while it is being committed is written, and said to be', async () => {
  const {write, users, whileCommitting} = await openWriter()
  const late = new AbortController()
  whileCommitting(async () => late.abort())
  await write(add('late'), late.signal)
  expect(await users()).toEqual(['late'])
})

test('what is taken back while a commit fails is not written by the next one', async () => {
  const {write, users, whileCommitting} = await openWriter()
  const late = new AbortController()
  let failures = 0
  whileCommitting(async () => {
    late.abort()
    failures += 1
    if (failures === 1) throw Object.assign(new Error('database is locked'), {code: 'SQLITE_BUSY'})
  })
  const refused = write(add('late'), late.signal)
  const other = write(add('other'))
  await expect(refused).rejects.toThrow('Not written in time')
  await other
  expect(await users()).toEqual(['other'])
})

test('one that fails is alone in it', async () => {
  const {write, users} = await openWriter()
  const all = ['one', 'other', 'one', 'third'].map((user) => write(add(user)))
  const outcomes = await Promise.allSettled(all)
  expect(outcomes.map(({status}) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  ])
  expect(await users()).toEqual(['one', 'other', 'third'])
})
