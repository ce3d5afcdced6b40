import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Frame} from '../../src/platform/stream/frame.ts'
import {type Draft, visibleText} from '../../src/relay/timeline/drafts.ts'
import {type Timeline, createTimeline, fold, release} from '../../src/relay/timeline/timeline.ts'

const fresh = (drafts: readonly {delivery: string; text: string}[] = []): Timeline =>
  createTimeline({status: undefined, statusSinceMs: 0, steps: 0, cursor: 'c', drafts})

const at = (nowMs: number) => ({nowMs, isOurs: true})

const foldAll = (frames: readonly Frame[], start = fresh()): Timeline =>
  frames.reduce((timeline, frame, index) => fold(timeline, frame, at(index)), start)

const connected: Frame = {type: 'connected'}
const heartbeat: Frame = {type: 'heartbeat'}
const runEnd: Frame = {type: 'run', phase: 'end'}
const dropped: Frame = {type: 'turn', phase: 'end', outcome: 'dropped'}
const status = (word: string): Frame => ({type: 'status', status: word})
const says = (callId: string, text: string): Frame => ({type: 'assistant', callId, text})
const entry = (
  id: string,
  source: string,
  more: {text?: string; callId?: string; cursor?: string | undefined; attachments?: unknown[]} = {},
): Frame => ({
  type: 'transcript',
  cursor: 'cursor' in more ? more.cursor : `c-${id}`,
  entry: {
    id,
    source,
    text: more.text ?? `text of ${id}`,
    callId: more.callId,
    tool: undefined,
    model: undefined,
    authorName: undefined,
    attachments: more.attachments,
  },
})
const reply = (callId: string, text = `text of ${callId}`): Frame =>
  entry(`e-${callId}`, 'assistant', {callId, text})

const states = ({drafts}: Timeline): string[] =>
  drafts.map((draft) => `${draft.delivery} ${draft.state} ${visibleText(draft)}`)

const callId = fc.constantFrom('A', 'B', 'C')
const frame: fc.Arbitrary<Frame> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(callId, fc.string({maxLength: 4})).map(([id, text]) => says(id, text)),
  },
  {weight: 3, arbitrary: callId.map((id) => reply(id))},
  {weight: 2, arbitrary: fc.nat(9).map((id) => entry(`t${id}`, 'tool'))},
  fc.nat(9).map((id) => entry(`u${id}`, 'user')),
  fc.constantFrom(connected, heartbeat, runEnd, dropped, status('active'), status('idle')),
  fc.constant<Frame>({type: 'tool_call', callId: 'x', name: 'read', text: 'Read a file'}),
)
const frames = fc.array(frame, {maxLength: 40})

describe('the rules of section 6.3', () => {
  test('rule 1: entries stand in the order they first came, each id once', () => {
    fc.assert(
      fc.property(frames, (list) => {
        const ids = list.flatMap((it) => (it.type === 'transcript' ? [it.entry.id] : []))
        expect(foldAll(list).settled.map(({entryId}) => entryId)).toEqual([...new Set(ids)])
      }),
    )
  })

  test('rule 2: an entry takes the place of all fragments of its callId, also of later ones', () => {
    fc.assert(
      fc.property(frames, callId, frames, (before, id, after) => {
        const timeline = foldAll([...before, reply(id), ...after])
        expect(timeline.drafts.map(({delivery}) => delivery)).not.toContain(id)
        const settled = timeline.settled.filter(({delivery}) => delivery === id)
        expect(settled.map(({text}) => text)).toEqual([`text of ${id}`])
      }),
    )
  })

  test('rule 3: a tool call and its entry count as one step, however often they come', () => {
    const call: Frame = {type: 'tool_call', callId: 't1', name: 'read', text: 'Read a file'}
    const timeline = foldAll([call, entry('t1', 'tool', {text: 'Read a file (3 lines)'}), call])
    expect(timeline.steps).toBe(1)
    expect(foldAll([entry('t1', 'tool'), entry('t1', 'tool'), entry('t2', 'tool')]).steps).toBe(2)
  })

  test('rule 4: no draft outlives a run’s end looking like an answer', () => {
    fc.assert(
      fc.property(frames, fc.constantFrom<Frame>(runEnd, {type: 'done'}), (list, end) => {
        const timeline = foldAll([...list, end])
        expect(timeline.drafts.every(({state}) => state === 'interrupted')).toBe(true)
        expect(timeline.tool).toBeUndefined()
      }),
    )
  })

  test('rule 5: a dropped turn keeps its previews until its entries come', () => {
    const timeline = foldAll([connected, heartbeat, says('A', 'half'), dropped, heartbeat])
    expect(states(timeline)).toEqual(['A earlier half'])
    expect(states(fold(timeline, reply('A'), at(0)))).toEqual([])
    expect(states(fold(timeline, runEnd, at(0)))).toEqual(['A interrupted half'])
  })

  test('rule 6: what tasks do changes nothing here', () => {
    const before = foldAll([connected, says('A', 'x')])
    expect(fold(before, {type: 'task', taskId: 't', status: 'done'}, at(9))).toBe(before)
  })

  test('rule 9: a replayed transcript changes nothing', () => {
    fc.assert(
      fc.property(frames, (list) => {
        const rows = list.filter(({type}) => type === 'transcript')
        const once = foldAll([...list, connected])
        const twice = foldAll([...rows, connected], once)
        expect(twice.settled).toEqual(once.settled)
        expect(twice.steps).toBe(once.steps)
      }),
    )
  })
})

