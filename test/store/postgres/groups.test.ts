import {sql} from 'kysely'
import pg from 'pg'
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

test('what somebody waits for is committed though what has time is held up', async () => {
  const url = await temporaryPostgres()
  const store = await temporaryStore(url)
  await using other = await connected(url)
  await other.query('begin; lock table audit in exclusive mode')
  const entry = {team: 'T1', channel: 'C1', user: 'U1', act: 'message', about: undefined}
  const patient = store.audit.add({...entry, outcome: 'done', atMs: 1})
  const row = {key: 'one', team: 'T1', lane: 'C1', body: '{}'}
  expect(await store.inbox.add(row, Date.now(), AbortSignal.timeout(2500))).toBe(true)
  expect(await store.audit.ofTeam('T1', {limit: 1})).toEqual([])
  await other.query('commit')
  await patient
  expect(await store.audit.ofTeam('T1', {limit: 1})).toHaveLength(1)
})

test('a group that others were in the way of is tried again in parts', async () => {
  const url = await temporaryPostgres()
  await temporaryStore(url)
  await using other = await connected(url)
  await other.query(
    'create table counts (id int primary key, count int); insert into counts values (1, 0)',
  )
  await using tool = await openToolStore({path: url, sealingKeys: []})
  let isFirst = true
  const change = (index: number) =>
    tool.write(async (db) => {
      await sql`select count from counts`.execute(db)
      if (isFirst && index === CHANGES - 1) {
        isFirst = false
        await other.query('update counts set count = count + 1')
      }
      const {rows} = await sql<{id: string}>`
        update counts set count = count + 1 returning pg_current_xact_id()::text as id`.execute(db)
      return rows[0]?.id
    })
  const ids = await Promise.all(Array.from({length: CHANGES}, (_, index) => change(index)))
  // Two, where all of them were there in time: one for each would be no group.
  expect(new Set(ids).size).toBeGreaterThan(1)
  expect(new Set(ids).size).toBeLessThan(CHANGES / 2)
  const {rows} = await other.query('select count from counts')
  expect(rows).toEqual([{count: CHANGES + 1}])
})

async function connected(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({connectionString: url})
  await client.connect()
  return Object.assign(client, {[Symbol.asyncDispose]: () => client.end()})
}
