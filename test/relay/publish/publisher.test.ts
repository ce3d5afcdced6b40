import {expect, onTestFinished, test, vi} from 'vitest'
import {createBacklog} from '../../../src/relay/pace/backlog.ts'
import {type Pacer, createPacer} from '../../../src/relay/pace/pacer.ts'
import type {PostWriter} from '../../../src/relay/ports.ts'
import type {PostContent, WantedPost} from '../../../src/relay/post.ts'
import {createObstacles} from '../../../src/relay/publish/obstacles.ts'
import {createPublisher} from '../../../src/relay/publish/publisher.ts'
import {createWritingModes} from '../../../src/relay/publish/writing-modes.ts'
import type {PostRow, PostStore} from '../../../src/store/tables/work/posts.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {createManualClock} from '../manual-clock.ts'
import {createInMemorySlack} from '../slack-in-memory.ts'

const place = {team: 'T', channel: 'C', slackThread: '1.0'}

const question: WantedPost = {
  ...{key: 'unsure:s', delivery: undefined, isFinal: false, rank: 'final', draft: undefined},
  ...{isCreated: true, isOrdered: false},
  content: {kind: 'unsure', sendId: 's', sender: 'U1', text: 'hello'},
}
const part = (delivery: string, number: number, more: Partial<WantedPost> = {}): WantedPost => ({
  ...{key: `say:${delivery}:${number}`, delivery, isFinal: true, rank: 'final', draft: undefined},
  ...{isCreated: true, isOrdered: true},
  content: {kind: 'say', markdown: `Part ${number} of ${delivery}.`},
  ...more,
})

/** A publisher at work, and what it tells. */
function openPublisher(posts: Partial<PostStore> = {}, standing: readonly PostRow[] = []) {
  // Our own failures are waited out by the real clock.
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  const nothing = async (): Promise<void> => undefined
  const store = {
    ...{intend: nothing, confirm: nothing, forget: nothing, ofDelivery: async () => []},
    ...{endStream: nothing, knownTs: async () => new Set<string>(), ...posts},
  } as unknown as PostStore
  const clock = createManualClock()
  const slack = createInMemorySlack(clock, [])
  const {messages} = slack
  const calls: string[] = []
  const writer: PostWriter = {
    ...slack.writer,
    edit: (post) => (calls.push('edit'), slack.writer.edit(post)),
    close: (post) => (calls.push('close'), slack.writer.close(post)),
  }
  const real = createPacer({budgets: {}, clock})
  const took: string[] = []
  const pacer: Pacer = {
    ...real,
    took: (ask, ms) => {
      took.push(ask.method)
      real.took(ask, ms)
    },
  }
  const backlog = createBacklog(clock)
  const seen: number[] = []
  const delivered = new Map<string, string | undefined>()
  let wanted: readonly WantedPost[] = []
  let idles = 0
  const publisher = createPublisher({
    ...{linkId: 'link', place, reader: 'U1', face: () => undefined, posts: store, writer, pacer},
    ...{wanted: () => wanted, standing, floor: () => '', hasStatusLine: () => false, clock},
    onDelivered: (deliveries) => {
      for (const [delivery, ts] of deliveries) delivered.set(delivery, ts)
      wanted = wanted.filter((post) => !deliveries.has(post.delivery ?? ''))
    },
    onIdle: () => (idles += 1),
    onSeen: (waitedMs) => {
      seen.push(waitedMs)
      calls.push('seen')
    },
    backlog,
    modes: createWritingModes({choice: 'edit', clock}),
    obstacles: createObstacles({pacer, clock}),
    onClosed: () => undefined,
    log: SILENT_LOG,
  })
  const stop = new AbortController()
  const work = publisher.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await work
  })
  /** Until nothing is left to do. */
  const show = async (...posts: WantedPost[]): Promise<void> => {
    wanted = posts
    idles = 0
    publisher.poke('any')
    for (let turns = 0; turns < 1000 && idles === 0; turns += 1) {
      await new Promise(setImmediate)
      clock.advance(100)
    }
    expect(idles).toBeGreaterThan(0)
  }
  return {clock, backlog, messages, calls, seen, took, delivered, show}
}

test('text is seen when its reply shows it, and not when something else is said', async () => {
  const {backlog, clock, seen, show} = openPublisher()
  await show()
  backlog.grow(10)
  clock.advance(700)
  await show(question)
  expect(seen).toEqual([])
  backlog.grow(10)
  const sinceMs = clock.nowMs()
  await show(question, part('A', 0))
  expect(seen).toHaveLength(1)
  expect(seen[0]).toBeLessThanOrEqual(clock.nowMs() - sinceMs)
})

test('a reply that stands is told with the newest of its messages', async () => {
  const {delivered, messages, show} = openPublisher()
  await show(part('A', 0), part('A', 1))
  expect(messages).toHaveLength(2)
  expect([...delivered]).toEqual([['A', messages[1]?.ts]])
})

test('of a reply that broke off no message is told: its entry may come, and moves it', async () => {
  const content = {kind: 'say', markdown: 'Half of', interrupted: true} as const
  const {delivered, messages, show} = openPublisher()
  await show(part('A', 0, {content, draft: 'Half of'}))
  expect(messages).toHaveLength(1)
  expect([...delivered]).toEqual([['A', undefined]])
})

test('a message that our own table could not confirm is looked for, and not made again', async () => {
  let failing = 1
  const {messages, show} = openPublisher({
    confirm: async () => {
      failing -= 1
      if (failing >= 0) throw new Error('the disk is full')
    },
  })
  await show(question)
  expect(messages).toHaveLength(1)
})

test('the end of a stream shows no text that waits: the edit behind it does', async () => {
  const ts = '1700000000.000100'
  const content = {kind: 'say', markdown: 'The first words'} as const
  const row: PostRow = {
    ...{key: 'say:A:0', delivery: 'A', state: 'placed', ts, hash: undefined, final: false},
    ...{draft: 'The first', file: undefined, streaming: true},
  }
  const {backlog, calls, messages, show} = openPublisher({ofDelivery: async () => [row]}, [row])
  messages.push({ts, key: row.key, content, file: undefined, stream: 'live'})
  await show()
  backlog.grow(6)
  const preview = {content, draft: content.markdown, isFinal: false, rank: 'preview'} as const
  await show(part('A', 0, preview))
  expect(calls).toEqual(['close', 'edit', 'seen'])
})

test('how long a call took is told of those that are one call', async () => {
  const {took, show} = openPublisher()
  await show(question)
  expect(took).toEqual(['chat.postMessage'])
  const content = {...question.content, text: 'hello again'} as PostContent
  await show({...question, content})
  expect(took).toEqual(['chat.postMessage', 'chat.update'])
  const file = {kind: 'file', markdown: 'The rest.'} as const
  await show({...question, content}, part('A', 0, {content: file}))
  expect(took.slice(2)).toEqual([])
})
