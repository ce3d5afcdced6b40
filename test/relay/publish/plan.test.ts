import {FRESH_LINK, NOTHING_BESIDE} from '../../support/fresh-link.ts'
import {describe, expect, test} from 'vitest'
import type {KnownPost} from '../../../src/relay/publish/known-posts.ts'
import {NOTHING_LEARNT} from '../../../src/relay/publish/lessons.ts'
import {isDelivered, plan} from '../../../src/relay/publish/plan.ts'
import {type WantedPost, essenceOf, hashOf} from '../../../src/relay/post.ts'
import {wantedPosts} from '../../../src/relay/posts/posts.ts'
import {type Timeline, createTimeline, fold} from '../../../src/relay/timeline/timeline.ts'
import type {Link} from '../../../src/store/tables/work/link.ts'

const rules = {
  floor: '',
  previewGapMs: 800,
  spareGapMs: {card: 15_000, plan: 15_000},
  modes: ['create'] as const,
}
const rule = {maxCost: 150, costOf: (text: string) => text.length}
const link: Link = {...FRESH_LINK, title: undefined, status: 'active', steps: 0}

const empty = createTimeline({
  ...{status: 'active', statusSinceMs: 0, steps: 0, cursor: undefined, drafts: []},
})
const now = {nowMs: 0, isOurs: false}
const says = (timeline: Timeline, callId: string, text: string) =>
  fold(timeline, {type: 'assistant', callId, text}, now)
const settles = (timeline: Timeline, callId: string, text: string, attachments: unknown[] = []) =>
  fold(
    timeline,
    {
      type: 'transcript',
      cursor: undefined,
      entry: {
        ...{id: `e-${callId}`, source: 'assistant', text, callId, attachments},
        ...{tool: undefined, model: undefined, authorName: undefined},
      },
    },
    now,
  )
const wanted = (timeline: Timeline) => wantedPosts(link, timeline, NOTHING_BESIDE, rule)

test('a cost that becomes unknown or unlimited is a change that the card shows', () => {
  const hashes = [190, NaN, Infinity].map((credits) => {
    const [card] = wantedPosts({...link, credits}, empty, NOTHING_BESIDE, rule)
    return card && hashOf(card.content)
  })
  expect(new Set(hashes).size).toBe(3)
})

/** Rows as if everything that is wanted stood, in this order. */
function standing(posts: readonly WantedPost[]): Map<string, KnownPost> {
  return new Map(
    posts.map(({key, delivery, isFinal, draft, content}, index) => [
      key,
      {
        ...{key, delivery, draft, state: 'placed' as const, final: isFinal, ts: `1.${index}`},
        ...{hash: hashOf(content), essence: hashOf(essenceOf(content))},
        ...{shownAtMs: 9900, spareAtMs: 9900, doubtfulUntilMs: 0, notBeforeMs: 0},
        ...{
          soughtSinceMs: undefined,
          intendedAtMs: undefined,
          search: undefined,
          isAnswered: false,
          isStuck: false,
          file: undefined,
        },
        ...{streaming: false, streamed: undefined, openedAtMs: undefined},
      },
    ]),
  )
}
const outline = (...args: Parameters<typeof plan>) =>
  plan(...args).steps.map((step) => `${step.move} ${'post' in step ? step.post.key : step.key}`)

describe('what is wanted', () => {
  test('a reply that has only begun with marks is no message yet', () => {
    expect(wanted(says(empty, 'A', '## '))).toHaveLength(1)
    expect(wanted(says(empty, 'A', '## How '))).toHaveLength(2)
  })

  test('blank parts are no messages', () => {
    const posts = wanted(settles(empty, 'A', `start${'\n'.repeat(1000)}end`))
    expect(posts.map(({key}) => key)).toEqual(['card', 'say:A:0', 'say:A:1'])
    for (const {content} of posts) {
      if (content.kind === 'say') expect(content.markdown.trim()).not.toBe('')
    }
    expect(wanted(settles(empty, 'A', ' \n ')).filter(({isCreated}) => isCreated)).toHaveLength(1)
  })

  test('attachments are told at the last part, and without a text of their own', () => {
    const [, ...parts] = wanted(settles(empty, 'A', 'word '.repeat(60), [{}, {}]))
    expect(parts.length).toBeGreaterThan(1)
    const counts = parts.map(({content}) => content.kind === 'say' && content.attachments)
    expect(counts).toEqual([...parts.slice(1).map(() => undefined), {count: 2, names: []}])
    expect(wanted(settles(empty, 'A', '', [{}]))[1]?.content).toEqual({
      kind: 'say',
      markdown: '',
      attachments: {count: 1, names: []},
    })
  })

  test('a preview and its entry have the same keys, part by part', () => {
    const text = 'word '.repeat(60)
    const draft = wanted(says(empty, 'A', text)).map(({key}) => key)
    expect(wanted(settles(empty, 'A', text)).map(({key}) => key)).toEqual(draft)
  })
})