test('fragments of one callId are joined in order, and drafts stand in the order of their first', () => {
  const timeline = foldAll([says('A', 'one '), says('B', 'x'), says('A', 'two'), says('B', 'y')])
  expect(states(timeline)).toEqual(['A live one two', 'B live xy'])
})

test('an entry without a callId takes the place of the longest draft that it begins with', () => {
  const drafts = [says('A', 'Done'), says('B', 'Done, and'), says('C', 'Done, an'), says('D', ' ')]
  const settled = foldAll([...drafts, entry('e1', 'assistant', {text: ' Done, and well'})])
  expect(states(settled)).toEqual(['A live Done', 'B replaced ', 'C live Done, an', 'D live  '])
})

describe('a draft of an earlier connection', () => {
  const earlier = foldAll([connected, status('active'), says('A', 'long text'), connected])

  test('keeps its text until the replayed one is longer', () => {
    expect(states(earlier)).toEqual(['A earlier long text'])
    const shorter = foldAll([status('active'), says('A', 'long')], earlier)
    expect(states(shorter)).toEqual(['A live long text'])
    expect(states(fold(shorter, says('A', ' text, and more'), at(0)))).toEqual([
      'A live long text, and more',
    ])
  })

  test('is not shortened by a second cut in the middle of the replay', () => {
    expect(states(foldAll([says('A', 'lo'), connected], earlier))).toEqual(['A earlier long text'])
  })

  test.each<[string, Frame[], string[]]>([
    ['its entry', [reply('A')], []],
    ['a run’s end', [runEnd], ['A interrupted long text']],
    ['the first heartbeat', [heartbeat], ['A interrupted long text']],
    [
      'a status that is not working',
      [status('active'), status('idle')],
      ['A interrupted long text'],
    ],
    ['done', [{type: 'done'}], ['A interrupted long text']],
  ])('is settled by %s', (_name, list, expected) => {
    expect(states(foldAll(list, earlier))).toEqual(expected)
  })

  test.each<[string, Frame[]]>([
    ['the status that opens the connection', [status('idle')]],
    ['a status that is working', [status('active'), status('waiting')]],
    ['another draft', [status('active'), says('B', '')]],
    ['a run’s start', [{type: 'run', phase: 'start'}]],
  ])('is not settled by %s', (_name, list) => {
    expect(states(foldAll(list, earlier))[0]).toBe('A earlier long text')
  })

  test('may be settled while no connection stands, by what is read meanwhile', () => {
    const broken = foldAll([connected, status('active'), says('A', 'half'), {type: 'broken'}])
    expect(states(broken)).toEqual(['A earlier half'])
    expect(states(fold(broken, status('idle'), at(0)))).toEqual(['A interrupted half'])
  })

  test('may be one that a restart found in Slack', () => {
    const found = fresh([{delivery: 'A', text: 'from before'}])
    expect(states(found)).toEqual(['A earlier from before'])
    expect(states(foldAll([connected, status('idle'), heartbeat], found))).toEqual([
      'A interrupted from before',
    ])
  })
})

test('a live draft is not settled by heartbeats or by a status', () => {
  const timeline = foldAll([connected, says('A', 'x'), heartbeat, status('idle'), status('idle')])
  expect(states(timeline)).toEqual(['A live x'])
})

test('an interrupted draft that goes on after all begins anew, and its entry still settles it', () => {
  const timeline = foldAll([says('A', 'x'), runEnd, says('A', 'new')])
  expect(states(timeline)).toEqual(['A live new'])
  expect(states(foldAll([says('A', 'x'), runEnd, connected, reply('A')]))).toEqual([])
})

test('a preview never gets shorter but by its entry or a fresh start', () => {
  fc.assert(
    fc.property(frames, (list) => {
      let timeline = fresh()
      for (const it of list) {
        const before = new Map(
          timeline.drafts.map((draft): [string, Draft] => [draft.delivery, draft]),
        )
        timeline = fold(timeline, it, at(0))
        for (const draft of timeline.drafts) {
          const old = before.get(draft.delivery)
          if (old === undefined || old.state === 'interrupted') continue
          expect(visibleText(draft).length).toBeGreaterThanOrEqual(visibleText(old).length)
        }
      }
    }),
  )
})

