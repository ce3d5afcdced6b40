import {expect, test} from 'vitest'
import type {PlatformClient} from '../../../src/platform/client.ts'
import {PlatformUnreachable} from '../../../src/platform/errors.ts'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import type {LinkKeeper} from '../../../src/relay/link-keeper.ts'
import {createSight} from '../../../src/relay/streams/sight.ts'
import type {Link, LinkChange} from '../../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {createManualClock} from '../manual-clock.ts'

const said: Frame = {type: 'assistant', callId: 'c1', text: 'Hm'}
const asked = {type: 'transcript', cursor: 'e1', entry: {id: 'e1', source: 'user'}} as Frame

/** `answer`: of the platform, when the thread is read. */
function openSight(of: Partial<Link>, answer: () => Promise<object>) {
  let link: Link = {...FRESH_LINK, ...of}
  let reads = 0
  const client = {
    getThread: () => {
      reads += 1
      return answer()
    },
  } as unknown as PlatformClient
  const clock = createManualClock()
  const sight = createSight({
    keeper: {
      link: () => link,
      change: async (values: LinkChange) => void (link = {...link, ...values}),
      keep: (work: Promise<void>) => void work.catch(() => undefined),
    } as unknown as LinkKeeper,
    ...{clientOf: () => client, clock, log: SILENT_LOG, signal: new AbortController().signal},
    isMisplaced: async (_link, {personal}) => personal === true,
    onEnded: () => undefined,
  })
  return {hear: (frame: Frame) => sight(frame, 't1'), link: () => link, reads: () => reads, clock}
}
const followed = {requestId: 'follow:T1:C1:1.1'}

test('what is followed is read before the first words of each run and of each connection, and not between them', async () => {
  const {hear, link, reads, clock} = openSight(followed, async () => ({id: 't1'}))
  await hear(said)
  expect([hear(said), hear({type: 'heartbeat'}), reads()]).toEqual([undefined, undefined, 1])
  for (const turn of [
    {type: 'connected'},
    {type: 'run', phase: 'start'},
    {type: 'status', status: 'idle'},
  ] as const) {
    expect(hear(turn)).toBe(undefined)
    const before = reads()
    await hear(said)
    expect([hear(said), reads()]).toEqual([undefined, before + 1])
  }
  expect(hear(asked)).toBe(undefined)
  clock.advance(1001)
  await hear(asked)
  expect([hear(asked), reads(), link().state]).toEqual([undefined, 5, 'open'])
})

test('it ends where it must not be shown any more; what was begun here is not asked about', async () => {
  const personal = async () => ({id: 't1', personal: true})
  const misplaced = openSight(followed, personal)
  await misplaced.hear(said)
  expect(misplaced.link()).toMatchObject({state: 'ended', notice: {code: 'misplaced'}})
  const own = openSight({requestId: 'slack:T1:C1:1.1'}, personal)
  expect([own.hear(said), own.reads()]).toEqual([undefined, 0])
})

test('where the platform does not tell it, or not in time, the words are shown', async () => {
  const away = openSight(followed, () => Promise.reject(new PlatformUnreachable('away', false)))
  await away.hear(said)
  const silent = openSight(followed, () => new Promise(() => undefined))
  const heard = silent.hear(said)
  silent.clock.advance(5000)
  await heard
  expect([away.link().state, silent.link().state]).toEqual(['open', 'open'])
})