describe('the next steps', () => {
  test('nothing is done where everything stands', () => {
    const posts = wanted(settles(says(empty, 'B', 'draft'), 'A', 'text'))
    expect(plan(posts, standing(posts), NOTHING_LEARNT, rules)).toEqual({steps: [], toConfirm: []})
  })

  test('an open intent is settled before anything else is made', () => {
    const posts = wanted(settles(settles(empty, 'A', 'a'), 'B', 'b'))
    const known = standing(posts.slice(0, 2))
    const row = known.get('say:A:0')
    if (row !== undefined) known.set(row.key, {...row, state: 'intended', ts: undefined})
    expect(outline(posts, known, NOTHING_LEARNT, rules)).toEqual(['find say:A:0'])
  })

  test('a preview that a reply overtakes goes first, and does not become final where it is', () => {
    const before = wanted(says(says(empty, 'A', 'a'), 'B', 'b'))
    const posts = wanted(settles(says(says(empty, 'A', 'a'), 'B', 'b'), 'B', 'b'))
    expect(outline(posts, standing(before), NOTHING_LEARNT, rules)).toEqual(['remove say:A:0'])
    const made = wanted(settles(says(empty, 'A', 'a'), 'B', 'b'))
    expect(outline(made, standing(before.slice(0, 2)), NOTHING_LEARNT, rules)).toEqual([
      'remove say:A:0',
    ])
  })

  test('a part that a reply no longer has is removed', () => {
    const before = wanted(says(empty, 'A', 'word '.repeat(60)))
    const posts = wanted(settles(empty, 'A', 'word'))
    expect(outline(posts, standing(before), NOTHING_LEARNT, rules)[0]).toBe('remove say:A:1')
  })

  test('a preview that goes on in another part gives up there what it hands over', () => {
    const first = `${'word '.repeat(18)}\n\n`
    const before = wanted(says(empty, 'A', `${first}${'more '.repeat(8)}`))
    expect(before).toHaveLength(2)
    const posts = wanted(says(empty, 'A', `${first}${'more '.repeat(20)}`))
    expect(posts).toHaveLength(3)
    expect(outline(posts, standing(before), NOTHING_LEARNT, rules)).toEqual([
      'create say:A:1',
      'edit say:A:0',
    ])
  })

  test('a preview is not shortened by a shorter one', () => {
    const before = wanted(says(empty, 'A', 'a long text'))
    expect(
      outline(wanted(says(empty, 'A', 'a long')), standing(before), NOTHING_LEARNT, rules),
    ).toEqual([])
  })

  test('two edits of a preview are apart, and a final does not wait', () => {
    const before = standing(wanted(says(empty, 'A', 'one')))
    const [preview] = plan(wanted(says(empty, 'A', 'one two')), before, NOTHING_LEARNT, rules).steps
    expect(preview).toMatchObject({move: 'edit', rank: 'preview', notBeforeMs: 10_700})
    const [final] = plan(
      wanted(settles(empty, 'A', 'one two')),
      before,
      NOTHING_LEARNT,
      rules,
    ).steps
    expect(final).toMatchObject({move: 'edit', rank: 'final', notBeforeMs: 0})
  })

  test('a tool line does not wait for what was said of the state', () => {
    const before = standing(wanted(empty))
    for (const row of before.values()) row.spareAtMs = 0
    const tool = fold(empty, {type: 'tool_call', callId: 'x', name: 'read', text: 'Read'}, now)
    expect(plan(wanted(tool), before, NOTHING_LEARNT, rules).steps[0]).toMatchObject({
      rank: 'spare',
      notBeforeMs: 15_000,
    })
  })

  test('a final whose edit had no answer is written once more when nothing can be late any longer', () => {
    const posts = wanted(settles(empty, 'A', 'text'))
    const doubted = standing(posts)
    for (const row of doubted.values()) row.doubtfulUntilMs = 25_000
    expect(isDelivered('A', posts, doubted, NOTHING_LEARNT)).toBe(false)
    expect(plan(posts, doubted, NOTHING_LEARNT, rules).steps[0]).toMatchObject({
      move: 'edit',
      post: {key: 'say:A:0'},
      notBeforeMs: 25_000,
    })
  })

  test('a card whose edit had no answer is written once more: the late edit may have won', () => {
    const posts = wanted(empty)
    const doubted = standing(posts)
    for (const row of doubted.values()) row.doubtfulUntilMs = 25_000
    expect(plan(posts, doubted, NOTHING_LEARNT, rules).steps).toMatchObject([
      {move: 'edit', post: {key: 'card'}, notBeforeMs: 25_000},
    ])
  })

  test('the mark of a reply that broke off is written once more too', () => {
    const broken = wanted(fold(says(empty, 'A', 'half a reply'), {type: 'run', phase: 'end'}, now))
    const doubted = standing(broken)
    for (const row of doubted.values()) row.doubtfulUntilMs = 25_000
    const rest = broken.filter(({key}) => key !== 'card')
    expect(plan(rest, doubted, NOTHING_LEARNT, rules).steps).toMatchObject([
      {move: 'edit', post: {key: 'say:A:0', content: {interrupted: true}}, notBeforeMs: 25_000},
    ])
  })

  test('a reply that broke off before its first word leaves nothing to wait for', () => {
    const posts = wanted(fold(says(empty, 'A', '## '), {type: 'run', phase: 'end'}, now))
    expect(isDelivered('A', posts, standing(wanted(empty)), NOTHING_LEARNT)).toBe(true)
    expect(posts.some(({delivery}) => delivery === 'A')).toBe(true)
  })

  test('what an earlier connection left stays in its place while other replies come', () => {
    const broken = fold(says(empty, 'A', 'half a'), {type: 'connected'}, now)
    const known = standing(wanted(broken))
    expect(outline(wanted(settles(broken, 'B', 'whole')), known, NOTHING_LEARNT, rules)).toEqual([
      'create say:B:0',
    ])
  })

  test('what is over and no longer looked at stays as it stands, and what is not over goes', () => {
    const [card] = wanted(empty)
    if (card === undefined) throw new Error('There is no card.')
    const over = {...card, key: 'ping:1', isFinal: true}
    const open = {...card, key: 'unsure:1', isFinal: false}
    const known = standing([card, over, open])
    expect(outline([card], known, NOTHING_LEARNT, rules)).toEqual(['remove unsure:1'])
    known.delete('unsure:1')
    expect(outline([card], known, NOTHING_LEARNT, rules)).toEqual([])
  })

  test('a tool line alone is spare, a change of state is not', () => {
    const before = standing(wanted(empty))
    const tool = fold(empty, {type: 'tool_call', callId: 'x', name: 'read', text: 'Read'}, now)
    expect(plan(wanted(tool), before, NOTHING_LEARNT, rules).steps[0]).toMatchObject({
      rank: 'spare',
      notBeforeMs: 24_900,
    })
    const idle = fold(empty, {type: 'status', status: 'idle'}, now)
    expect(plan(wanted(idle), before, NOTHING_LEARNT, rules).steps[0]).toMatchObject({
      rank: 'state',
    })
  })
})

