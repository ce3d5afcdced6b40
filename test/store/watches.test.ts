import {expect, test} from 'vitest'
import type {Store} from '../../src/store/store.ts'
import {BROUGHT} from '../../src/store/tables/work/link.ts'
import {newLink, place, temporaryStore} from './temporary-store.ts'

const PROJECT = {projectId: 'p', connectionId: undefined}
const watch = {team: 'T1', channel: 'C1', ...PROJECT, madeBy: 'U1'}
const nothing = {changed: [], ended: new Map(), standing: new Map(), changedAtMs: new Map()}

/** A reading of the project, at which these threads stand for the second time. */
const read = (store: Store, threads: readonly string[], nowMs: number, status = 'failed') =>
  store.sightings.record(
    PROJECT,
    {
      ...nothing,
      changed: threads.map((threadId) => ({threadId, status, times: 2})),
      standing: new Map(threads.map((id) => [id, {status, words: {title: `about ${id}`}}])),
    },
    () => true,
    nowMs,
  )

const toldOf = async ({announcements}: Store) =>
  (await announcements.found()).map(({channel, threadId}) => `${channel} ${threadId}`).toSorted()

test('a watch stands once in a channel, and ends alone or with all others there', async () => {
  const {watches, uses} = await temporaryStore()
  expect(await watches.add(watch, 1)).toBe(true)
  expect(await watches.add(watch, 2)).toBe(false)
  expect(await watches.add({...watch, projectId: 'q', connectionId: 'k'}, 2)).toBe(true)
  expect(await watches.add({...watch, channel: 'C2'}, 3)).toBe(true)
  expect(await watches.add({...watch, team: 'T2'}, 3)).toBe(true)
  const projects = async (channel: string) =>
    (await watches.ofChannel('T1', channel)).map(({projectId}) => projectId)
  expect(await projects('C1')).toEqual(['p', 'q'])
  const channels = await watches.channelsOf(PROJECT)
  expect(channels.map(({team, channel}) => `${team} ${channel}`).toSorted()).toEqual([
    ...['T1 C1', 'T1 C2', 'T2 C1'],
  ])
  const named = {team: 'T1', channel: 'C1', projectId: 'q'}
  expect(await uses.watches('k')).toEqual([named])
  expect(await uses.channels('k')).toEqual([{team: 'T1', channel: 'C1'}])
  expect(await watches.remove({...named, team: 'T3'})).toEqual([])
  expect(await watches.remove(named)).toMatchObject([{...named, connectionId: 'k', madeBy: 'U1'}])
  expect(await projects('C1')).toEqual(['p'])
  expect(await watches.remove({team: 'T1', channel: 'C1'})).toHaveLength(1)
  expect([await projects('C1'), await projects('C2')]).toEqual([[], ['p']])
  expect(await watches.ofChannel('T2', 'C1')).toHaveLength(1)
})

test('a watch that is asked for with another key is read with that from then on, and counts anew', async () => {
  const store = await temporaryStore()
  const {watches} = store
  await watches.add(watch, 1)
  for (const threads of [[], ['a']]) await read(store, threads, 1)
  expect(await toldOf(store)).toEqual(['C1 a'])
  expect(await watches.add({...watch, connectionId: 'k', madeBy: 'U2'}, 2)).toBe(true)
  expect(await watches.add({...watch, connectionId: 'k'}, 3)).toBe(false)
  expect(await watches.ofChannel('T1', 'C1')).toEqual([{...watch, connectionId: 'k', madeBy: 'U2'}])
  expect(await watches.channelsOf(PROJECT)).toEqual([])
  expect(await store.sightings.ofProject(PROJECT)).toEqual([])
  // What the former key has read is told no more.
  expect(await toldOf(store)).toEqual([])
  const other = {team: 'T1', channel: 'C1', projectId: 'p', by: {connectionId: undefined}}
  expect(await watches.remove(other)).toEqual([])
  expect(await watches.remove({...other, by: {connectionId: 'k'}})).toHaveLength(1)
})

test('a project that channels watch is named once, for whoever works for the first of their workspaces', async () => {
  const {watches} = await temporaryStore()
  await watches.add(watch, 1)
  await watches.add({...watch, team: 'T2'}, 1)
  await watches.add({...watch, team: 'T2', projectId: 'q', connectionId: 'k'}, 1)
  const [p, q] = [
    {projectId: 'p', connectionId: undefined, team: 'T1'},
    {projectId: 'q', connectionId: 'k', team: 'T2'},
  ]
  const named = async (teams: readonly string[]) =>
    (await watches.projects(teams)).toSorted((a, b) => a.projectId.localeCompare(b.projectId))
  expect(await named(['T1', 'T2'])).toEqual([p, q])
  expect([await named(['T1']), await named(['T2']), await named([])]).toEqual([[p], [q], []])
})

test('each state is told once in each channel that watches, and none that stood before', async () => {
  const store = await temporaryStore()
  await store.watches.add(watch, 0)
  await store.watches.add({...watch, channel: 'C2'}, 0)
  expect(await read(store, ['old'], 1)).toBe(false)
  expect(await toldOf(store)).toEqual([])
  expect(await read(store, ['old', 'new'], 2)).toBe(true)
  expect(await toldOf(store)).toEqual(['C1 new', 'C2 new'])
  expect(await read(store, ['old', 'new'], 3)).toBe(false)
  // Who begins to watch later hears of what comes then.
  await store.watches.add({...watch, channel: 'C3'}, 4)
  await read(store, ['old', 'new'], 5)
  await read(store, ['old', 'new', 'newer'], 6)
  expect((await toldOf(store)).filter((it) => it.startsWith('C3'))).toEqual(['C3 newer'])
})

