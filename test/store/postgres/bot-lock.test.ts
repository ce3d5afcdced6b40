import {expect, onTestFinished, test, vi} from 'vitest'
import {takeBotLock} from '../../../src/store/postgres/bot-lock.ts'
import {openStore} from '../../../src/store/store.ts'
import {isBotRunning, keepBotsOut} from '../../../src/store/tool-store.ts'
import {startPostgresProxy} from '../../support/postgres-proxy.ts'
import {temporaryPostgres} from '../../support/postgres.ts'
import {onServer} from '../../support/postgres-server.ts'
import {startStallingProxy} from '../../support/stalling-proxy.ts'
import {until} from '../../support/until.ts'
import {refusalOf} from '../refusal.ts'
import {newLink, place, temporaryStore} from '../temporary-store.ts'

/** The server ends the connections of this name, as an operator does, or a failover. */
const kill = (url: string, name: string) =>
  onServer(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like '${name}'`,
    url,
  )

test('a second bot works beside the first, and a tool that wants it alone waits for none', async () => {
  const url = await temporaryPostgres()
  expect(await isBotRunning(url)).toBe(false)
  {
    await using first = await openStore({path: url, sealingKeys: []})
    {
      await using second = await openStore({path: url, sealingKeys: []})
      expect(await second.check()).toBeUndefined()
    }
    expect(await first.check()).toBeUndefined()
    expect(await isBotRunning(url)).toBe(true)
    await expect(keepBotsOut(url)).rejects.toMatchObject({
      code: 'in-use',
      message: expect.stringMatching(
        /^A bot works with the database .+ at .+\. Stop all that do, /,
      ) as string,
    })
  }
  expect(await isBotRunning(url)).toBe(false)
})

test('of several that start at once, all have it', async () => {
  const url = await temporaryPostgres()
  const opened = await Promise.all([1, 2, 3, 4].map(() => openStore({path: url, sealingKeys: []})))
  for (const store of opened) {
    expect(await store.check()).toBeUndefined()
    await store[Symbol.asyncDispose]()
  }
})

test('two tools do not have it alone at once', async () => {
  const url = await temporaryPostgres()
  await using kept = (await keepBotsOut(url)) as AsyncDisposable
  expect(kept).toBeDefined()
  await expect(keepBotsOut(url)).rejects.toMatchObject({code: 'in-use'})
})

test('a bot whose server fell silent takes it anew', async () => {
  const url = await temporaryPostgres()
  const proxy = await startStallingProxy(url)
  const own = {version: 1, app: undefined, platform: undefined, keys: []}
  const lock = await takeBotLock(proxy.url, own, 200)
  const holders = async () =>
    onServer(
      `select pid from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where locktype = 'advisory' and granted and datname = current_database()`,
      url,
    )
  const [before] = await holders()
  await proxy.stallAt('select 1', 'before')
  await until('another connection has it', async () => {
    const [now] = await holders()
    return now !== undefined && now['pid'] !== before?.['pid']
  })
  await lock[Symbol.asyncDispose]()
})

test('of a server that does not answer whoever asks for it, no connection is left', async () => {
  const url = await temporaryPostgres()
  const proxy = await startStallingProxy(url)
  const own = {version: 1, app: undefined, platform: undefined, keys: []}
  // As long as a busy server may take to answer.
  const lock = await takeBotLock(proxy.url, own, 800)
  const bots = () =>
    onServer(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name like 'bosun lock%'`,
      url,
    )
  for (let stalls = 0; stalls < 3; stalls += 1) {
    const stalled = proxy.stallAt('pg_try_advisory_lock_shared', 'after')
    await kill(url, 'bosun lock%')
    await stalled
  }
  await until('it is taken, and by one alone', async () => (await bots()).length === 1)
  await lock[Symbol.asyncDispose]()
  await until('nobody has it', async () => (await bots()).length === 0)
})

test('a server that is away is asked ever more seldom, and the lock is taken once it is back', async () => {
  const url = await temporaryPostgres()
  const askedMs: number[] = []
  let isAway = false
  const through = await startPostgresProxy(url, (client, upstream) => {
    if (isAway) {
      askedMs.push(performance.now())
      client.destroy()
      upstream.destroy()
      return
    }
    client.pipe(upstream).pipe(client)
  })
  const lock = await takeBotLock(through, {
    version: 1,
    app: undefined,
    platform: undefined,
    keys: [],
  })
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  isAway = true
  await kill(url, 'bosun lock%')
  await until('it has asked several times', () => askedMs.length >= 5)
  const [first = 0, , , , fifth = 0] = askedMs
  // Tenths of a second: two, four, eight, ten.
  expect(fifth - first).toBeGreaterThan(2350)
  isAway = false
  await until('it is taken', () => isBotRunning(url))
  expect(lock.lost.aborted).toBe(false)
  await lock[Symbol.asyncDispose]()
})

test('no bot starts while a tool keeps them out', async () => {
  const url = await temporaryPostgres()
  const kept = await keepBotsOut(url)
  expect((await refusalOf(url)).code).toBe('in-use')
  await (kept as AsyncDisposable)[Symbol.asyncDispose]()
  await temporaryStore(url)
})

test('bots of two databases of one server do not meet', async () => {
  await temporaryStore(await temporaryPostgres())
  await temporaryStore(await temporaryPostgres())
})

test('whose connection is ended takes it anew', async () => {
  const url = await temporaryPostgres()
  const store = await temporaryStore(url)
  await kill(url, 'bosun lock%')
  await until('it is taken anew', () => isBotRunning(url))
  expect(store.lost.aborted).toBe(false)
  expect(await store.check()).toBeUndefined()
})

test('whose connection is ended while a tool has the database has lost it, and says so', async () => {
  const url = await temporaryPostgres()
  const opened = Promise.withResolvers<unknown>()
  let way = Promise.resolve<unknown>(undefined)
  const through = await startPostgresProxy(url, (client, upstream) => {
    void way.then(() => client.pipe(upstream).pipe(client))
  })
  const store = await temporaryStore(through)
  // As a tool that was quicker than the bot.
  way = opened.promise
  await kill(url, 'bosun lock%')
  await until('nobody has it', async () => !(await isBotRunning(url)))
  await using held = (await keepBotsOut(url)) as AsyncDisposable
  expect(held).toBeDefined()
  opened.resolve(undefined)
  await until('the lock is lost', () => store.lost.aborted)
  expect(store.lost.reason).toMatchObject({name: 'StoreError', code: 'in-use'})
  expect(await isBotRunning(url)).toBe(true)
})

test('whoever closes the store has not lost anything', async () => {
  const store = await openStore({path: await temporaryPostgres(), sealingKeys: []})
  await store[Symbol.asyncDispose]()
  expect(store.lost.aborted).toBe(false)
})

test('other connections come again when the server ends them, and nothing is lost', async () => {
  const url = await temporaryPostgres()
  const store = await temporaryStore(url)
  const {id} = await store.links.open(newLink, 0)
  for (let steps = 1; steps <= 5; steps += 1) {
    const writing = store.links.change(id, {steps})
    await kill(url, 'bosun')
    await writing
  }
  expect(store.lost.aborted).toBe(false)
  expect(await store.check()).toBeUndefined()
  expect(await store.links.byPlace(place)).toMatchObject({steps: 5})
})