describe('a reply that shows nothing', () => {
  test('is delivered at once, and takes what its draft left with it', () => {
    const draft = standing(wanted(says(empty, 'A', 'Let me think')))
    const posts = wanted(settles(says(empty, 'A', 'Let me think'), 'A', '   '))
    expect(isDelivered('A', posts, draft, NOTHING_LEARNT)).toBe(false)
    expect(outline(posts, draft, NOTHING_LEARNT, rules)).toEqual(['remove say:A:0'])
    expect(isDelivered('A', posts, standing(wanted(empty)), NOTHING_LEARNT)).toBe(true)
  })
})

describe('a reply that settles after it was marked as broken off', () => {
  test('moves behind what was settled meanwhile, also when that is long confirmed', () => {
    const broken = fold(says(empty, 'A', 'half'), {type: 'run', phase: 'end'}, now)
    const known = standing(wanted(broken))
    const posts = wanted(settles(broken, 'A', 'half and half'))
    const behind = {...rules, floor: '1.5'}
    expect(outline(posts, known, NOTHING_LEARNT, behind)).toEqual(['remove say:A:0'])
    expect(outline(posts, known, NOTHING_LEARNT, rules)).toEqual(['edit say:A:0'])
  })
})

test('the parts of a reply stay in order when one of them is made again', () => {
  const posts = wanted(settles(empty, 'A', 'word '.repeat(80)))
  expect(posts.map(({key}) => key)).toEqual(['card', 'say:A:0', 'say:A:1', 'say:A:2'])
  const known = standing(posts)
  const row = known.get('say:A:0')
  if (row !== undefined) known.set(row.key, {...row, state: 'gone', ts: undefined})
  expect(outline(posts, known, NOTHING_LEARNT, rules)).toEqual(['remove say:A:1'])
  known.delete('say:A:1')
  expect(outline(posts, known, NOTHING_LEARNT, rules)).toEqual(['remove say:A:2'])
  known.delete('say:A:2')
  expect(outline(posts, known, NOTHING_LEARNT, rules)).toEqual(['create say:A:0'])
})

