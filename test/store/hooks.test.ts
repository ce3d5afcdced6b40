import {expect, test} from 'vitest'
import {SealError} from '../../src/security/seal.ts'
import {Secret} from '../../src/security/secret.ts'
import {type Store, openStore} from '../../src/store/store.ts'
import type {DeliveryOutcome} from '../../src/store/tables/hooks/deliveries.ts'
import {openRaw} from '../support/raw-database.ts'
import {temporaryDatabase, temporaryStore} from './temporary-store.ts'

const url = new Secret('https://a.example/webhooks/automations/x')
const about = {team: 'T1', channel: 'C1', name: 'Nightly', automationId: 'a'}
const run = {
  ...{channel: 'C1', automationId: 'a', name: 'Nightly', projectId: 'p', connectionId: 'c'},
  ...{reference: 'ref', isPrivate: false, begunAtMs: 5},
}
const receipt = {channel: 'C1', name: 'Nightly'}

const added = async (store: Store, key: string, nowMs = 0, hookId = 'h'): Promise<number> => {
  await store.deliveries.add({hookId, team: 'T1', key, sentKey: key, body: 'b'}, nowMs)
  const [row] = await store.deliveries.log(hookId, {limit: 1, beforeId: undefined})
  return row?.id ?? 0
}

test('nothing is taken for a hook that was deleted meanwhile', async () => {
  const key = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
  const {hooks, deliveries} = await temporaryStore(undefined, [key])
  const {id: hookId} = await hooks.add({...about, requestId: 'r', url, madeBy: 'U1'}, 1)
  const receive = async (sentKey: string) =>
    deliveries.receive({hookId, team: 'T1', key: sentKey, sentKey, body: 'b'}, 1, {
      perMinute: 9,
      signal: new AbortController().signal,
    })
  expect(await receive('one')).toBe('accepted')
  await hooks.remove(hookId)
  expect(await receive('two')).toBe('gone')
  expect(await deliveries.log(hookId, {limit: 9, beforeId: undefined})).toEqual([])
})

test('a hook is heard once a minute, and switched, followed and found as it was made', async () => {
  const key = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
  const {hooks} = await temporaryStore(undefined, [key])
  const {id} = await hooks.add({...about, requestId: 'r', url, madeBy: 'U1'}, 1)
  const other = await hooks.add({...about, requestId: 's', url, madeBy: 'U2', isWide: true}, 1)
  const heardAtMs = async () => (await hooks.byId(id))?.heardAtMs
  expect(await heardAtMs()).toBeUndefined()
  await hooks.heard(id, 100_000)
  expect(await heardAtMs()).toBe(100_000)
  await hooks.heard(id, 159_999)
  expect(await heardAtMs()).toBe(100_000)
  await hooks.heard(id, 160_000)
  expect(await heardAtMs()).toBe(160_000)
  await hooks.heard('none', 160_000)
  await hooks.switch(id, 'off')
  await hooks.follow(id, true)
  const made = {...about, id, state: 'off', follows: true, isWide: false, madeBy: 'U1', turn: 0}
  expect(await hooks.byRequest('r')).toMatchObject(made)
  expect(await hooks.byRequest('none')).toBeUndefined()
  expect(await hooks.byId(other.id)).toEqual(other)
  expect(other).toMatchObject({projectId: undefined, madeWith: undefined, isNew: true})
  for (const connectionId of ['k', undefined]) {
    const reach = {projectId: 'p', madeWith: {connectionId}}
    const requestId = `with ${connectionId}`
    const known = await hooks.add({...about, ...reach, requestId, url, madeBy: 'U1'}, 1)
    expect(await hooks.byId(known.id)).toMatchObject({...reach, isNew: false})
  }
  expect(other).toMatchObject({state: 'on', isWide: true, heardAtMs: undefined})
})

