import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Seen, compare, toSeen} from '../../../src/features/watch/sightings.ts'
import {threadSchema} from '../../../src/platform/model.ts'
import type {Store} from '../../../src/store/store.ts'
import {temporaryStore} from '../../store/temporary-store.ts'

const CHANNELS = ['C1', 'C2'] as const
const PROJECT = {projectId: 'p', connectionId: undefined}
const STATES = ['pending_user', 'ready_for_review', 'failed'] as const

type Status = (typeof STATES)[number] | undefined
/** By thread; one that is missing was not met. */
type Reading = Readonly<Partial<Record<'t1' | 't2' | 't3', Status | 'nothing'>>>

const status = fc.constantFrom<Status | 'nothing'>(...STATES, 'pending_user', 'nothing')
const reading = fc.record({t1: status, t2: status, t3: status}, {requiredKeys: []})

describe('what stands at two readings', () => {
  test('is announced once in each watching channel, whatever came before, between and after', async () => {
    const store = await temporaryStore()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(reading, {minLength: 1, maxLength: 14}), async (readings) => {
        run += 1
        const projectId = `p${run}`
        await watchedBy(store, projectId)
        const expected: string[] = []
        const runs = new Map<string, {status: string; times: number}>()
        for (const [nowMs, one] of readings.entries()) {
          await take(store, projectId, one, nowMs)
          for (const [thread, said] of Object.entries(one)) {
            if (said === undefined || said === 'nothing') {
              runs.delete(thread)
              continue
            }
            const before = runs.get(thread)
            const times = before?.status === said ? before.times + 1 : 1
            runs.set(thread, {status: said, times})
            if (times === 2) expected.push(`${thread} ${said}`)
          }
        }
        const told = await announced(store)
        for (const channel of CHANNELS) {
          const here = told.filter((it) => it.channel === channel)
          const words = here.map(({threadId, status: said}) => `${threadId.split('/')[1]} ${said}`)
          expect(words.toSorted()).toEqual(expected.toSorted())
          // All but what still stands is over.
          const standing = here.filter(({endedBy}) => endedBy === undefined)
          const stands = [...runs].filter(([, {times}]) => times >= 2)
          expect(standing.map(({threadId}) => threadId.split('/')[1]).toSorted()).toEqual(
            stands.map(([thread]) => thread).toSorted(),
          )
        }
        await endAll(store, projectId)
      }),
      {numRuns: 60},
    )
  })

  test('is not announced by one reading, nor by two that lie around another state', async () => {
    const store = await temporaryStore()
    await watchedBy(store, 'p')
    for (const said of ['failed', 'pending_user', 'failed', 'nothing', 'failed'] as const) {
      await take(store, 'p', {t1: said}, 0)
    }
    expect(await announced(store)).toEqual([])
  })

  test('is no news to a channel that begins to watch later, until it comes again', async () => {
    const store = await temporaryStore()
    await watchedBy(store, 'p', ['C1'])
    const failed = async () => {
      for (let nowMs = 0; nowMs < 3; nowMs += 1) await take(store, 'p', {t1: 'failed'}, nowMs)
    }
    await failed()
    expect((await announced(store)).map(({channel}) => channel)).toEqual(['C1'])
    await store.watches.add({team: 'T1', channel: 'C2', ...PROJECT, madeBy: 'U1'}, 3)
    await failed()
    expect((await announced(store)).map(({channel}) => channel)).toEqual(['C1'])
    await take(store, 'p', {t1: 'nothing'}, 4)
    await failed()
    const channels = (await announced(store)).map(({channel}) => channel)
    expect(channels.toSorted()).toEqual(['C1', 'C1', 'C2'])
  })

  test('is news to a watch that was not read before it came', async () => {
    const store = await temporaryStore()
    await store.watches.add({team: 'T1', channel: 'C1', ...PROJECT, madeBy: 'U1'}, 1000)
    const seen = (threadId: string, changedAtMs: number) =>
      [threadId, {...toSeenAs('failed'), changedAtMs}] as const
    for (const nowMs of [9000, 9001]) {
      const reading = new Map([seen('old', 999), seen('new', 1001)])
      const findings = compare(await knownOf(store, 'p'), reading)
      await store.sightings.record(PROJECT, findings, () => true, nowMs)
    }
    expect((await announced(store)).map(({threadId}) => threadId)).toEqual(['new'])
  })

  test('is not told anew where a watch begins again, and what stood there says that it ended', async () => {
    const store = await temporaryStore()
    for (const projectId of ['p', 'q']) {
      await watchedBy(store, projectId)
      for (let nowMs = 0; nowMs < 2; nowMs += 1) await take(store, projectId, {t1: 'failed'}, nowMs)
    }
    const mine = async (threadId: string) =>
      (await announced(store)).find((it) => it.channel === 'C1' && it.threadId === threadId)
    const [first, other] = [await mine('p/t1'), await mine('q/t1')]
    await store.announcements.move(first?.id ?? '', 'placed', '1.0')
    await store.announcements.move(other?.id ?? '', 'placed', '2.0')
    await store.watches.remove({team: 'T1', channel: 'C1', projectId: 'p'})
    expect(
      (await store.announcements.due('T1', 1e15)).map(({id, endedBy}) => [id, endedBy]),
    ).toEqual([[first?.id, 'unwatched']])
    await store.announcements.move(first?.id ?? '', 'over')
    await watchedBy(store, 'p', ['C1'])
    for (let nowMs = 3; nowMs < 5; nowMs += 1) await take(store, 'p', {t1: 'failed'}, nowMs)
    expect(await mine('p/t1')).toBeUndefined()
    await take(store, 'p', {t1: 'nothing'}, 5)
    for (let nowMs = 6; nowMs < 8; nowMs += 1) await take(store, 'p', {t1: 'failed'}, nowMs)
    expect(await mine('p/t1')).toMatchObject({madeAtMs: 7, status: 'failed', endedBy: undefined})
  })

  test('is not told where a Slack thread shows it, nor where nobody wants to hear of it', async () => {
    const store = await temporaryStore()
    await watchedBy(store, 'p')
    const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}
    const link = {place, requestId: 'r', projectId: 'p', startedBy: 'U1', threadId: 'p/t1'}
    await store.links.open(link, 0)
    for (let nowMs = 0; nowMs < 2; nowMs += 1) await take(store, 'p', {t1: 'failed'}, nowMs)
    const [only, ...others] = await announced(store)
    expect([only?.channel, others]).toEqual(['C2', []])
    await store.announcements.move(only?.id ?? '', 'placed', '2.0')
    await store.announcements.end(only?.id ?? '', 'hushed')
    for (const said of ['nothing', 'failed', 'failed', 'pending_user', 'pending_user'] as const) {
      await take(store, 'p', {t1: said}, 5)
    }
    expect(await announced(store)).toHaveLength(1)
  })

  test('of a thousand threads is written without holding the event loop for long', async () => {
    const store = await temporaryStore()
    await watchedBy(store, 'p')
    const seen = (said: Status): Map<string, Seen> =>
      new Map(Array.from({length: 1000}, (_, index) => [`p/t${index}`, toSeenAs(said)]))
    for (const said of ['failed', 'failed', undefined] as const) {
      const known = await knownOf(store, 'p')
      await store.sightings.record(PROJECT, compare(known, seen(said)), () => true, 0)
    }
    expect(await store.sightings.ofProject(PROJECT)).toEqual([])
  })
})