test('what stands behind a reply that is cut anew moves behind its new part', () => {
  const before = settles(settles(empty, 'A', 'short'), 'B', 'the next')
  const after = settles(settles(empty, 'A', 'word '.repeat(50)), 'B', 'the next')
  const known = standing(wanted(before))
  expect(outline(wanted(after), known, NOTHING_LEARNT, rules)[0]).toBe('remove say:B:0')
  known.delete('say:B:0')
  expect(outline(wanted(after), known, NOTHING_LEARNT, rules)[0]).toBe('create say:A:1')
})

describe('a message that somebody deleted', () => {
  const gone = (posts: readonly WantedPost[]) => {
    const known = standing(posts)
    const row = known.get('say:A:0')
    if (row !== undefined) known.set(row.key, {...row, state: 'gone', ts: undefined})
    return known
  }

  test('is made once more when it is the last word, and says so', () => {
    const posts = wanted(settles(empty, 'A', 'text'))
    const [step] = plan(posts, gone(posts), NOTHING_LEARNT, rules).steps
    expect(step).toMatchObject({move: 'create', post: {content: {again: true}}})
    expect(isDelivered('A', posts, gone(posts), NOTHING_LEARNT)).toBe(false)
  })

  test('goes on saying so to a process that did not see it happen', () => {
    const posts = wanted(settles(empty, 'A', 'text'))
    const again = posts.map((post) =>
      post.content.kind === 'say'
        ? {...post, content: {...post.content, again: true as const}}
        : post,
    )
    expect(plan(posts, standing(again), NOTHING_LEARNT, rules).steps).toEqual([])
    expect(isDelivered('A', posts, standing(again), NOTHING_LEARNT)).toBe(true)
  })

  test('is not made again while it is a preview', () => {
    const posts = wanted(says(empty, 'A', 'text'))
    expect(plan(posts, gone(posts), NOTHING_LEARNT, rules).steps).toEqual([])
  })
})

test('a reply that Slack refused is written plainly', () => {
  const posts = wanted(settles(empty, 'A', 'text'))
  const lessons = {...NOTHING_LEARNT, plain: new Set(['say:A:0'])}
  const [step] = plan(posts, standing(posts.slice(0, 1)), lessons, rules).steps
  expect(step).toMatchObject({move: 'create', post: {content: {plain: true}}})
})