test.each([
  ['with sealing keys', [{id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}]],
  ['without sealing keys', []],
])('%s whoever asks for hooks that nobody has leaves nothing behind', async (_, sealingKeys) => {
  const known = new Set<string>()
  const learn = (secret: Secret): void => void known.add(secret.reveal())
  await using store = await openStore({path: await temporaryDatabase(), sealingKeys, learn})
  await store.hooks.secretsOf('nobodys')
  const before = known.size
  for (let asked = 0; asked < 20; asked += 1) await store.hooks.secretsOf(`nobodys${asked}`)
  expect(known.size).toBe(before)
})

test('an address that somebody typed is no secret before something has begun for it', async () => {
  const known = new Set<string>()
  const learn = (secret: Secret): void => void known.add(secret.reveal())
  const path = await temporaryDatabase()
  const sealingKeys = [{id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}]
  const address = (name: string) =>
    new Secret(`https://agents.example/webhooks/automations/${name}`)
  {
    await using store = await openStore({path, sealingKeys, learn})
    const of = {team: 'T1', channel: 'C1', name: 'Nightly', madeBy: 'U1'}
    const all = [
      {requestId: 'typed', automationId: undefined},
      {requestId: 'made', automationId: 'a1'},
      {requestId: 'found', automationId: undefined},
    ]
    for (const one of all) await store.hooks.add({...of, ...one, url: address(one.requestId)}, 1)
    const {id: hookId} = (await store.hooks.byRequest('found')) ?? expect.unreachable()
    const id = await added(store, 'k', 1, hookId)
    await store.deliveries.attempt(id, run)
    await store.runs.found(`${hookId}-${id}`, {id: 't', title: undefined, projectId: 'p'}, 2)
  }
  known.clear()
  await using store = await openStore({path, sealingKeys, learn})
  const isKnown = (name: string) => known.has(address(name).reveal())
  expect(['typed', 'made', 'found'].map(isKnown)).toEqual([false, true, true])
  // Its own secrets are, as ever.
  const {id = ''} = (await store.hooks.byRequest('typed')) ?? {}
  const {secrets} = await store.hooks.secretsOf(id)
  expect(known.has(secrets.secret.reveal())).toBe(true)
})

test.each<[DeliveryOutcome, {runs: boolean; named: boolean; givenUp: boolean}]>([
  ['accepted', {runs: true, named: true, givenUp: false}],
  ['unsaid', {runs: true, named: true, givenUp: true}],
  ['expired', {runs: true, named: false, givenUp: true}],
  ['refused', {runs: false, named: false, givenUp: true}],
  ['not-found', {runs: false, named: false, givenUp: true}],
  ['no-match', {runs: false, named: false, givenUp: false}],
  ['duplicate', {runs: false, named: false, givenUp: false}],
])(
  'what is known of the work of a delivery that came to %s',
  async (outcome, {runs, named, givenUp}) => {
    const store = await temporaryStore()
    const id = await added(store, 'k')
    expect(await store.deliveries.attempt(id, run)).toBe(true)
    expect(await store.runs.due(['T1'], 1e9)).toEqual([])
    expect(await store.deliveries.settle(id, outcome, receipt, 100)).toBe(true)
    expect(await store.deliveries.settle(id, 'accepted', receipt, 101)).toBe(false)
    const [told] = await store.announcements.due('T1', 100)
    expect(told?.words.receipt).toMatchObject({
      hookId: 'h',
      name: 'Nightly',
      counts: {[outcome]: 1},
    })
    // The platform begins the work within a second.
    expect(await store.runs.due(['T1'], 1099)).toEqual([])
    const [sought] = await store.runs.due(['T1'], 1100)
    expect(sought !== undefined).toBe(runs)
    if (runs) expect(sought).toMatchObject({...run, hookId: 'h', team: 'T1', looks: 0})
    expect(sought?.receiptId).toBe(named ? told?.id : undefined)
    expect(await store.deadLetters.count(['h'])).toBe(givenUp ? 1 : 0)
  },
)

