import {expect, test} from 'vitest'
import type {PlatformClient} from '../../src/platform/client.ts'
import {
  PlatformRateLimited,
  PlatformRefused,
  PlatformUnreachable,
} from '../../src/platform/errors.ts'
import type {Thread} from '../../src/platform/model.ts'
import type {Link} from '../../src/store/tables/work/link.ts'
import {createThreadReading} from '../../src/relay/thread-reading.ts'
import {createTimeline} from '../../src/relay/timeline/timeline.ts'
import {FRESH_LINK} from '../support/fresh-link.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {createManualClock} from './manual-clock.ts'

const BOOKS = {
  changeIfKnown: async () => undefined,
  reload: async () => true,
  note: () => undefined,
  keep: () => undefined,
  closed: async () => undefined,
}

const timelineOf = (status: string) => () => createTimeline({...FRESH_LINK, status, drafts: []})

test.for([
  ['active', 'idle', false],
  ['waiting', 'idle', true],
  ['idle', 'idle', true],
  ['active', 'active', true],
] as const)(
  'to work that is %s, a reading of %s work that needs somebody says so: %s',
  async ([now, status, needsYou]) => {
    // The stream says it before the table does.
    let link: Link = {...FRESH_LINK, status: 'idle'}
    const thread = {id: 't1', status, needsYou: true}
    const reading = createThreadReading({
      keeper: {...BOOKS, link: () => link, change: async (to) => void (link = {...link, ...to})},
      timeline: timelineOf(now),
      clientOf: () => ({getThread: async () => thread}) as unknown as PlatformClient,
      isMisplaced: async () => false,
      onUsage: () => undefined,
      ...{clock: createManualClock(), log: SILENT_LOG, signal: new AbortController().signal},
      onRead: () => undefined,
    })
    await reading.read('t1')
    expect(link.needsYou).toBe(needsYou)
  },
)

test('whoever asks while a reading fails has the thread read once more', async () => {
  const answers = [Promise.withResolvers<Thread>(), Promise.withResolvers<Thread>()] as const
  let asked = 0
  let link: Link = {...FRESH_LINK, threadId: 't1'}
  const client = {getThread: () => answers[asked++]?.promise} as unknown as PlatformClient
  let read = 0
  const reading = createThreadReading({
    keeper: {
      ...BOOKS,
      link: () => link,
      change: async (values) => void (link = {...link, ...values}),
    },
    timeline: timelineOf('idle'),
    clientOf: () => client,
    isMisplaced: async () => false,
    onUsage: () => undefined,
    ...{clock: createManualClock(), log: SILENT_LOG, signal: new AbortController().signal},
    onRead: () => (read += 1),
  })
  const first = reading.read('t1')
  const second = reading.read('t1')
  answers[0].reject(new PlatformRefused('not now'))
  answers[1].resolve({id: 't1', title: 'The cart'} as Thread)
  await Promise.all([first, second])
  expect(link.title).toBe('The cart')
  expect([asked, read]).toEqual([2, 1])
})

test.for([
  ['is away', new PlatformUnreachable('it is away', false), 4000],
  ['asks to wait', new PlatformRateLimited('slow', 60_000), 64_000],
] as const)(
  'a platform that %s is asked again, and that somebody is needed is heard in the end',
  async ([, trouble, withinMs]) => {
    let link: Link = {...FRESH_LINK, status: 'idle'}
    const answers = [Promise.reject(trouble), Promise.resolve({status: 'idle', needsYou: true})]
    const clock = createManualClock()
    const seen: boolean[] = []
    const reading = createThreadReading({
      keeper: {...BOOKS, link: () => link, change: async (to) => void (link = {...link, ...to})},
      timeline: timelineOf('idle'),
      clientOf: () => ({getThread: () => answers.shift()}) as unknown as PlatformClient,
      isMisplaced: async () => false,
      onUsage: () => undefined,
      ...{clock, log: SILENT_LOG, signal: new AbortController().signal},
      onRead: () => seen.push(link.needsYou),
    })
    const read = reading.read('t1')
    await new Promise(setImmediate)
    // What can be told without it is told at once.
    expect(seen).toEqual([false])
    clock.advance(withinMs)
    await read
    expect(seen).toEqual([false, true])
  },
)

test('of a task the title and the cost are read, and one that is not told changes nothing', async () => {
  let link: Link = {...FRESH_LINK, taskId: 'task', title: 'What was asked'}
  let task: object = {id: 'task', status: 'working'}
  const reading = createThreadReading({
    keeper: {...BOOKS, link: () => link, change: async (to) => void (link = {...link, ...to})},
    timeline: timelineOf('idle'),
    clientOf: () =>
      ({
        getTask: async () => task,
        getThread: async () => ({id: 't1'}),
      }) as unknown as PlatformClient,
    isMisplaced: async () => false,
    onUsage: () => undefined,
    ...{clock: createManualClock(), log: SILENT_LOG, signal: new AbortController().signal},
    onRead: () => undefined,
  })
  await reading.read('t1')
  expect([link.title, link.credits, reading.isNamed()]).toEqual([
    ...['What was asked', undefined, false],
  ])
  task = {id: 'task', status: 'done', title: 'The cart', usage: {totalCredits: 12}}
  await reading.read('t1')
  expect([link.title, link.credits, reading.isNamed()]).toEqual(['The cart', 12, true])
})

test('a task is shown no more where its agent must not be, whatever it is called by then', async () => {
  const requestId = 'follow:T1:C1:1.1'
  let link: Link = {...FRESH_LINK, requestId, threadId: 'agent', taskId: 'task', title: 'Before'}
  const client = {
    getTask: async () => ({id: 'task', status: 'working', title: 'A secret'}),
    getThread: async (id: string) => ({id, personal: true}),
  }
  const reading = createThreadReading({
    keeper: {...BOOKS, link: () => link, change: async (to) => void (link = {...link, ...to})},
    timeline: timelineOf('idle'),
    clientOf: () => client as unknown as PlatformClient,
    isMisplaced: async (_link, {id, personal}) => id === 'agent' && personal === true,
    onUsage: () => undefined,
    ...{clock: createManualClock(), log: SILENT_LOG, signal: new AbortController().signal},
    onRead: () => undefined,
  })
  await reading.read('agent')
  expect(link).toMatchObject({state: 'ended', notice: {code: 'misplaced'}, title: 'Before'})
})