test('a channel that shows the thread anyhow is not told of it', async () => {
  const store = await temporaryStore()
  await store.watches.add(watch, 0)
  await store.watches.add({...watch, channel: 'C2'}, 0)
  await read(store, [], 1)
  const {id} = await store.links.open(newLink, 1)
  await store.links.change(id, {state: 'open', threadId: 'new'})
  await read(store, ['new'], 2)
  expect(await toldOf(store)).toEqual(['C2 new'])
})

test('what is found is worded where its thread stands so, and with its key', async () => {
  const store = await temporaryStore()
  await store.watches.add(watch, 0)
  await read(store, [], 1)
  await read(store, ['a', 'b'], 2)
  const word = (threadId: string, status: string, connectionId?: string) =>
    store.announcements.word({threadId, status, connectionId}, {title: 'said'})
  await word('a', 'idle')
  await word('a', 'failed', 'k')
  await word('c', 'failed')
  expect(await store.announcements.due('T1', 9)).toEqual([])
  await word('a', 'failed', undefined)
  const due = await store.announcements.due('T1', 9)
  expect(due).toMatchObject([{threadId: 'a', words: {title: 'said'}}])
  expect(await toldOf(store)).toEqual(['C1 b'])
})

test('a question is answered by whoever wrote to the agent since, or else elsewhere', async () => {
  const store = await temporaryStore()
  await store.watches.add({...watch, channel: 'C2'}, 0)
  await read(store, [], 1)
  await read(store, ['a', 'b', 'c'], 5, 'pending_user')
  for (const [threadId, sender, state] of [
    ['a', 'W7', 'sent'],
    ['b', 'U7', 'sent'],
    ['c', 'U8', 'refused'],
  ] as const) {
    const there = {...place, slackThread: threadId}
    const {id} = await store.links.open({...newLink, place: there, requestId: threadId}, 0)
    await store.links.change(id, {state: 'open', threadId})
    const send = {linkId: id, messageTs: '1.0', cursor: undefined, toText: () => 'yes'}
    await store.sends.open({...send, sender: 'U0', inboxKey: `${threadId} before`}, 4)
    const since = await store.sends.open({...send, sender, inboxKey: threadId}, 6)
    await store.sends.move(since.send.id, ['open'], state)
  }
  const found = await store.announcements.found()
  for (const {id} of found) await store.announcements.move(id, 'placed', '1.0')
  const ended = new Map(['a', 'b', 'c'].map((id) => [id, 'answered' as const]))
  await store.sightings.record(PROJECT, {...nothing, ended}, () => true, 9)
  const by = await Promise.all(
    found.map(async ({id, threadId}) => {
      return `${threadId} ${(await store.announcements.byId(id))?.endedBy ?? ''}`
    }),
  )
  expect(by.toSorted()).toEqual(['a W7', 'b U7', 'c answered'])
})

test('what was begun since is told by whom and where, but for what was only followed', async () => {
  const {links, uses} = await temporaryStore()
  const open = async (requestId: string, nowMs: number, change: object = {}) => {
    const asked = {...newLink, place: {...place, slackThread: requestId}, requestId, ...change}
    return links.open(asked, nowMs)
  }
  await open('before', 5)
  await open('late', 9, {startedBy: 'U2'})
  await open('early', 6)
  const {id} = await open('not taken', 7)
  // What a hook began, and somebody wished to see.
  await open(`${BROUGHT}r1`, 8)
  await links.change(id, {state: 'ended'})
  const begun = async (of: object, sinceMs = 5) =>
    (await uses.begunSince({team: 'T1', ...of}, sinceMs)).map(({requestId}) => requestId)
  expect(await begun({})).toEqual(['early', 'late'])
  expect(await begun({user: 'U2'})).toEqual(['late'])
  expect(await begun({channel: 'C2'})).toEqual([])
  expect(await begun({channel: 'C1'}, 4)).toEqual(['before', 'early', 'late'])
  expect(await begun({team: 'T2'})).toEqual([])
  expect((await uses.atWork(undefined)).map(({requestId}) => requestId).toSorted()).toEqual([
    ...['before', 'early', 'late', `${BROUGHT}r1`],
  ])
  expect(await uses.atWork('k')).toEqual([])
})

test('who watches no longer hears of nothing that is not told yet, and what was told is over', async () => {
  const store = await temporaryStore()
  for (const channel of ['C1', 'C2']) await store.watches.add({...watch, channel}, 0)
  await read(store, [], 1)
  await read(store, ['told', 'found'], 2)
  const found = await store.announcements.found()
  for (const {id, threadId} of found) {
    if (threadId === 'told') await store.announcements.move(id, 'placed', '1.0')
  }
  await store.watches.remove({team: 'T1', channel: 'C1'})
  const left = await Promise.all(found.map(({id}) => store.announcements.byId(id)))
  const seen = left.flatMap((one) => (one ? `${one.channel} ${one.threadId} ${one.endedBy}` : []))
  expect(seen.toSorted()).toEqual([
    ...['C1 told unwatched', 'C2 found undefined', 'C2 told undefined'],
  ])
})