test('what was sent twice may have begun work, whatever it came to but for one word', async () => {
  const store = await temporaryStore()
  for (const outcome of ['refused', 'no-match'] as const) {
    const id = await added(store, outcome)
    await store.deliveries.attempt(id, run)
    await store.deliveries.attempt(id, run)
    expect(await store.deliveries.settle(id, outcome, undefined, 100)).toBe(false)
  }
  expect(await store.runs.due(['T1'], 1100)).toHaveLength(1)
})

test('what was late is told with others of its hook that still wait', async () => {
  const store = await temporaryStore()
  const [first, second, third] = [
    await added(store, 'a'),
    await added(store, 'b'),
    await added(store, 'c'),
  ]
  const late = 10_001
  await store.deliveries.settle(first, 'accepted', receipt, late)
  expect(await store.announcements.due('T1', late)).toEqual([])
  expect(await store.announcements.nextDueAtMs('T1', late)).toBe(late + 120_000)
  await store.deliveries.settle(second, 'refused', receipt, late)
  expect(await store.announcements.due('T1', late)).toEqual([])
  await store.deliveries.settle(third, 'accepted', receipt, late)
  const told = await store.announcements.due('T1', late)
  expect(told.map(({words}) => words.receipt?.counts)).toEqual([{accepted: 2, refused: 1}])
})

test('work that is looked for in vain is looked for again, or never, or dropped', async () => {
  const store = await temporaryStore()
  const id = await added(store, 'k')
  await store.deliveries.attempt(id, run)
  await store.deliveries.settle(id, 'accepted', undefined, 0)
  const [sought] = await store.runs.due(['T1'], 1000)
  const runId = sought?.id ?? ''
  expect(await store.runs.due(['T2'], 1000)).toEqual([])
  await store.runs.later(runId, 5000, true)
  expect(await store.runs.byId(runId)).toMatchObject({looks: 1})
  expect(await store.runs.nextDueAtMs(['T1'], 0)).toBe(5000)
  await store.runs.later(runId, 6000, false)
  expect(await store.runs.byId(runId)).toMatchObject({looks: 1})
  expect(await store.runs.nextDueAtMs(['T1'], 0)).toBe(6000)
  expect(await store.runs.nextDueAtMs(['T1'], 6000)).toBeUndefined()
  await store.runs.later(runId, undefined, true)
  expect(await store.runs.nextDueAtMs(['T1'], 0)).toBeUndefined()
  await store.runs.drop(runId)
  expect(await store.runs.byId(runId)).toBeUndefined()
})

test('work that is found is named in its receipt, and known by its automation', async () => {
  const store = await temporaryStore()
  const ids: string[] = []
  for (const key of ['a', 'b', 'c']) {
    const id = await added(store, key)
    await store.deliveries.attempt(id, run)
    await store.deliveries.settle(id, 'accepted', receipt, 0)
  }
  for (const {id} of await store.runs.due(['T1'], 1000)) ids.push(id)
  const [first = '', second = '', third = ''] = ids
  expect(await store.runs.found(first, {id: 't1', title: 'Prices'}, 9)).toBe(true)
  expect(await store.runs.found(second, {id: 't2', title: undefined}, 9)).toBe(true)
  // Once more after a crash.
  expect(await store.runs.found(second, {id: 't2', title: undefined}, 9)).toBe(true)
  // What comes to the same receipt leaves the names there.
  const more = await added(store, 'd')
  await store.deliveries.settle(more, 'accepted', receipt, 0)
  const [told] = await store.announcements.due('T1', 0)
  expect(told?.words.receipt?.counts).toEqual({accepted: 4})
  expect(told?.words.receipt?.runs).toEqual([
    {id: first, threadId: 't1', title: 'Prices'},
    {id: second, threadId: 't2'},
  ])
  const of = {team: 'T1', channel: 'C1', automationId: 'a'}
  const found = await store.runs.ofAutomation(of, 9)
  expect(found.map(({threadId, title}) => [threadId, title]).toSorted()).toEqual([
    ['t1', 'Prices'],
    ['t2', undefined],
  ])
  for (const change of [{team: 'T2'}, {channel: 'C2'}, {automationId: 'b'}]) {
    expect(await store.runs.ofAutomation({...of, ...change}, 9)).toEqual([])
  }
  const names = await store.runs.namesOf({team: 'T1', threadIds: ['t1', 't3']})
  expect([...names]).toEqual([['t1', 'Nightly']])
  expect((await store.runs.namesOf({team: 'T2', threadIds: ['t1']})).size).toBe(0)

  // On its way to Slack it cannot be changed; once it stands there it is edited.
  const name = async () => store.runs.found(third, {id: 't3', title: undefined}, 9)
  await store.announcements.move(told?.id ?? '', 'intended')
  expect(await name()).toBe(false)
  expect((await store.runs.byId(third))?.threadId).toBeUndefined()
  await store.announcements.move(told?.id ?? '', 'placed', '1.0')
  expect(await name()).toBe(true)
  const edited = await store.announcements.byId(told?.id ?? '')
  expect(edited).toMatchObject({state: 'placed', endedBy: 'done'})
  expect(edited?.words.receipt?.runs).toHaveLength(3)
  expect(await store.runs.found('none', {id: 't9', title: undefined}, 9)).toBe(true)
})

