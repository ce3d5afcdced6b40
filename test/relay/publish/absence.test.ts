import {setImmediate as turn} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {createBacklog} from '../../../src/relay/pace/backlog.ts'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import type {PostWriter} from '../../../src/relay/ports.ts'
import type {WantedPost} from '../../../src/relay/post.ts'
import {createObstacles} from '../../../src/relay/publish/obstacles.ts'
import {createPublisher} from '../../../src/relay/publish/publisher.ts'
import {createWritingModes} from '../../../src/relay/publish/writing-modes.ts'
import type {PostStore} from '../../../src/store/tables/work/posts.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {createManualClock} from '../manual-clock.ts'
import {createInMemorySlack} from '../slack-in-memory.ts'

const place = {team: 'T', channel: 'C', slackThread: '1.0'}

/** A last word, and the first words of a reply: the one is posted, the other begins as a stream. */
const POSTS: Readonly<Record<'create' | 'open', WantedPost>> = {
  create: {
    ...{key: 'say:A:0', delivery: 'A', isFinal: true, rank: 'final', draft: undefined},
    ...{isCreated: true, isOrdered: true, content: {kind: 'say', markdown: 'All of it.'}},
  },
  open: {
    ...{key: 'say:A:0', delivery: 'A', isFinal: false, rank: 'preview', draft: 'The first'},
    ...{isCreated: true, isOrdered: true, content: {kind: 'say', markdown: 'The first'}},
  },
}

/** Which calls went out for one post, each with its time in ms from the first one, and what stands in the end. */
async function published(move: 'create' | 'open', faults: readonly string[]) {
  const nothing = async (): Promise<void> => undefined
  const posts = {
    ...{intend: nothing, confirm: nothing, forget: nothing, ofDelivery: async () => []},
    ...{endStream: nothing, knownTs: async () => new Set<string>()},
  } as unknown as PostStore
  const clock = createManualClock()
  const slack = createInMemorySlack(clock, faults)
  const beganMs = clock.nowMs()
  const calls: string[] = []
  const note = (what: string): void => void calls.push(`${what} ${clock.nowMs() - beganMs}`)
  const writer: PostWriter = {
    ...slack.writer,
    create: (post) => (note('create'), slack.writer.create(post)),
    open: (post) => (note('open'), slack.writer.open(post)),
    find: (post) => (note('find'), slack.writer.find(post)),
  }
  const pacer = createPacer({budgets: {}, clock})
  const stop = new AbortController()
  const wanted = [POSTS[move]]
  const publisher = createPublisher({
    ...{linkId: 'link', place, reader: 'U1', face: () => undefined, posts, writer, pacer, clock},
    ...{wanted: () => wanted, standing: [], floor: () => '', onDelivered: () => undefined},
    onIdle: () => stop.abort(),
    hasStatusLine: () => false,
    backlog: createBacklog(clock),
    modes: createWritingModes({choice: move === 'open' ? 'stream' : 'edit', clock}),
    obstacles: createObstacles({pacer, clock}),
    onClosed: () => undefined,
    log: SILENT_LOG,
  })
  const work = publisher.run(stop.signal)
  // A turn of the loop settles whatever waits for no clock.
  for (let turns = 0; turns < 500 && !stop.signal.aborted; turns += 1) {
    await turn()
    clock.advance(100)
  }
  stop.abort()
  await work
  return {calls, standing: slack.messages.length}
}

for (const move of ['create', 'open'] as const) {
  const of = (...times: string[]): string[] => times.map((it) => it.replace('post', move))

  test.for([
    ['Slack says that it failed', ['failed'], ['post 0', 'find 1000', 'find 5000', 'post 5000']],
    [
      'Slack says so twice',
      ['failed', 'ok', 'ok', 'failed'],
      ['post 0', 'find 1000', 'find 5000', 'post 5000', 'find 6000', 'find 10000', 'post 10000'],
    ],
    [
      'it is made shortly before the second look',
      ['failed-late'],
      ['post 0', 'find 1000', 'find 5000'],
    ],
    ['nobody answers', ['unsent'], ['post 0', 'find 0', 'find 15000', 'post 15000']],
    ['it is made long after nobody answered', ['late'], ['post 0', 'find 0', 'find 15000']],
    [
      'Slack says that it failed, and then nobody answers',
      ['failed', 'ok', 'ok', 'unsent'],
      ['post 0', 'find 1000', 'find 5000', 'post 5000', 'find 5000', 'find 20000', 'post 20000'],
    ],
  ] as const)(`a message (${move}) stands once where %s`, async ([, faults, calls]) => {
    expect(await published(move, faults)).toEqual({calls: of(...calls), standing: 1})
  })
}
