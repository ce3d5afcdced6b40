import {WebClient} from '@slack/web-api'
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
  const open = () =>
    createAnnouncer({
      ...{announcements, team: 'T1', botUserId: 'U0', clock: systemClock},
      client: new WebClient('xoxb-test', {fetch: answer}),
      pacer: createPacer({budgets: {}, clock: systemClock}),
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