test('work whose receipt is gone is known all the same, and the receipt says nothing', async () => {
  const store = await temporaryStore()
  const id = await added(store, 'a')
  await store.deliveries.attempt(id, run)
  await store.deliveries.settle(id, 'accepted', receipt, 0)
  const [sought] = await store.runs.due(['T1'], 1000)
  const runId = sought?.id ?? ''
  const [told] = await store.announcements.due('T1', 0)
  await store.announcements.move(told?.id ?? '', 'gone')
  const found = (threadId: string) => store.runs.found(runId, {id: threadId, title: undefined}, 9)
  expect(await found('t1')).toBe(true)
  expect((await store.announcements.byId(told?.id ?? ''))?.words.receipt?.runs).toBeUndefined()
  expect(await store.retention.forgetAnnouncements(10)).toBe(1)
  expect(await found('t2')).toBe(true)
  expect((await store.runs.byId(runId))?.threadId).toBe('t2')
})

test('what an automation begins by itself is followed as somebody wishes', async () => {
  const {timetables} = await temporaryStore()
  const of = {team: 'T1', channel: 'C1', automationId: 'a'}
  const times = {schedules: [{cron: '0 9 * * *', zone: 'UTC'}], momentMs: 100}
  const made = {...of, ...times, name: 'Nightly', projectId: 'p', reference: 'ref'}
  for (const channel of ['C1', 'C1', 'C2']) {
    await timetables.add({...made, channel, connectionId: undefined, isPrivate: true})
  }
  const [one, ...more] = await timetables.ofChannel('T1', 'C1')
  expect(more).toEqual([])
  expect(one).toMatchObject({...made, connectionId: undefined, isPrivate: true, looks: 0})
  expect(one?.followedBy).toBeUndefined()
  await timetables.follow(of, 'U1')
  expect(await timetables.of(of)).toMatchObject({followedBy: 'U1'})
  expect(await timetables.of({...of, channel: 'C2'})).toMatchObject({followedBy: undefined})
  await timetables.follow(of, undefined)
  expect((await timetables.of(of))?.followedBy).toBeUndefined()
})

test('a hook whose secrets are lost keeps nobody from learning those of the others', async () => {
  const key = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
  const path = await temporaryDatabase()
  const {hooks} = await temporaryStore(path, [key])
  const lost = await hooks.add({...about, requestId: 'r', url, madeBy: 'U1'}, 1)
  const kept = await hooks.add({...about, requestId: 's', url, madeBy: 'U1'}, 1)
  await using raw = await openRaw(path)
  await raw.run(
    'update hooks set sealed = substr(sealed, 1, length(sealed) - 8) where id = ?',
    lost.id,
  )
  await hooks.reload()
  expect((await hooks.secretsOf(kept.id)).hook).toEqual(kept)
  await expect(hooks.secretsOf(lost.id)).rejects.toThrow(SealError)
})
