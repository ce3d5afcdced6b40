import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import type {FilePost, SayPost, WantedPost} from '../../../src/relay/post.ts'
import {createKnownPosts} from '../../../src/relay/publish/known-posts.ts'
import {createObstacles} from '../../../src/relay/publish/obstacles.ts'
import {createRefusals} from '../../../src/relay/publish/refusals.ts'
import {createWritingModes} from '../../../src/relay/publish/writing-modes.ts'
import type {PostRow, PostStore} from '../../../src/store/tables/work/posts.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {createManualClock} from '../manual-clock.ts'
import {createInMemorySlack} from '../slack-in-memory.ts'
import {SlackError} from '../../../src/once/slack-error.ts'

const place = {team: 'T', channel: 'C', slackThread: '1.0'}
const to = {place, reader: 'U1'}
const when = {rank: 'state', sinceMs: 0, notBeforeMs: 0} as const
const asked = {...place, ...when, method: 'chat.postMessage'}

const card: WantedPost = {
  ...{key: 'card', delivery: undefined, isFinal: false, rank: 'state', draft: undefined},
  ...{isCreated: true, isOrdered: true},
  content: {kind: 'unsure', sendId: 's', sender: 'U1', text: 'hello'},
}

function openRefusals(standing: readonly PostRow[] = [], choice: 'edit' | 'auto' = 'edit') {
  const clock = createManualClock()
  const nothing = async (): Promise<void> => undefined
  const posts = {
    ...{intend: nothing, confirm: nothing, forget: nothing, endStream: nothing, markGone: nothing},
  } as unknown as PostStore
  const known = createKnownPosts({linkId: 'link', standing, posts, clock})
  const pacer = createPacer({budgets: {}, clock})
  const modes = createWritingModes({choice, clock})
  const obstacles = createObstacles({pacer, clock})
  const closed: string[] = []
  const refusals = createRefusals({
    ...{linkId: 'link', ...to, known, pacer, clock, modes, obstacles},
    writer: createInMemorySlack(clock, []).writer,
    onClosed: (code) => void closed.push(code),
    log: SILENT_LOG,
  })
  return {clock, known, modes, obstacles, closed, refusals}
}

test('a card that went out plain without an answer gets its buttons once it is found', async () => {
  const {known, refusals} = openRefusals()
  const create = {move: 'create', post: card, ...when} as const
  await refusals.answer(create, new SlackError('refused', 'invalid_blocks'))
  expect(refusals.lessons().plain.has('card')).toBe(true)

  await known.intend(card)
  await refusals.answer(create, new SlackError('retry', 'no_answer'))
  await known.adopt('card', '1.1')
  refusals.passed({move: 'find', key: 'card', ...when}, asked)
  expect(refusals.lessons().plain.has('card')).toBe(false)
})

test('a reply that is still written is tried again, and no file is made of it', async () => {
  const draft = 'The first words'
  const row: PostRow = {
    ...{key: 'say:A:0', delivery: 'A', state: 'placed', ts: '1.1', hash: undefined},
    ...{final: false, draft, file: undefined, streaming: false},
  }
  const {clock, known, refusals} = openRefusals([row])
  const post: WantedPost = {
    ...{key: row.key, delivery: 'A', isFinal: false, rank: 'preview', draft},
    ...{isCreated: true, isOrdered: true},
    content: {kind: 'say', markdown: draft},
  }
  for (let count = 0; count < 5; count += 1) {
    const edit = {move: 'edit', post, ts: '1.1', ...when} as const
    await refusals.answer(edit, new SlackError('refused', 'an_error_of_tomorrow'))
  }
  expect(refusals.lessons().shapes.get('A')).toBe('small')
  expect(known.all.get(row.key)?.notBeforeMs).toBeGreaterThan(clock.nowMs())
  // Nothing else at this place has to wait for it.
  expect(refusals.pausedUntilMs()).toBe(0)
})

