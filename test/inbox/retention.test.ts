import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {forgetOld} from '../../src/inbox/retention.ts'
import {TryLater} from '../../src/inbox/try-later.ts'
import type {LinkState} from '../../src/store/tables/work/link.ts'
import type {Store} from '../../src/store/store.ts'
import {temporaryDatabase, temporaryStore} from '../store/temporary-store.ts'
import {openRaw} from '../support/raw-database.ts'

const DAY_MS = 24 * 3_600_000
const NOW_MS = 1000 * DAY_MS
const agoMs = (days: number): number => NOW_MS - days * DAY_MS

interface Cleaning {
  isClosed?: (place: {channel: string}) => Promise<boolean>
  signal?: AbortSignal
  unsaid?: Map<string, number>
}

async function clean(
  store: Store,
  days: number,
  {isClosed = async () => false, signal = new AbortController().signal, unsaid}: Cleaning = {},
): Promise<string[]> {
  const forgotten: string[] = []
  const log = {info: () => undefined, warn: () => undefined, error: () => undefined}
  const clock = {trouble: async () => Promise.resolve(undefined)}
  await forgetOld(
    {
      ...{retention: store.retention, inbox: store.inbox, days, log, clock, nowMs: () => NOW_MS},
      isClosed,
      askEveryMs: 1,
      onForgotten: async (id) => void forgotten.push(id),
    },
    signal,
    unsaid,
  )
  return forgotten
}

async function link(
  store: Store,
  name: string,
  state: LinkState,
  restedDays: number,
  channel = 'C1',
) {
  const place = {team: 'T1', channel, slackThread: name}
  const made = {place, requestId: name, projectId: 'p', startedBy: 'U1'}
  const {id} = await store.links.open(made, agoMs(restedDays))
  await store.links.change(id, {state, statusSinceMs: agoMs(restedDays)})
  await store.posts.intend(
    id,
    {key: 'card', delivery: undefined, draft: undefined},
    agoMs(restedDays),
  )
  return id
}

