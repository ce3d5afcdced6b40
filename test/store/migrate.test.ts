import Database from 'better-sqlite3'
import {Kysely} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createCondition} from '../../src/store/database/condition.ts'
import {migrateFrom, pendingAfter} from '../../src/store/database/migrate.ts'
import type {Schema} from '../../src/store/database/schema.ts'
import {PatientSqliteDialect} from '../../src/store/sqlite/dialect.ts'

const ALL = pendingAfter([])

/** A database that this version has made, and what is asked of it from then on. */
async function openMade() {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  const asked: string[] = []
  const db = new Kysely<Schema>({
    dialect: new PatientSqliteDialect({database, condition: createCondition()}),
    log: ({query}) => void asked.push(query.sql),
  })
  const bring = (applied: readonly string[]) =>
    migrateFrom(db, {path: 'bosun.db', applied, copy: undefined})
  await bring([])
  asked.length = 0
  return {database, asked, bring}
}

test('where all is applied the columns of the tables are not read', async () => {
  const {asked, bring} = await openMade()
  await bring(ALL)
  expect(asked).not.toContainEqual(expect.stringContaining('pragma_table_info'))
  await bring([])
  expect(asked).toContainEqual(expect.stringContaining('pragma_table_info'))
})

test('what another version has applied since it was looked at is refused', async () => {
  const {database, bring} = await openMade()
  database.exec("update kysely_migration set name = '9999-later' where name like '0001-%'")
  await expect(bring(ALL)).rejects.toThrow('9999-later')
})

test('what is missing although it was looked at is tried', async () => {
  const {database, asked, bring} = await openMade()
  database.prepare('delete from kysely_migration where name = ?').run(ALL.at(-1))
  // What it makes may be there already.
  await bring(ALL).catch(() => undefined)
  expect(asked).toContainEqual(expect.stringContaining('pragma_table_info'))
})
