import {expect, test} from 'vitest'
import {openRaw} from '../../support/raw-database.ts'
import {temporaryDatabase, temporaryStore} from '../temporary-store.ts'

const claimed = (name: string, epoch: number) => ({
  ...{name, epoch, sinceMs: 0},
  over: new AbortController().signal,
  mayCall: () => true,
})

const silence = {method: 'chat.update', untilMs: 9}

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
  expect(await store.handovers.silences('T1', 0)).toEqual([silence])
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
  expect(await store.handovers.silences('T2', 0)).toEqual([])
  expect(await store.handovers.silences('T1', 0)).toEqual([silence])
})

test('a name that is forgotten is nobody’s', async () => {
  await using ends = new AsyncDisposableStack()
  const {raw, ours} = await openTwo()
  ends.use(raw)
  await raw.run(`delete from claims where name = 'T1'`)
  await expect(ours.handovers.keepSilence('T1', silence)).rejects.toThrow('Another instance')
})
