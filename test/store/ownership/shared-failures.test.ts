import {readFileSync} from 'node:fs'
import pg from 'pg'
import {expect, onTestFinished, test} from 'vitest'
import {openStore} from '../../../src/store/store.ts'
import {ENGINE_VERSION} from '../../../src/store/ownership/engine.ts'
import {openOwnership} from '../../../src/store/ownership/opening.ts'
import {barePostgres, temporaryName, temporaryPostgres} from '../../support/postgres.ts'
import {onServer} from '../../support/postgres-server.ts'
import {startStallingProxy} from '../../support/stalling-proxy.ts'
import {until} from '../../support/until.ts'
import {startOwnership, teams} from './ownerships.ts'

const refusalOf = (path: string): Promise<unknown> =>
  openOwnership({path, instance: 'i', tell: () => undefined}).then(
    () => undefined,
    (error: unknown) => error,
  )

test('several that start at once make its tables once', async () => {
  const url = await barePostgres()
  await (await openStore({path: url, sealingKeys: []}))[Symbol.asyncDispose]()
  const some = await Promise.all([1, 2, 3, 4].map(() => startOwnership(url)))
  await some[0]?.ownership.offer(teams(8))
  await until('all have their share', () => some.every((one) => one.names().length === 2))
})

test('a role that may make no schema is told what its owner has to do', async () => {
  const url = await barePostgres()
  const role = temporaryName()
  await onServer(`create role ${role} login; grant all on schema public to ${role}`, url)
  const theirs = new URL(url)
  theirs.username = role
  expect(await refusalOf(theirs.href)).toMatchObject({
    name: 'StoreError',
    code: 'unreadable',
    message: expect.stringContaining(`create schema bosun_jobs authorization "${role}"`) as string,
  })
  await onServer(`create schema bosun_jobs authorization "${role}"`, url)
  expect(await refusalOf(theirs.href)).toBeUndefined()
})

test('a role that does not own its tables is told what is wrong, and what the owner has to do', async () => {
  const url = await temporaryPostgres()
  await (await startOwnership(url)).end()
  const role = temporaryName()
  await onServer(`create role ${role} login; grant usage on schema bosun_jobs to ${role}`, url)
  onTestFinished(async () => {
    await onServer(`drop owned by ${role}; drop role ${role}`, url)
  })
  const theirs = new URL(url)
  theirs.username = role
  expect(await refusalOf(theirs.href)).toMatchObject({
    name: 'StoreError',
    code: 'unreadable',
    message: expect.stringMatching(
      /^The database \S+ at \S+ cannot be used: permission denied for .+\. Make the role of DATABASE_URL the owner of the schema bosun_jobs/,
    ) as string,
  })
})

test('whoever has ended leaves no connection', async () => {
  const url = await temporaryPostgres()
  const connections = () =>
    onServer(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'bosun ownership'`,
      url,
    )
  const one = await startOwnership(url)
  await one.end()
  await expect.poll(connections).toEqual([])
})

test('tables of a newer version are refused, and of an earlier one while somebody works with them', async () => {
  const url = await temporaryPostgres()
  const one = await startOwnership(url)
  await one.ownership.offer(teams(1))
  // Before it takes anything it is there for the others to see.
  await until('it works', () => one.names().length === 1)
  const set = (version: number) =>
    onServer(`update bosun_jobs.version set version = ${version}`, url)
  try {
    await set(ENGINE_VERSION + 1)
    expect(await refusalOf(url)).toMatchObject({name: 'StoreError', code: 'newer'})
    await set(ENGINE_VERSION - 1)
    expect(await refusalOf(url)).toMatchObject({name: 'StoreError', code: 'in-use'})
  } finally {
    await set(ENGINE_VERSION)
  }
})

test('the version of the tables is that of the package', () => {
  const text = readFileSync('node_modules/pg-boss/package.json', 'utf8')
  expect(JSON.parse(text)).toMatchObject({version: '12.38.0', pgboss: {schema: ENGINE_VERSION}})
})

test('a server that falls silent is lost and found, with one line a minute', async () => {
  const url = await temporaryPostgres()
  const proxy = await startStallingProxy(url)
  const one = await startOwnership(proxy.url)
  await one.ownership.offer(teams(3))
  await until('all is taken', () => one.names().length === 3)
  // The next touch is heard, and its answer is not: the connection is given up, and another one finds all as it was.
  await proxy.stallAt('heartbeat_on', 'after')
  await until('it is told', () => one.told.length > 0)
  await onServer(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'bosun ownership'`,
    url,
  )
  await until('all is held', () => one.names().length === 3)
  expect(one.told).toHaveLength(1)
  expect(one.told[0]).toMatch(
    /^Who works for which workspace could not be settled: .+each second\.$/,
  )
})

test('what could not be withdrawn is worked for until it can be', async () => {
  const url = await temporaryPostgres()
  const one = await startOwnership(url)
  await one.ownership.offer(['T1'])
  await until('it is taken', () => one.names().includes('T1'))
  const holder = new pg.Client({connectionString: url})
  await holder.connect()
  await holder.query('begin; select * from claims for update')
  await expect(one.ownership.withdraw('T1')).rejects.toThrow('timeout')
  await holder.end()
  await until('it is taken again', () => one.taken.length === 2 && one.names().includes('T1'))
  await one.ownership.withdraw('T1')
  expect(one.names()).toEqual([])
  expect(await onServer('select name from claims', url)).toEqual([])
})
