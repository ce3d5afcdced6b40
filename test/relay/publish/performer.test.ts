import {expect, test} from 'vitest'
import type {SayPost, WantedPost} from '../../../src/relay/post.ts'
import {createKnownPosts} from '../../../src/relay/publish/known-posts.ts'
import {createPerformer} from '../../../src/relay/publish/performer.ts'
import type {PostRow, PostStore} from '../../../src/store/tables/work/posts.ts'
import {createManualClock} from '../manual-clock.ts'
import {createInMemorySlack} from '../slack-in-memory.ts'

const place = {team: 'T', channel: 'C', slackThread: '1.0'}

function openPerformer(intent: Partial<PostRow>, lookMs: number) {
  const clock = createManualClock()
  const posts = {
    knownTs: async () => new Set<string>(),
    confirm: async () => undefined,
    forget: async () => undefined,
  } as unknown as PostStore
  const row: PostRow = {
    ...{key: 'say:A:0', delivery: 'A', state: 'intended', ts: undefined, hash: undefined},
    ...{final: false, draft: undefined, file: undefined, streaming: false},
    ...intent,
  }
  const known = createKnownPosts({linkId: 'link', standing: [row], posts, clock})
  const {writer} = createInMemorySlack(clock, [])
  let looks = 0
  const find = async (): Promise<undefined> => {
    looks += 1
    clock.advance(lookMs)
  }
  const perform = createPerformer({
    ...{linkId: 'link', place, reader: 'U1', face: () => undefined, known, posts, clock},
    writer: {...writer, find},
  })
  const look = () =>
    perform({move: 'find', key: row.key, rank: 'final', sinceMs: 0, notBeforeMs: 0})
  return {clock, known, look, looks: () => looks}
}

test('calls that are over leave the memory, and nothing else that stands does', async () => {
  const standing = [
    ...[{key: 'card'}, {key: 'plan'}, {key: 'ping:1'}, {key: 'ping:1:1'}, {key: 'ping:2'}],
    {key: 'ping:3', final: false},
  ].map((row): PostRow => ({
    ...{delivery: undefined, state: 'placed', ts: '1.0', hash: undefined, final: true},
    ...{draft: undefined, file: undefined, streaming: false},
    ...row,
  }))
  const posts = {} as unknown as PostStore
  const known = createKnownPosts({linkId: 'l', standing, posts, clock: createManualClock()})
  known.releaseNotifications([{key: 'ping:2'} as WantedPost])
  expect([...known.all.keys()]).toEqual(['card', 'plan', 'ping:2', 'ping:3'])
})

test('one look that takes long is not two', async () => {
  const {clock, known, look} = openPerformer({}, 20_000)
  await look()
  expect(known.all.size).toBe(1)
  clock.advance(15_000)
  await look()
  expect(known.all.size).toBe(0)
})

test('what is being removed is not taken for what is looked for', async () => {
  const posts = {
    intend: async () => undefined,
    confirm: async () => undefined,
    knownTs: async () => new Set<string>(),
  } as unknown as PostStore
  const clock = createManualClock()
  const {writer} = createInMemorySlack(clock, ['ok', 'ended', 'ok', 'unsent', 'lost'])
  const known = createKnownPosts({linkId: 'link', standing: [], posts, clock})
  const perform = createPerformer({
    ...{linkId: 'link', place, reader: 'U1', face: () => undefined, known, posts, writer, clock},
  })
  const when = {rank: 'final', sinceMs: 0, notBeforeMs: 0} as const
  const post = (key: string): SayPost => ({
    ...{key, delivery: key, draft: 'text', rank: 'preview'},
    ...{isFinal: false, isCreated: true, isOrdered: true},
    content: {kind: 'say', markdown: 'text'},
  })
  await perform({move: 'open', post: post('A'), ...when})
  const ts = known.all.get('A')?.ts ?? ''
  const close = perform({move: 'close', key: 'A', ts, stretch: undefined, ...when})
  await expect(close).rejects.toThrow('message_not_in_streaming_state')
  const removal = () => perform({move: 'remove', key: 'A', ts, ...when})
  await expect(removal()).rejects.toThrow('cant_delete_message')
  await expect(removal()).rejects.toThrow('no answer')
  await expect(perform({move: 'open', post: post('B'), ...when})).rejects.toThrow('no answer')
  await perform({move: 'find', key: 'B', ...when})
  expect(known.all.get('B')?.ts).toBeDefined()
  expect(known.all.get('B')?.ts).not.toBe(ts)
})

test('the message of a file is looked for for two minutes, ever more rarely: Slack makes it when it likes', async () => {
  const {clock, known, look, looks} = openPerformer({file: 'F1'}, 0)
  const beganMs = clock.nowMs()
  while (known.all.size > 0 && looks() < 1000) {
    await look()
    for (const {notBeforeMs} of known.all.values()) clock.advance(notBeforeMs - clock.nowMs())
  }
  expect(clock.nowMs() - beganMs).toBeGreaterThanOrEqual(120_000)
  expect(clock.nowMs() - beganMs).toBeLessThan(140_000)
  expect(looks()).toBeGreaterThan(5)
  expect(looks()).toBeLessThan(20)
})

