import {sql} from 'kysely'
import {expect, test} from 'vitest'
import {openToolStore} from '../../../src/store/tool-store.ts'
import {temporaryPostgres} from '../../support/postgres.ts'
import {temporaryStore} from '../temporary-store.ts'

const CHANGES = 20

test('what waits is committed together, though each of it awaits the server', async () => {
  const url = await temporaryPostgres()
  await temporaryStore(url)
  await using tool = await openToolStore({path: url, sealingKeys: []})
  const change = () =>
    tool.write(async (db) => {
      const {rows} = await sql<{id: string}>`
        select pg_current_xact_id()::text as id from pg_sleep(0.006)`.execute(db)
      return rows[0]?.id
    })
  const commits = new Set(await Promise.all(Array.from({length: CHANGES}, change)))
  // One for each of them, if a group ended as soon as on SQLite.
  expect(commits.size).toBeLessThan(CHANGES / 2)
})