describe('status', () => {
  test('is as the platform says it, since it first said so', () => {
    const timeline = foldAll([status('active'), status('active'), status('novel'), status('novel')])
    expect(timeline).toMatchObject({status: 'novel', statusSinceMs: 2})
  })

  test('done is remembered until the next connection', () => {
    expect(foldAll([{type: 'done'}]).isDone).toBe(true)
    expect(foldAll([{type: 'done'}, connected]).isDone).toBe(false)
  })
})

describe('an entry that comes again', () => {
  test('with another text keeps its place, and the later text counts', () => {
    const timeline = foldAll([reply('A', 'one'), reply('B'), reply('A', 'two')])
    expect(timeline.settled.map(({text}) => text)).toEqual(['two', 'text of B'])
  })

  test('with a cursor, after it was paged without one, can be resumed behind', () => {
    const paged = entry('e-A', 'assistant', {callId: 'A', cursor: undefined})
    const timeline = foldAll([paged, reply('A')])
    expect(release(timeline, () => true)?.cursor).toBe('c-e-A')
  })

  test('after it was confirmed and released stays away', () => {
    const released = release(foldAll([reply('A'), entry('t1', 'tool')]), () => true)
    const timeline = released === undefined ? fresh() : released.timeline
    const again = foldAll([connected, reply('A'), entry('t1', 'tool'), says('A', 'x')], timeline)
    expect(again.settled).toEqual([])
    expect(again.drafts).toEqual([])
    expect(again.steps).toBe(1)
  })

  test.each([510, 511, 512, 513, 514])(
    'is not posted again, with %i marks of what came since',
    (marks) => {
      const replies = Array.from({length: Math.floor(marks / 2)}, (_, index) => reply(`R${index}`))
      const all = [...(marks % 2 === 0 ? [] : [entry('t0', 'tool')]), ...replies]
      const deliveries = new Set<string>()
      let timeline = fresh()
      for (let time = 0; time < 2; time += 1) {
        for (const one of all) {
          timeline = fold(timeline, one, at(0))
          for (const {delivery} of timeline.settled)
            if (delivery !== undefined) deliveries.add(delivery)
          timeline = release(timeline, () => true)?.timeline ?? timeline
        }
      }
      expect(deliveries.size).toBe(replies.length)
    },
  )

  test('after the cursor was refused counts anew', () => {
    const timeline = foldAll([entry('t1', 'tool'), {type: 'rewound'}, entry('t2', 'tool')])
    expect(timeline.steps).toBe(1)
  })

  test('after the cursor was refused is not shown if it is from before the thread was followed', () => {
    const notes = {earlier: 3}
    const start = {status: undefined, statusSinceMs: 0, steps: 0, cursor: 'c', drafts: [], notes}
    const before = [entry('u1', 'user'), reply('A'), entry('t1', 'tool'), entry('u2', 'user')]
    const followed = [reply('B'), entry('u3', 'user')]
    const frames = [...followed, {type: 'rewound'} as const, ...before, ...followed]
    const timeline = foldAll(frames, createTimeline(start))
    const shown = timeline.settled.flatMap(({delivery}) => delivery ?? [])
    expect(shown).toEqual(['B'])
    expect(timeline.settled).toHaveLength(6)
  })
})

describe('release', () => {
  const timeline = foldAll([
    entry('u1', 'user'),
    reply('A'),
    entry('t1', 'tool'),
    reply('B'),
    entry('t2', 'tool'),
  ])

  test('goes as far from the front as everything is confirmed', () => {
    const released = release(timeline, (delivery) => delivery === 'A')
    expect(released?.cursor).toBe('c-t1')
    expect(released?.steps).toBe(1)
    expect(released?.timeline.settled.map(({entryId}) => entryId)).toEqual(['e-B', 't2'])
  })

  test('never jumps over what is not confirmed', () => {
    const released = release(timeline, (delivery) => delivery === 'B')
    expect(released?.cursor).toBe('c-u1')
    const rest = released?.timeline ?? timeline
    expect(release(rest, () => false)).toBeUndefined()
  })

  test('takes marked drafts that are confirmed, and no others', () => {
    const drafts = foldAll([says('A', 'x'), runEnd, says('B', 'y')])
    const released = release(drafts, () => true)
    expect(released?.timeline.drafts.map(({delivery}) => delivery)).toEqual(['B'])
    expect(released?.cursor).toBeUndefined()
  })

  test('in whatever steps, the cursor ends behind the last entry and nothing is left', () => {
    fc.assert(
      fc.property(frames, fc.array(callId), (list, confirmed) => {
        let rest = foldAll(list)
        const all = rest.settled
        let cursor: string | undefined
        let taken = 0
        const known = new Set<string>()
        for (const id of [...confirmed, 'A', 'B', 'C']) {
          known.add(id)
          const released = release(rest, (delivery) => known.has(delivery))
          if (released === undefined) continue
          taken += rest.settled.length - released.timeline.settled.length
          rest = released.timeline
          cursor = released.cursor ?? cursor
          expect(cursor).toBe(all[taken - 1]?.cursor)
        }
        expect(rest.settled).toEqual([])
      }),
    )
  })
})

