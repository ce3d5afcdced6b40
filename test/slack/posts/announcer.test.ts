import {WebClient} from '@slack/web-api'
import {expect, test} from 'vitest'
import {systemClock} from '../../../src/async/clock.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {createObstacles} from '../../../src/relay/publish/obstacles.ts'
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
      obstacles: createObstacles({pacer, clock: systemClock}),
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

test.for([
  ['not_in_channel', 'not_in_channel'],
  // Of a channel that is archived Slack says the same as of one message.
  ['is_inactive', 'is_archived'],
] as const)(
  'what a channel was told is changed once we can write there again (%s)',
  async ([said, code]) => {
    const {announcements} = await temporaryStore()
    const head = {id: 'h', team: 'T1', channel: 'C1', threadId: 't', connectionId: undefined}
    await announcements.open({...head, words: {title: 'It'}}, Date.now())
    await announcements.move('h', 'placed', '1.0')
    let isOpen = false
    const changes: string[] = []
    const fetch = async (url: unknown): Promise<Response> => {
      const method = String(url).split('/').at(-1) ?? ''
      if (method !== 'conversations.info') changes.push(method)
      const isInfo = method === 'conversations.info'
      const channel = {is_archived: !isOpen}
      const answer = isOpen || isInfo ? {ok: true, channel} : {ok: false, error: said}
      return Promise.resolve(new Response(JSON.stringify(answer)))
    }
    const pacer = createPacer({budgets: {}, clock: systemClock})
    const obstacles = createObstacles({pacer, clock: systemClock})
    await using announcer = createAnnouncer({
      ...{announcements, obstacles, pacer, team: 'T1', botUserId: 'U0', clock: systemClock},
      client: new WebClient('xoxb-test', {fetch}),
      draw: async () => ({text: 'Over', blocks: []}),
      onLost: async () => undefined,
      onDigestRefused: async () => undefined,
      log: {warn: () => undefined, error: () => undefined, info: () => undefined},
    })
    const due = async () => (await announcements.due('T1', Date.now())).length
    await announcements.end('h', 'over')
    announcer.wake()
    await until('it is refused', () => obstacles.at({team: 'T1', channel: 'C1'})?.code === code)
    // It is in nobody's way meanwhile.
    await until('it is due no more', async () => (await due()) === 0)
    isOpen = true
    const tries = changes.length
    obstacles.retry({team: 'T1', channel: 'C1'}, [code])
    await until('it is changed', () => changes.length === tries + 1)
    await until('it is noted', async () => (await due()) === 0)
    expect(obstacles.all()).toEqual([])
  },
)