describe('a reply that is streamed', () => {
  const grown = wanted(says(empty, 'A', 'one two'))
  const streaming = (posts: readonly WantedPost[], change: Partial<KnownPost> = {}) => {
    const known = standing(posts)
    const row = known.get('say:A:0')
    if (row === undefined) throw new Error('Nothing stands.')
    const streamed = {markdown: 'one', sent: 'one', isAll: true}
    const nothing = {hash: undefined, essence: undefined}
    const ours = {streaming: true, ...nothing, streamed, openedAtMs: 5000, ...change}
    return known.set(row.key, {...row, ...ours})
  }
  /** Before Slack has ended the stream by itself. */
  const stepsOf = (posts: readonly WantedPost[], known: Map<string, KnownPost>) =>
    plan(posts, known, NOTHING_LEARNT, rules).steps.filter((it) => it.notBeforeMs < 300_000)

  test('begins one way or the other, and a complete one never as a stream', () => {
    const both = {...rules, modes: ['create', 'open'] as const}
    const [card] = standing(wanted(empty))
    const known = new Map(card === undefined ? [] : [card])
    expect(outline(grown, known, NOTHING_LEARNT, both)).toEqual(['create say:A:0', 'open say:A:0'])
    const settled = wanted(settles(empty, 'A', 'one two'))
    expect(outline(settled, known, NOTHING_LEARNT, both)).toEqual(['create say:A:0'])
  })

  test('gets what is new, and is closed before Slack would end it', () => {
    expect(stepsOf(grown, streaming(grown))).toMatchObject([
      {move: 'close', rank: 'state', notBeforeMs: 245_000, stretch: undefined},
      {move: 'append', rank: 'preview', stretch: {sent: 'one', content: {markdown: 'one two'}}},
    ])
  })

  test('is closed when nobody knows what it says', () => {
    expect(stepsOf(grown, streaming(grown, {streamed: undefined}))).toMatchObject([
      {move: 'close', rank: 'state', notBeforeMs: 0, stretch: undefined},
    ])
  })

  test('says its last words by whichever call may go first, and is edited once it is closed', () => {
    const posts = wanted(settles(empty, 'A', 'one two'))
    expect(stepsOf(posts, streaming(posts))).toMatchObject([
      {move: 'close', rank: 'final', stretch: {content: {markdown: 'one two'}}},
      {move: 'append', rank: 'final'},
    ])
    const streamed = {markdown: 'one two', sent: 'one two', isAll: true}
    expect(stepsOf(posts, streaming(posts, {streamed}))).toMatchObject([
      {move: 'close', rank: 'state', stretch: undefined},
    ])
    const closed = streaming(posts, {streamed, streaming: false})
    expect(isDelivered('A', posts, closed, NOTHING_LEARNT)).toBe(false)
    expect(stepsOf(posts, closed)).toMatchObject([{move: 'edit', rank: 'state'}])
  })

  test('that nobody could close is edited, or removed, once Slack has ended it', () => {
    const posts = wanted(settles(empty, 'A', 'one two'))
    const [last] = plan(posts, streaming(posts), NOTHING_LEARNT, rules).steps.slice(-1)
    expect(last).toMatchObject({move: 'edit', rank: 'final', notBeforeMs: 315_000})
    const gone = wanted(settles(empty, 'A', ' '))
    const [, removal] = plan(gone, streaming(grown), NOTHING_LEARNT, rules).steps
    expect(removal).toMatchObject({move: 'remove', notBeforeMs: 315_000})
  })

  test('whose words nobody knows grows by edits once Slack has ended it', () => {
    const unknown = streaming(grown, {streamed: undefined})
    expect(plan(grown, unknown, NOTHING_LEARNT, rules).steps).toMatchObject([
      {move: 'close', notBeforeMs: 0},
      {move: 'edit', rank: 'state', notBeforeMs: 315_000},
    ])
  })

  test('is closed before it is removed', () => {
    const gone = wanted(settles(empty, 'A', ' '))
    expect(stepsOf(gone, streaming(grown))).toMatchObject([{move: 'close', rank: 'final'}])
  })

  test('that is shorter on a new connection is closed in time all the same', () => {
    const shorter = wanted(says(empty, 'A', 'one'))
    expect(stepsOf(shorter, streaming(grown))).toMatchObject([{move: 'close', rank: 'state'}])
  })
})