describe('what calls people', () => {
  const thread = (fields: object) =>
    toSeen(threadSchema.parse({id: 't', status: 'idle', ...fields}), 'Jane Doe')

  test('is the same in both vocabularies', () => {
    expect(thread({status: 'error'}).status).toBe(thread({status: 'failed'}).status)
    expect(thread({needsYou: true}).status).toBe(thread({status: 'pending_user'}).status)
    expect(thread({status: 'ready_for_review', needsYou: true}).status).toBe('ready_for_review')
  })

  test('is nothing that works, rests, is put away or is not known', () => {
    for (const word of ['active', 'working', 'waiting', 'idle', 'archived', 'of_tomorrow']) {
      expect(thread({status: word}).status).toBeUndefined()
    }
    expect(thread({status: 'failed', archived: true})).toMatchObject({
      status: undefined,
      ending: 'archived',
    })
  })
})

/** Their first reading, which is no news to them, has met nothing. */
async function watchedBy(
  store: Store,
  projectId: string,
  channels: readonly string[] = CHANNELS,
): Promise<void> {
  for (const channel of channels) {
    await store.watches.add(
      {team: 'T1', channel, projectId, connectionId: undefined, madeBy: 'U1'},
      0,
    )
  }
  await take(store, projectId, {}, 0)
}

async function take(store: Store, projectId: string, one: Reading, nowMs: number): Promise<void> {
  const seen = new Map(
    Object.entries(one).map(([thread, said]) => [
      `${projectId}/${thread}`,
      toSeenAs(said === 'nothing' ? undefined : said),
    ]),
  )
  const known = await knownOf(store, projectId)
  await store.sightings.record(
    {projectId, connectionId: undefined},
    compare(known, seen),
    () => true,
    nowMs,
  )
}

async function knownOf(store: Store, projectId: string) {
  const all = await store.sightings.ofProject({projectId, connectionId: undefined})
  return new Map(all.map((sighting) => [sighting.threadId, sighting]))
}

function toSeenAs(said: Status): Seen {
  return {status: said, words: {}, ending: 'answered'}
}

/** All of which it is not known yet what they say, which in these tests are all. */
function announced(store: Store) {
  return store.announcements.found().then(async (found) => {
    const placed = (await store.announcements.due('T1', 1e15)).filter(({ts}) => ts !== undefined)
    return [...found, ...placed].toSorted((a, b) => a.madeAtMs - b.madeAtMs)
  })
}

/** The next run starts with nothing told. */
async function endAll(store: Store, projectId: string): Promise<void> {
  for (const channel of CHANNELS) await store.watches.remove({team: 'T1', channel, projectId})
}
