import Database from 'better-sqlite3'
import {Kysely} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createCondition} from '../../../src/store/database/condition.ts'
import {PatientSqliteDialect} from '../../../src/store/sqlite/dialect.ts'
import {newLink, temporaryStore} from '../temporary-store.ts'

test('a thousand readings in a row let others have their turn', async () => {
  const {links} = await temporaryStore()
  const {id} = await links.open(newLink, 0)
  const turns = {before: 0, all: 0}
  const readings = Array.from({length: 3000}, async () => {
    await links.byId(id)
    turns.all += 1
  })
  setImmediate(() => setImmediate(() => (turns.before = turns.all)))
  await Promise.all(readings)
  expect(turns.all).toBe(3000)
  // Somebody had a turn in the midst of them.
  expect(turns.before).toBeGreaterThan(0)
  expect(turns.before).toBeLessThan(3000)
})

test('every text is changed on its way, in whatever question it stands, and nothing else is', async () => {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  database.exec('create table said (words text, times integer)')
  const omit = (text: string): string => text.replace('secret', '…')
  const dialect = new PatientSqliteDialect({database, condition: createCondition(), omit})
  const db = new Kysely<{said: {words: string; times: number | null}}>({dialect})
  await db.insertInto('said').values({words: 'a secret', times: 7}).execute()
  await db.insertInto('said').values({words: 'nothing', times: null}).execute()
  await db.updateTable('said').set({words: 'the secret'}).where('times', '=', 7).execute()
  expect(await db.selectFrom('said').selectAll().execute()).toEqual([
    {words: 'the …', times: 7},
    {words: 'nothing', times: null},
  ])
})
