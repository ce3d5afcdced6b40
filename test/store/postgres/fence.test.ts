import {expect, onTestFinished, test, vi} from 'vitest'
import {openRaw} from '../../support/raw-database.ts'
import {temporaryDatabase, temporaryStore} from '../temporary-store.ts'

const claimed = (name: string, epoch: number) => ({
  ...{name, epoch, sinceMs: 0},
  over: new AbortController().signal,
  mayCall: () => true,
})

const silence = {method: 'chat.update', forMs: 60_000}
const methodsOf = (silences: readonly {method: string}[]) => silences.map(({method}) => method)

async function openTwo() {
  const path = await temporaryDatabase()
  const store = await temporaryStore(path)
  const raw = await openRaw(path)
  await raw.run(
    `insert into claims (name, epoch, owner, claimed_at_ms) values ('T1', 7, 'me', 0), ('T2', 3, 'me', 0)`,
  )
  const [ours, theirs] = [claimed('T1', 7), claimed('T2', 3)]
  const take = (name: string) =>
    raw.run(`update claims set epoch = epoch + 1, owner = 'other' where name = '${name}'`)
  return {store, raw, ours: store.tablesFor(ours), theirs: store.tablesFor(theirs), take}
}

test('who owns a workspace writes for it', async () => {
  await using ends = new AsyncDisposableStack()
  const {store, raw, ours} = await openTwo()
  ends.use(raw)
  await ours.handovers.keepSilence('T1', silence)
  expect(methodsOf(await store.handovers.silences('T1'))).toEqual([silence.method])
})

test('a silence ends by the clock of the database, and a shorter one does not end it', async () => {
  await using ends = new AsyncDisposableStack()
  const {store, raw} = await openTwo()
  ends.use(raw)
  const {handovers} = store
  for (const forMs of [60_000, 1000]) await handovers.keepSilence('T1', {...silence, forMs})
  await handovers.keepSilence('T1', {method: 'chat.delete', forMs: -1})
  vi.setSystemTime(Date.now() + 3_600_000)
  onTestFinished(() => void vi.useRealTimers())
  const [left, ...others] = await handovers.silences('T1')
  expect([left?.method, others]).toEqual([silence.method, []])
  expect(left?.forMs).toBeGreaterThan(30_000)
  expect(left?.forMs).toBeLessThanOrEqual(60_000)
  await handovers.keepPace('T1', {left: {'chat.update': 3}})
  const pace = await handovers.takePace('T1')
  expect(pace).toMatchObject({left: {'chat.update': 3}})
  expect(pace?.agoMs).toBeLessThan(30_000)
  expect(await handovers.takePace('T1')).toBeUndefined()
})

test('what is written for a workspace that somebody else has by then is not, and what goes with it is', async () => {
  await using ends = new AsyncDisposableStack()
  const {store, raw, ours, theirs, take} = await openTwo()
  ends.use(raw)
  await take('T2')
  // In one turn: they are one group.
  const [kept, lost, free] = await Promise.allSettled([
    ours.handovers.keepSilence('T1', silence),
    theirs.handovers.keepSilence('T2', silence),
    store.handovers.keepSilence('T3', silence),
  ])
  expect([kept.status, free.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(lost).toMatchObject({status: 'rejected', reason: {name: 'ClaimLost'}})
  expect(methodsOf(await store.handovers.silences('T2'))).toEqual([])
  expect(methodsOf(await store.handovers.silences('T1'))).toEqual([silence.method])
})

test('a name that is forgotten is nobody’s', async () => {
  await using ends = new AsyncDisposableStack()
  const {raw, ours} = await openTwo()
  ends.use(raw)
  await raw.run(`delete from claims where name = 'T1'`)
  await expect(ours.handovers.keepSilence('T1', silence)).rejects.toThrow('Another instance')
})