describe('what has served its time is forgotten', () => {
  test('exactly the work that ended long enough ago, whatever there is', async () => {
    const states: LinkState[] = ['starting', 'open', 'archived', 'ended']
    const store = await temporaryStore()
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...states), fc.integer({min: 0, max: 60})), {
          maxLength: 12,
        }),
        fc.integer({min: 1, max: 50}),
        async (all, days) => {
          run += 1
          const expected: string[] = []
          const ids: string[] = []
          for (const [index, [state, rested]] of all.entries()) {
            const id = await link(store, `${run}-${index}`, state, rested)
            ids.push(id)
            const isOver = state === 'archived' || state === 'ended'
            if (isOver && rested > days) expected.push(id)
          }
          const forgotten = await clean(store, days)
          expect(forgotten.filter((id) => ids.includes(id)).toSorted()).toEqual(expected.toSorted())
          for (const id of ids) {
            const isThere = (await store.links.byId(id)) !== undefined
            expect(isThere).toBe(!expected.includes(id))
            expect((await store.posts.unsettled(id)).length).toBe(isThere ? 1 : 0)
          }
        },
      ),
      {numRuns: 25},
    )
  })

  test('not where somebody wrote since, and not at all with 0', async () => {
    const store = await temporaryStore()
    const old = await link(store, 'old', 'archived', 100)
    const answered = await link(store, 'answered', 'archived', 100)
    const toText = () => 'x\ny'
    const send = {linkId: answered, inboxKey: 'i', messageTs: '1', sender: 'U1', cursor: undefined}
    await store.sends.open({...send, toText}, agoMs(3))
    expect(await clean(store, 0)).toEqual([])
    expect(await clean(store, 30)).toEqual([old])
    expect(await store.links.byId(answered)).toBeDefined()
  })

  test('of places of which nobody says whether they are closed nothing, for this time', async () => {
    const path = await temporaryDatabase()
    const store = await temporaryStore(path)
    await using raw = await openRaw(path)
    const known: string[] = []
    for (const [index, channel] of ['C1', 'C2', 'C1', 'C2'].entries()) {
      const id = await link(store, `w${index}`, 'archived', 90 - index, channel)
      await store.links.change(id, {threadId: `t${index}`})
      if (channel === 'C2') known.push(id)
    }
    // More than are read at once.
    for (let index = 0; index < 60; index += 1) await link(store, `s${index}`, 'archived', 95, 'C1')
    const asked: string[] = []
    const isClosed = async ({channel}: {channel: string}): Promise<boolean> => {
      asked.push(channel)
      if (channel === 'C1') throw new TryLater(undefined)
      return true
    }
    const forgotten = await clean(store, 30, {isClosed})
    expect(forgotten.filter((id) => known.includes(id)).toSorted()).toEqual(known.toSorted())
    expect(asked.toSorted()).toEqual(['C1', 'C2'])
    const hidden = async () => (await raw.all('select * from private_threads')).length
    expect(await hidden()).toBe(2)
    expect(await raw.all("select id from links where thread_id in ('t0', 't2')")).toHaveLength(2)
    // Once somebody says, it is forgotten as what it is.
    const unsaid = new Map([['T1 C1', NOW_MS - 3 * DAY_MS + 1]])
    await clean(store, 30, {isClosed, unsaid})
    expect(await hidden()).toBe(2)
    await clean(store, 88, {unsaid})
    expect(await raw.all("select id from links where thread_id = 't0'")).toEqual([])
    expect([await hidden(), unsaid.size]).toEqual([2, 0])
    // Nobody says it for days: then it is nobody else's business.
    const long = new Map([['T1 C1', NOW_MS - 3 * DAY_MS]])
    await clean(store, 30, {isClosed, unsaid: long})
    expect(await raw.all('select id from links')).toEqual([])
    expect(await hidden()).toBe(3)
    await clean(store, 30, {isClosed, unsaid: long})
    expect(long.size).toBe(0)
  })

  test('keys of what is done for two days, the audit for 400, questions for a week', async () => {
    const store = await temporaryStore()
    for (const [key, receivedMs] of [
      ['long ago', agoMs(2) - 1],
      ['yesterday', agoMs(1.5)],
    ] as const) {
      await store.inbox.add({team: 'T1', key, lane: key, body: '{}'}, receivedMs)
      const row = await store.inbox.byKey(key)
      await store.inbox.done(row?.id ?? 0)
    }
    await store.inbox.add({team: 'T1', key: 'open', lane: 'l', body: '{}'}, 0)
    const entry = {team: 'T1', channel: undefined, user: 'U1', act: 'message', about: undefined}
    for (const days of [401, 399]) {
      await store.audit.add({...entry, outcome: 'done', atMs: agoMs(days)})
    }
    await store.starts.open({requestId: 'r1', team: 'T1', user: 'U1', request: {}}, agoMs(6))
    const old = await store.starts.open(
      {requestId: 'r2', team: 'T1', user: 'U1', request: {}},
      agoMs(8),
    )
    await clean(store, 0)
    expect(await store.inbox.byKey('long ago')).toBeUndefined()
    expect(await store.inbox.byKey('yesterday')).toMatchObject({body: ''})
    expect(await store.inbox.byKey('open')).toBeDefined()
    expect(await store.audit.ofTeam('T1', {limit: 9})).toMatchObject([{atMs: agoMs(399)}])
    expect(await store.starts.byId(old.id)).toBeUndefined()
  })

  test('what hooks began in parts, so that a stop does not wait for all of it', async () => {
    const path = await temporaryDatabase()
    const store = await temporaryStore(path)
    await using raw = await openRaw(path)
    const columns =
      'id, team, channel, hook_id, name, project_id, connection_id, reference, is_private, begun_at_ms, thread_id'
    const runs = Array.from({length: 120}, (_, index) => `r${index}`)
    const rows = [...runs.map((id) => [id, agoMs(31)]), ['young', agoMs(29)]]
    const values = rows.map(
      ([id, atMs]) => `('${id}', 'T1', 'C1', 'h', 'n', 'p', '', 'x', 0, ${atMs}, '${id}')`,
    )
    await raw.run(`insert into runs (${columns}) values ${values.join(', ')}`)
    const left = async () => (await raw.all('select id from runs')).length
    const stop = new AbortController()
    const isClosed = async () => {
      stop.abort()
      return true
    }
    await clean(store, 30, {isClosed, signal: stop.signal})
    expect(await left()).toBe(71)
    await clean(store, 30)
    expect(await raw.all('select id from runs')).toEqual([{id: 'young'}])
    // Of the first part it was said that it is nobody else's business.
    expect(await raw.all('select * from private_threads')).toHaveLength(50)
  })
})