test('a reply of which Slack itself says each time that it failed is shown without formatting, and no plainer', async () => {
  const {clock, refusals} = openRefusals()
  const post: WantedPost = {
    ...{key: 'say:A:0', delivery: 'A', isFinal: true, rank: 'final', draft: undefined},
    ...{isCreated: true, isOrdered: true},
    content: {kind: 'say', markdown: 'all'},
  }
  const create = {move: 'create', post, ...when} as const
  const fail = async (afterMs: number) => {
    clock.advance(afterMs)
    await refusals.answer(create, new SlackError('retry', 'internal_error', {isAnswered: true}))
    return [refusals.lessons().plain.has(post.key), refusals.lessons().shapes.get('A')]
  }
  expect(await fail(0)).toEqual([false, undefined])
  expect(await fail(299_000)).toEqual([false, undefined])
  expect(await fail(1000)).toEqual([true, undefined])
  expect(await fail(900_000)).toEqual([true, undefined])
})

test('a reply is as it was where what Slack said was no answer, or says nothing of it', async () => {
  const {clock, refusals} = openRefusals()
  const create = {move: 'create', post: card, ...when} as const
  const fail = async (code: string, isAnswered: boolean) => {
    clock.advance(200_000)
    await refusals.answer(create, new SlackError('retry', code, {isAnswered}))
  }
  await fail('internal_error', true)
  await fail('no_answer', false)
  await fail('internal_error', true)
  await fail('internal_error', true)
  refusals.passed(create, asked)
  await fail('internal_error', true)
  for (const code of ['service_unavailable', 'internal_error']) await fail(code, true)
  expect(refusals.lessons().plain.has('card')).toBe(false)
})

test.for([
  ['closed', 'restricted_action_thread_locked'],
  ['gone', 'thread_not_found'],
] as const)('that nobody can write in this Slack thread (%s, %s) is told', async ([kind, code]) => {
  const {clock, closed, obstacles, refusals} = openRefusals()
  const create = {move: 'create', post: card, ...when} as const
  await refusals.answer(create, new SlackError(kind, code))
  expect(closed).toEqual([code])
  expect(refusals.pausedUntilMs()).toBeGreaterThan(clock.nowMs())
  // Elsewhere in the channel others write on.
  expect(obstacles.all()).toEqual([])
})

test.for([
  ['access_denied', {team: 'T', channel: 'C'}],
  ['ekm_access_denied', {team: 'T', channel: 'C'}],
  ['token_revoked', {team: 'T'}],
] as const)(
  'what Slack says with %s holds up no more than it is said of',
  async ([code, scope]) => {
    const {obstacles, refusals} = openRefusals()
    await refusals.answer({move: 'create', post: card, ...when}, new SlackError('dead', code))
    expect(obstacles.all().map((met) => met.scope)).toEqual([scope])
  },
)

describe('a message that Slack does not let us remove', () => {
  const streamed: PostRow = {
    ...{key: 'say:A:0', delivery: 'A', state: 'placed', ts: '1.1', hash: undefined},
    ...{final: false, draft: 'text', file: undefined, streaming: true},
  }
  const at = {key: streamed.key, ts: '1.1', ...when}
  const stuck = new SlackError('stuck', 'cant_delete_message')
  const remove = {move: 'remove', ...at} as const
  const close = {move: 'close', stretch: undefined, ...at} as const
  const ended = new SlackError('ended', 'message_not_in_streaming_state')

  test('has its stream ended again as long as there may be one, and only then is given up', async () => {
    const {clock, known, refusals} = openRefusals([streamed])
    for (let count = 0; count < 5; count += 1) {
      await refusals.answer(close, ended)
      expect(known.all.get(at.key)).toMatchObject({state: 'placed', streaming: false})
      await refusals.answer(remove, stuck)
      expect(known.all.get(at.key)).toMatchObject({state: 'placed', streaming: true})
    }
    await refusals.answer(close, ended)
    clock.advance(310_000)
    await refusals.answer(remove, stuck)
    expect(known.all.get(at.key)).toMatchObject({state: 'gone'})
  })

  test('is given up at once when its stream was ended', async () => {
    const {known, refusals} = openRefusals([streamed])
    await known.endStream(at.key)
    await refusals.answer(remove, stuck)
    expect(known.all.get(at.key)).toMatchObject({state: 'gone'})
  })
})

