import {sql} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import {createCondition} from '../../../src/store/database/condition.ts'
import {createWriter} from '../../../src/store/database/writer.ts'
import {connect} from '../../../src/store/postgres/connect.ts'
import {createInboxStore} from '../../../src/store/tables/inbox.ts'
import {type Stall, startStallingProxy} from '../../support/stalling-proxy.ts'
import {onServer} from '../../support/postgres-server.ts'
import {barePostgres, temporaryPostgres} from '../../support/postgres.ts'

test.for(['before', 'after'] satisfies Stall[])(
  'a server that vanishes %s it has a change is asked anew on another connection',
  async (stall) => {
    const proxy = await startStallingProxy(await temporaryPostgres())
    const condition = createCondition()
    const db = connect(proxy.url, condition.failed, {silentMs: 300})
    onTestFinished(() => db.destroy())
    const {write} = createWriter({db, condition})
    const inbox = createInboxStore(db, write)
    const rowOf = (key: string) => ({team: 'T1', key, lane: key, body: '{}'})
    for (const [key, words] of [
      ['a', 'insert into "inbox"'],
      ['b', 'commit'],
    ] as const) {
      const stalled = proxy.stallAt(words, stall)
      const added = inbox.add(rowOf(key), 0)
      await stalled
      expect(await added).toBe(true)
    }
    const rows = await db.selectFrom('inbox').select('key').orderBy('id').execute()
    expect(rows.map(({key}) => key)).toEqual(['a', 'b'])
  },
)

test('what is to be written while the database lets nobody in is written once it does', async () => {
  const url = await barePostgres()
  const name = new URL(url).pathname.slice(1)
  await onServer(`create table things (name text)`, url)
  await onServer(`alter database ${name} allow_connections false`)
  const condition = createCondition()
  const db = connect(url, condition.failed)
  onTestFinished(() => db.destroy())
  const {write} = createWriter({db, condition})
  const written = write((transaction) => sql`insert into things values ('a')`.execute(transaction))
  written.catch(() => undefined) // met below
  await expect.poll(() => condition.words()).toContain('does not answer')
  await onServer(`alter database ${name} allow_connections true`)
  await written
  expect(condition.words()).toBeUndefined()
})

test('a session that began read-only is given up, and what waited is written', async () => {
  const url = await barePostgres()
  const name = new URL(url).pathname.slice(1)
  await onServer(`create table things (name text)`, url)
  await onServer(`alter database ${name} set default_transaction_read_only = on`)
  const condition = createCondition()
  const db = connect(url, condition.failed, {sessionMs: 300})
  onTestFinished(() => db.destroy())
  const {write} = createWriter({db, condition})
  const written = write((transaction) => sql`insert into things values ('a')`.execute(transaction))
  await expect.poll(() => condition.words()).toContain('read-only')
  // Nobody ends what stands: whoever lifts this thinks of new sessions alone.
  await onServer(`alter database ${name} reset default_transaction_read_only`)
  await written
  expect(condition.words()).toBeUndefined()
})

test('a limit of time that the database sets fails nothing that waits for a lock', async () => {
  const url = await barePostgres()
  const name = new URL(url).pathname.slice(1)
  await onServer(`create table things (name text); insert into things values ('a')`, url)
  await onServer(`alter database ${name} set statement_timeout = '100ms'`)
  const condition = createCondition()
  const [db, other] = [connect(url, condition.failed), connect(url, condition.failed)]
  onTestFinished(async () => void (await Promise.all([db.destroy(), other.destroy()])))
  const {write} = createWriter({db, condition})
  const change = (to: string) => sql`update things set name = ${to}`
  const [held, letGo] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  onTestFinished(() => letGo.resolve(undefined))
  const holding = other.transaction().execute(async (transaction) => {
    await change('b').execute(transaction)
    held.resolve(undefined)
    await letGo.promise
  })
  await held.promise
  const written = write((transaction) => change('c').execute(transaction))
  await expect.poll(() => condition.words()).toContain('is locked')
  letGo.resolve(undefined)
  await holding
  await written
  expect((await sql<{name: string}>`select name from things`.execute(db)).rows).toEqual([
    {name: 'c'},
  ])
})

test.each([
  ['off', 'on'],
  ['local', 'local'],
  ['remote_apply', 'remote_apply'],
])('a database that asks %s of its commits is asked %s', async (set, asked) => {
  const url = await barePostgres()
  const name = new URL(url).pathname.slice(1)
  await onServer(`alter database ${name} set synchronous_commit = ${set}`)
  const db = connect(url, createCondition().failed)
  onTestFinished(() => db.destroy())
  const {rows} = await sql<{
    value: string
  }>`select current_setting('synchronous_commit') as value`.execute(db)
  expect(rows).toEqual([{value: asked}])
})
