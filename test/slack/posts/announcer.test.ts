import {WebClient} from '@slack/web-api'
import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/async/clock.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {createAnnouncer} from '../../../src/slack/posts/announcer.ts'
import {temporaryStore} from '../../store/temporary-store.ts'
import {until} from '../../support/until.ts'

const at = {team: 'T1', target: 'C1'}
const schedule = {every: 'day', minute: 540, zone: 'UTC'} as const

test('a digest that Slack does not take is due until its day is known to be refused', async () => {
  const {announcements, digests} = await temporaryStore()
  const from = {untilMs: 1, dayMicros: 0}
  await digests.choose(at, schedule, {sinceMs: undefined, from, passed: undefined})
  const digest = await digests.of(at)
  if (digest === undefined) throw new Error('There is no digest.')
  const nowMs = Date.now()
  const day = {date: '2026-01-30', until: {untilMs: nowMs, dayMicros: 0}}
  const words = {date: '2026-01-30', sinceMs: 1, untilMs: nowMs}
  await digests.tell(digest, {...day, announcement: {channel: 'C1', words}}, nowMs)

  const noted: string[] = []
  let isDown = true
  const answer = async () => new Response(JSON.stringify({ok: false, error: 'is_archived'}))
  const pacer = createPacer({budgets: {}, clock: systemClock})
  const open = () =>
    createAnnouncer({
      ...{announcements, team: 'T1', botUserId: 'U0', clock: systemClock},
      client: new WebClient('xoxb-test', {fetch: answer}),
      pacer,
      draw: async () => ({text: 'Yesterday', blocks: []}),
      onLost: async () => undefined,
      onDigestRefused: async (_digest, code) => {
        noted.push(code)
        if (isDown) throw new Error('The database does not answer')
      },
      log: {warn: () => undefined, error: () => undefined, info: () => undefined},
    })
  {
    await using announcer = open()
    announcer.wake()
    await until('it is refused', () => noted.length > 0)
  }
  expect(await announcements.due('T1', nowMs)).toHaveLength(1)
  isDown = false
  await using announcer = open()
  announcer.wake()
  await until('it is gone', async () => (await announcements.due('T1', nowMs)).length === 0)
  expect(noted.at(-1)).toBe('is_archived')
})

/** Some messages that stand in C1 and are over, and a Slack in which nobody can write there until it is opened. */
async function openClosed(said: string) {
  const {announcements} = await temporaryStore()
  for (const id of ['a', 'b']) {
    const head = {id, team: 'T1', channel: 'C1', threadId: id, connectionId: undefined}
    await announcements.open({...head, words: {title: 'It'}}, Date.now())
    await announcements.move(id, 'placed', '1.0')
    await announcements.end(id, 'over')
  }
  const world = {isOpen: false, calls: [] as string[]}
  const fetch = async (url: unknown): Promise<Response> => {
    world.calls.push(String(url).split('/').at(-1) ?? '')
    const answer = world.isOpen ? {ok: true, ts: '2.0'} : {ok: false, error: said}
    return Promise.resolve(new Response(JSON.stringify(answer)))
  }
  const open = (shut = {baseMs: 60_000, maxMs: 60_000}) =>
    createAnnouncer({
      ...{announcements, team: 'T1', botUserId: 'U0', clock: systemClock, shut},
      pacer: createPacer({budgets: {}, clock: systemClock}),
      client: new WebClient('xoxb-test', {fetch}),
      draw: async () => ({text: 'Over', blocks: []}),
      onLost: async () => undefined,
      onDigestRefused: async () => undefined,
      log: {warn: () => undefined, error: () => undefined, info: () => undefined},
    })
  const states = async () => [
    (await announcements.byId('a'))?.state,
    (await announcements.byId('b'))?.state,
  ]
  return {announcements, world, open, states}
}