test('two entries of one call are two replies', () => {
  const both = foldAll([
    entry('r1', 'assistant', {callId: 'same', text: 'one'}),
    entry('r2', 'assistant', {callId: 'same', text: 'two'}),
  ])
  expect(both.settled.map(({delivery, text}) => [delivery, text])).toEqual([
    ['same', 'one'],
    ['r2', 'two'],
  ])
})

describe('more replies begun than anybody reads', () => {
  const many = (count: number, size = 10): Frame[] =>
    Array.from({length: count}, (_, number) => says(`call ${number}`, 'x'.repeat(size)))
  const kept = ({drafts}: Timeline): number =>
    drafts.reduce((sum, {text, previous}) => sum + text.length + previous.length, 0)

  test('a few are kept, and no more of each than a preview shows', () => {
    const [some, all] = [foldAll(many(100)), foldAll(many(5000))]
    expect(all.drafts).toEqual(some.drafts)
    expect(all.drafts.length).toBeLessThan(20)
    const frames = [
      ...many(50, 1_000_000),
      ...many(50, 1_000_000),
      connected,
      ...many(50, 1_000_000),
    ]
    expect(kept(foldAll(frames))).toBeLessThan(600_000)
  })

  test('each is shown when it is said, in the order of the transcript', () => {
    const said = Array.from({length: 50}, (_, number) => reply(`call ${number}`))
    const {settled, drafts} = foldAll([...many(50), ...said])
    expect(settled.map(({delivery}) => delivery)).toEqual(said.map((_, at) => `call ${at}`))
    expect(drafts).toEqual([])
  })

  test('what was passed over does not begin in its middle; what begins with the next turn does', () => {
    const passed = [...many(50), reply('call 0'), reply('call 1'), says('call 40', 'its middle')]
    expect(states(foldAll(passed)).join()).not.toContain('its middle')
    const next: Frame = {type: 'turn', phase: 'start', outcome: undefined}
    const {drafts} = foldAll([...passed, next, says('call 60', 'its beginning')])
    expect(drafts.at(-1)).toMatchObject({delivery: 'call 60', text: 'its beginning'})
  })
})

test('all messages from before the thread was followed are passed over when it comes again, the last one too', () => {
  const start = {status: undefined, statusSinceMs: 0, steps: 0, cursor: 'c', drafts: []}
  const frames: Frame[] = [{type: 'rewound'}, entry('u1', 'user'), reply('A'), reply('B')]
  const timeline = foldAll(frames, createTimeline({...start, notes: {earlier: 2}}))
  expect(timeline.settled.map(({delivery}) => delivery)).toEqual([undefined, undefined, 'B'])
})

test('what says nothing new of the thread changes nothing', () => {
  const timeline = foldAll([status('active'), says('A', 'x'.repeat(100_000))])
  const silent: Frame[] = [
    // More of it than a preview shows.
    says('A', 'y'),
    {type: 'error', code: 'stream_unavailable', message: 'Come back later'},
    {type: 'disconnected', sinceMs: 0},
  ]
  for (const frame of silent) expect(fold(timeline, frame, at(9))).toBe(timeline)
})

test('a tool that was heard of live is at work since then, and its entry says what it does', () => {
  const called: Frame = {type: 'tool_call', callId: 't1', name: 'read', text: 'Read a file'}
  const {tool, doing, steps} = foldAll([called, entry('t1', 'tool', {text: 'Read a.ts'})])
  expect(tool).toEqual({callId: 't1', name: 'read', text: 'Read a.ts', sinceMs: 0})
  expect([doing, steps]).toEqual(['tool', 1])
  const written = foldAll([called, says('A', 'So '), entry('t1', 'tool')])
  expect(written.doing).toBe('writing')
  // One that is called meanwhile is the one at work.
  const next = foldAll([called, entry('t2', 'tool', {text: 'Read b.ts'})])
  expect(next.tool).toMatchObject({callId: 't2', text: 'Read b.ts', sinceMs: 1})
})