describe('what stands and may have to move', () => {
  const card = wanted(empty)
  const quote = (key: string, isFinal = true): WantedPost => ({
    ...{key, delivery: key, content: {kind: 'quote', author: 'Jane', text: 'and?'}},
    ...{isFinal, rank: 'final', isCreated: true, isOrdered: true, draft: undefined},
  })
  const file = (key: string, markdown = 'The rest of it.'): WantedPost => ({
    ...quote(key),
    ...{key: `file:${key}`, content: {kind: 'file', markdown}},
  })

  test('moves behind a file that a reply gets now, and not behind a quote', () => {
    const next = wanted(settles(empty, 'B', 'the next')).slice(1)
    const known = standing([...card, ...next])
    const behind = (post: WantedPost) =>
      outline([...card, post, ...next], known, NOTHING_LEARNT, rules)
    expect(behind(file('A'))).toEqual(['remove say:B:0'])
    expect(behind(quote('A'))).toEqual(['create A'])
  })

  test('stays where it is final and no part of what is made again', () => {
    const [post] = card
    if (post === undefined) throw new Error('There is no card.')
    const below = {...post, key: 'below', isFinal: true}
    expect(outline([post, below], standing([below]), NOTHING_LEARNT, rules)).toEqual([
      'create card',
    ])
  })

  test('goes where it says something else and cannot be changed', () => {
    const before = [...card, file('A')]
    const after = [...card, file('A', 'Another rest.')]
    expect(outline(before, standing(before), NOTHING_LEARNT, rules)).toEqual([])
    expect(outline(after, standing(before), NOTHING_LEARNT, rules)).toEqual(['remove file:A'])
  })

  test('goes where Slack has locked it, if it is the last word of a reply', () => {
    const locked = (posts: readonly WantedPost[]) => {
      const known = standing(posts)
      for (const row of known.values()) row.isStuck = true
      return known
    }
    const preview = wanted(says(empty, 'A', 'one'))
    const longer = wanted(says(empty, 'A', 'one two'))
    expect(outline(longer, locked(preview), NOTHING_LEARNT, rules)).toEqual([])
    const settled = wanted(settles(empty, 'A', 'one two'))
    expect(outline(settled, locked(preview), NOTHING_LEARNT, rules)).toEqual(['remove say:A:0'])
    const idle = wanted(fold(empty, {type: 'status', status: 'idle'}, now))
    expect(outline(idle, locked(card), NOTHING_LEARNT, rules)).toEqual([])
  })
})

test('what is to be made has waited for longer than any edit', () => {
  const posts = wanted(settles(empty, 'A', 'text'))
  expect(plan(posts, standing(posts.slice(0, 1)), NOTHING_LEARNT, rules).steps).toMatchObject([
    {move: 'create', rank: 'final', sinceMs: 0, notBeforeMs: 0},
  ])
})

test('of two edits the one comes first whose word counts for more', () => {
  const before = standing(wanted(says(empty, 'A', 'one')))
  const tool = {type: 'tool_call', callId: 'x', name: 'read', text: 'Read'} as const
  const posts = wanted(fold(says(empty, 'A', 'one two'), tool, now))
  const ranks = plan(posts, before, NOTHING_LEARNT, rules).steps.map(({rank}) => rank)
  expect(ranks).toEqual(['preview', 'spare'])
})

test('a reply that stands in its last form stays, whatever was settled behind it meanwhile', () => {
  const posts = wanted(settles(settles(empty, 'A', 'one'), 'B', 'two'))
  const known = standing(posts)
  expect(outline(posts, known, NOTHING_LEARNT, {...rules, floor: '1.9'})).toEqual([])
  // In whatever order they came to stand.
  for (const [key, ts] of [
    ['say:A:0', '1.8'],
    ['say:B:0', '1.7'],
  ] as const) {
    const row = known.get(key)
    if (row !== undefined) known.set(key, {...row, ts})
  }
  expect(outline(posts, known, NOTHING_LEARNT, rules)).toEqual([])
})

test('a card that Slack refused is written plainly', () => {
  const lessons = {...NOTHING_LEARNT, plain: new Set(['card'])}
  const [step] = plan(wanted(empty), new Map(), lessons, rules).steps
  expect(step).toMatchObject({move: 'create', post: {content: {kind: 'card', plain: true}}})
})