test('a file that Slack said it did not share is shared again after two looks', async () => {
  const {clock, known, look} = openPerformer({file: 'F1'}, 0)
  known.note('say:A:0', {isAnswered: true})
  await look()
  expect(known.all.size).toBe(1)
  clock.advance(4000)
  await look()
  expect(known.all.size).toBe(0)
})

test('posts that could not be read are read when they are asked for again', async () => {
  const rows = [{key: 'say:A:0', delivery: 'A', state: 'placed', ts: '1.1', final: true}]
  let isBroken = true
  const posts = {
    ofDelivery: async () => {
      if (isBroken) throw new Error('the disk failed')
      return rows
    },
  } as unknown as PostStore
  const known = createKnownPosts({linkId: 'link', standing: [], posts, clock: createManualClock()})
  await expect(known.load('A')).rejects.toThrow('the disk failed')
  isBroken = false
  await known.load('A')
  expect([...known.all.keys()]).toEqual(['say:A:0'])
})

const PREVIEW: SayPost = {
  ...{key: 'say:A:0', delivery: 'A', draft: 'text', rank: 'preview'},
  ...{isFinal: false, isCreated: true, isOrdered: true},
  content: {kind: 'say', markdown: 'text'},
}

test('a stream is as old as its beginning, however often something is appended', async () => {
  const posts = {intend: async () => undefined, confirm: async () => undefined}
  const clock = createManualClock()
  const known = createKnownPosts({
    ...{linkId: 'link', standing: [], posts: posts as unknown as PostStore, clock},
  })
  await known.intend(PREVIEW, {streaming: true})
  const openedAtMs = clock.nowMs()
  const said = {sent: 'text', isAll: true}
  await known.confirmStreamed(PREVIEW, '1.1', said)
  for (const _ of [1, 2]) {
    clock.advance(100_000)
    await known.confirmStreamed(PREVIEW, '1.1', said)
  }
  expect(known.all.get(PREVIEW.key)).toMatchObject({openedAtMs, shownAtMs: clock.nowMs()})
})

test('a stream whose beginning had no answer is a stream once it is found, and may change at once', async () => {
  const {known, clock} = openPerformer({streaming: true, draft: 'text'}, 0)
  clock.advance(1000)
  known.note('say:A:0', {notBeforeMs: clock.nowMs() + 15_000})
  await known.adopt('say:A:0', '1.1')
  expect(known.all.get('say:A:0')).toMatchObject({
    ...{state: 'placed', ts: '1.1', streaming: true, final: false},
    ...{openedAtMs: clock.nowMs(), notBeforeMs: 0},
  })
})

test('what Slack has taken at last may change at once, and an edit that may come late is not forgotten', async () => {
  const {known, clock} = openPerformer({state: 'placed', ts: '1.1', draft: 'text'}, 0)
  const soonMs = clock.nowMs() + 5000
  known.note(PREVIEW.key, {notBeforeMs: soonMs, doubtfulUntilMs: soonMs})
  await known.confirm(PREVIEW, '1.1')
  expect(known.all.get(PREVIEW.key)).toMatchObject({
    ...{notBeforeMs: 0, doubtfulUntilMs: soonMs, shownAtMs: clock.nowMs()},
  })
  clock.advance(5000)
  await known.confirm(PREVIEW, '1.1')
  expect(known.all.get(PREVIEW.key)?.doubtfulUntilMs).toBe(0)
})

test('what is noted of a post that is not known makes none', () => {
  const {known} = openPerformer({}, 0)
  known.note('say:B:0', {isStuck: true})
  expect([...known.all.keys()]).toEqual(['say:A:0'])
})

test('what is appended to a stream stands there, and is known to', async () => {
  const posts = {intend: async () => undefined, confirm: async () => undefined}
  const clock = createManualClock()
  const {writer, messages} = createInMemorySlack(clock, [])
  const store = posts as unknown as PostStore
  const known = createKnownPosts({linkId: 'link', standing: [], posts: store, clock})
  const perform = createPerformer({
    ...{linkId: 'link', place, reader: 'U1', face: () => undefined, known, writer, clock},
    posts: store,
  })
  const when = {rank: 'preview', sinceMs: 0, notBeforeMs: 0} as const
  await perform({move: 'open', post: PREVIEW, ...when})
  const post: SayPost = {...PREVIEW, content: {kind: 'say', markdown: 'text and more'}}
  const stretch = {sent: 'text', content: post.content, until: 'word'} as const
  await perform({move: 'append', post, ts: messages[0]?.ts ?? '', stretch, ...when})
  expect(messages.map(({content}) => content)).toEqual([post.content])
  expect(known.all.get(post.key)?.streamed).toEqual({
    ...{markdown: 'text and more', sent: 'text and more', isAll: true},
  })
})