test.for(['not_in_channel', 'is_inactive'])(
  'what stands where nobody can write (%s) is tried rarely, in nobody’s way, and changed once somebody can',
  async (said) => {
    const {announcements, world, open, states} = await openClosed(said)
    {
      await using announcer = open()
      announcer.wake()
      await until('both are refused', () => world.calls.length === 2)
      // What is to be told there meanwhile is tried at once, and whoever waits for it hears why not.
      const head = {id: 'c', team: 'T1', channel: 'C1', threadId: 'c', connectionId: undefined}
      const fresh = await announcements.open({...head, words: {title: 'New'}}, Date.now())
      const settled = await announcer.settle(fresh, new AbortController().signal)
      expect(settled).toEqual({code: said})
      announcer.wake()
      await delay(50)
      expect(world.calls).toEqual(['chat.update', 'chat.update', 'chat.postMessage'])
    }
    expect(await states()).toEqual(['placed', 'placed'])
    // Whoever comes next tries them at once.
    world.isOpen = true
    await using announcer = open()
    announcer.wake()
    await until('they are changed', async () => (await states()).join() === 'over,over')
  },
)

test('what is over waits in no one’s way', async () => {
  const {announcements} = await temporaryStore()
  const head = {team: 'T1', channel: 'C1', connectionId: undefined, words: {title: 'It'}}
  for (const id of ['a', 'b']) {
    await announcements.open({...head, id, threadId: id}, Date.now())
    await announcements.move(id, 'placed', '1.0')
    await announcements.end(id, 'unwatched')
  }
  let spared = 0
  const pacer = createPacer({budgets: {}, clock: systemClock})
  const never = Promise.withResolvers<undefined>()
  await using announcer = createAnnouncer({
    ...{announcements, team: 'T1', botUserId: 'U0', clock: systemClock},
    pacer: {
      ...pacer,
      // Nothing is to spare.
      next: (asks, signal) => {
        if (asks[0]?.rank !== 'spare') return pacer.next(asks, signal)
        spared += 1
        return never.promise
      },
    },
    client: new WebClient('xoxb-test', {fetch: async () => new Response('{"ok":true,"ts":"2.0"}')}),
    draw: async () => ({text: 'It', blocks: []}),
    onLost: async () => undefined,
    onDigestRefused: async () => undefined,
    log: {warn: () => undefined, error: () => undefined, info: () => undefined},
  })
  announcer.wake()
  await until('what is over waits', () => spared > 0)
  const fresh = await announcements.open({...head, id: 'c', threadId: 'c'}, Date.now())
  const settled = await announcer.settle(fresh, AbortSignal.timeout(20_000))
  expect(settled).toEqual({ts: '2.0'})
  never.resolve(undefined)
})

test.for([
  ['its watch has ended', 'unwatched', 'spare'],
  ['it is no longer so', 'over', 'spare'],
  ['somebody has answered', 'U1', 'state'],
  ['somebody wants to hear no more of it', 'hushed', 'state'],
] as const)('what is over since %s is said so in its turn', async ([, endedBy, rank]) => {
  const {announcements} = await temporaryStore()
  const head = {id: 'a', team: 'T1', channel: 'C1', threadId: 'a', connectionId: undefined}
  await announcements.open({...head, words: {title: 'It'}}, Date.now())
  await announcements.move('a', 'placed', '1.0')
  await announcements.end('a', endedBy)
  const ranks: string[] = []
  const pacer = createPacer({budgets: {}, clock: systemClock})
  await using announcer = createAnnouncer({
    ...{announcements, team: 'T1', botUserId: 'U0', clock: systemClock},
    pacer: {
      ...pacer,
      next: async (asks, signal) => {
        ranks.push(...asks.map((ask) => ask.rank))
        return pacer.next(asks, signal)
      },
    },
    client: new WebClient('xoxb-test', {fetch: async () => new Response('{"ok":true}')}),
    draw: async () => ({text: 'Over', blocks: []}),
    onLost: async () => undefined,
    onDigestRefused: async () => undefined,
    log: {warn: () => undefined, error: () => undefined, info: () => undefined},
  })
  announcer.wake()
  await until('it is said', async () => (await announcements.byId('a'))?.state === 'over')
  expect(ranks).toEqual([rank])
})

test('what stands where nobody can write is tried again in the end', async () => {
  const {world, open, states} = await openClosed('not_in_channel')
  await using announcer = open({baseMs: 50, maxMs: 60_000})
  announcer.wake()
  await until('both are refused again and again', () => world.calls.length > 4)
  world.isOpen = true
  await until('they are changed', async () => (await states()).join() === 'over,over')
})
