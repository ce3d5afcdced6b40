import {expect, test} from 'vitest'
import type {PlatformClient} from '../../src/platform/client.ts'
import type {Frame} from '../../src/platform/stream/frame.ts'
import {createBookkeeping} from '../../src/relay/card-facts.ts'
import type {LinkKeeper} from '../../src/relay/link-keeper.ts'
import {createNaming} from '../../src/relay/posts/pull-request.ts'
import {createTimeline, fold} from '../../src/relay/timeline/timeline.ts'
import type {Link, LinkChange} from '../../src/store/tables/work/link.ts'
import {FRESH_LINK} from '../support/fresh-link.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {createManualClock} from './manual-clock.ts'

/** The books of a link, as they are kept while its stream says this and that. */
function openBooks(of: Partial<Link> = {}) {
  let link: Link = {...FRESH_LINK, ...of}
  const notes: LinkChange[] = []
  const models: string[] = []
  const note = (values: LinkChange): void => {
    notes.push(values)
    link = {...link, ...values}
  }
  let timeline = createTimeline({...link, drafts: []})
  let reads = 0
  const client = {
    getThread: async () => {
      reads += 1
      return {id: 'thread_1', status: 'idle', title: 'A title', needsYou: of.needsYou === true}
    },
  } as unknown as PlatformClient
  const keeper = {
    ...{link: () => link, note, change: async (values: LinkChange) => note(values)},
    keep: (work: Promise<void>) => void work,
  } as unknown as LinkKeeper
  const clock = createManualClock()
  const bookkeeping = createBookkeeping({
    ...{keeper, clock, log: SILENT_LOG, signal: new AbortController().signal},
    ...{clientOf: () => client, isMisplaced: async () => false},
    ...{onUsage: () => undefined, onRead: () => undefined},
    calling: {look: () => undefined, hear: () => undefined},
    naming: createNaming(keeper),
    timeline: () => timeline,
    onModel: (_link, modelId) => void models.push(modelId),
  })
  const hear = (frame: Frame): void => {
    const before = timeline.status
    timeline = fold(timeline, frame, {nowMs: clock.dateMs(), isOurs: false})
    bookkeeping.heard(frame, 'thread_1', before)
  }
  return {...{notes, models, note, hear, clock, bookkeeping}, reads: () => reads, link: () => link}
}

const status = (word: string): Frame => ({type: 'status', status: word})
const said = (source: string, text: string): Frame => ({
  ...{type: 'transcript', cursor: 'c1'},
  entry: {
    ...{id: 'e1', source, text, callId: undefined, tool: undefined, model: 'large'},
    ...{authorName: undefined, attachments: undefined},
  },
})

test('a stop is over with the next run, also where nobody heard that begin', () => {
  const stopped = {status: 'idle', stoppedBy: 'U1'}
  const live = openBooks(stopped)
  live.hear({type: 'run', phase: 'start'})
  expect(live.link().stoppedBy).toBeUndefined()
  const late = openBooks(stopped)
  late.hear(status('idle'))
  expect(late.link().stoppedBy).toBe('U1')
  late.hear(status('active'))
  expect(late.link().stoppedBy).toBeUndefined()
  // What is being stopped works for as long as that takes, and so does what was stopped before it was heard of.
  for (const known of ['active', undefined]) {
    const stopping = openBooks({...stopped, status: known})
    stopping.hear(status('active'))
    expect(stopping.link().stoppedBy).toBe('U1')
  }
})

test('a status that our table does not have is written there, and no other one', () => {
  const {notes, hear, note, link} = openBooks()
  hear(status('active'))
  expect(link().status).toBe('active')
  const count = notes.length
  hear(status('active'))
  expect(notes).toHaveLength(count)
  // Somebody else has written something older.
  note({status: 'idle'})
  hear(status('active'))
  expect(link().status).toBe('active')
})

test('what the agent names, and with which model it speaks, is noted of its own words alone', () => {
  const address = 'https://github.com/acme/web/pull/7'
  const {hear, link, models} = openBooks({cursor: 'c0'})
  hear(said('user', `Look at ${address}`))
  hear({...said('tool', address), type: 'transcript'} as Frame)
  expect([link().pullRequest, models]).toEqual([undefined, []])
  const reply = openBooks({cursor: 'c0'})
  reply.hear(said('assistant', `I opened ${address}`))
  expect(reply.link().pullRequest).toBe(address)
  expect(reply.models).toEqual(['large'])
})

test('the thread is read when it comes to rest, and when its run ends', async () => {
  const {hear, reads} = openBooks()
  hear(status('active'))
  await new Promise(setImmediate)
  const before = reads()
  hear(status('working'))
  hear({type: 'run', phase: 'start'})
  await new Promise(setImmediate)
  expect(reads()).toBe(before)
  hear({type: 'run', phase: 'end'})
  await new Promise(setImmediate)
  expect(reads()).toBe(before + 1)
  hear(status('idle'))
  await new Promise(setImmediate)
  expect(reads()).toBe(before + 2)
})

test('the thread is read on each connection as long as it needs somebody beside what it waits for', async () => {
  const {hear, reads} = openBooks({status: 'waiting', needsYou: true})
  hear(status('waiting'))
  await new Promise(setImmediate)
  const before = reads()
  hear({type: 'broken'})
  hear(status('waiting'))
  await new Promise(setImmediate)
  expect(reads() - before).toBe(1)
})

test('a platform that was silent for five minutes is told of until it says something', () => {
  const {hear, clock, bookkeeping, link} = openBooks()
  const sinceMs = clock.dateMs()
  clock.advance(299_999)
  bookkeeping.silent(sinceMs)
  expect(link().notice).toBeUndefined()
  clock.advance(1)
  bookkeeping.silent(sinceMs)
  expect(link().notice).toEqual({code: 'unreachable'})
  hear({type: 'broken'})
  expect(link().notice).toEqual({code: 'unreachable'})
  // A connection opens with it, also one that fails behind it again and again.
  hear(status('active'))
  expect(link().notice).toEqual({code: 'unreachable'})
  hear({type: 'heartbeat'})
  expect(link().notice).toBeUndefined()
})

test.for<[string, Partial<Link>]>([
  ['work that has ended', {state: 'ended', notice: {code: 'gone'}}],
  ['work that cannot be shown where it is', {notice: {code: 'no-place'}}],
])('what is told of %s stays, whatever is heard', ([, of]) => {
  const {hear, link} = openBooks(of)
  hear({type: 'heartbeat'})
  expect(link().notice).toEqual(of.notice)
})