describe('a reply that is streamed', () => {
  const row: PostRow = {
    ...{key: 'say:A:0', delivery: 'A', state: 'placed', ts: '1.1', hash: undefined},
    ...{final: false, draft: 'text', file: undefined, streaming: true},
  }
  const post: SayPost = {
    ...{key: row.key, delivery: 'A', isFinal: false, rank: 'preview', draft: 'text'},
    ...{isCreated: true, isOrdered: true, content: {kind: 'say', markdown: 'text'}},
  }
  const stretch = {sent: '', content: post.content, until: 'word'} as const
  const append = {move: 'append', post, ts: '1.1', stretch, ...when} as const
  const close = {move: 'close', key: row.key, ts: '1.1', stretch: undefined, ...when} as const
  const refused = new SlackError('refused', 'an_error_of_tomorrow')
  const silence = new SlackError('retry', 'no_answer')

  /** It says what we know. */
  const streaming = async () => {
    const open = openRefusals([row])
    await open.known.confirmStreamed(post, '1.1', {sent: 'text', isAll: true})
    return open
  }

  test('is ended at once where Slack does not take more of it, and later where it does not take that', async () => {
    const {clock, known, refusals} = await streaming()
    await refusals.answer(append, refused)
    expect(known.all.get(row.key)).toMatchObject({streamed: undefined, notBeforeMs: 0})
    await refusals.answer(close, refused)
    expect(known.all.get(row.key)?.notBeforeMs).toBeGreaterThan(clock.nowMs())
  })

  test.each([append, close])('says what nobody knows where no answer came: $move', async (step) => {
    const {known, refusals} = await streaming()
    expect(known.all.get(row.key)?.streamed?.markdown).toBe('text')
    await refusals.answer(step, silence)
    expect(known.all.get(row.key)?.streamed).toBeUndefined()
  })

  test('begins as one again as soon as Slack has taken that, and not for anything else it takes', async () => {
    const {modes, refusals} = openRefusals([], 'auto')
    const both = modes.at(to)
    await refusals.answer({move: 'open', post, ...when}, refused)
    expect(modes.at(to)).toEqual(['create'])
    refusals.passed({move: 'create', post, ...when}, asked)
    expect(modes.at(to)).toEqual(['create'])
    refusals.passed({move: 'open', post, ...when}, asked)
    expect(modes.at(to)).toEqual(both)
  })
})

test('a card that Slack goes on refusing is tried again twice as late each time', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  const row: PostRow = {
    ...{key: 'card', delivery: undefined, state: 'placed', ts: '1.1', hash: undefined},
    ...{final: false, draft: undefined, file: undefined, streaming: false},
  }
  const {clock, known, refusals} = openRefusals([row])
  const edit = {move: 'edit', post: card, ts: '1.1', ...when} as const
  for (const seconds of [3, 5, 9, 17]) {
    await refusals.answer(edit, new SlackError('refused', 'invalid_blocks'))
    expect(known.all.get('card')?.notBeforeMs).toBe(clock.nowMs() + seconds * 1000)
  }
})

test('a removal without an answer is tried again a while later', async () => {
  const row: PostRow = {
    ...{key: 'say:A:0', delivery: 'A', state: 'placed', ts: '1.1', hash: undefined},
    ...{final: false, draft: 'text', file: undefined, streaming: false},
  }
  const {clock, known, refusals} = openRefusals([row])
  const remove = {move: 'remove', key: row.key, ts: '1.1', ...when} as const
  await refusals.answer(remove, new SlackError('retry', 'no_answer'))
  expect(known.all.get(row.key)?.notBeforeMs).toBeGreaterThan(clock.nowMs())
})

test.for(['create', 'open', 'share'] as const)(
  'a message that Slack refused to make (%s) is surely not there, and is not looked for',
  async (move) => {
    const {known, refusals} = openRefusals()
    const content = {kind: move === 'share' ? 'file' : 'say', markdown: 'text'}
    const post = {...card, key: 'A', delivery: 'A', content} as SayPost & FilePost
    await known.intend(post, move === 'share' ? {file: 'F1'} : {})
    expect([...known.all.keys()]).toEqual(['A'])
    await refusals.answer({move, post, ...when}, new SlackError('refused', 'an_error_of_tomorrow'))
    expect([...known.all.keys()]).toEqual([])
  },
)
