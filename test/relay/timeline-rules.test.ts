import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {Frame} from '../../src/platform/stream/frame.ts'
import {type Draft, visibleText} from '../../src/relay/timeline/drafts.ts'
import {type Timeline, createTimeline, fold, release} from '../../src/relay/timeline/timeline.ts'
import {type History, histories, opening, read, readings} from './thread-history.ts'

const fresh = (more: Partial<Parameters<typeof createTimeline>[0]> = {}): Timeline =>
  createTimeline({
    ...{status: undefined, statusSinceMs: 0, steps: 0, cursor: undefined, drafts: []},
    ...more,
  })

const foldAll = (frames: readonly Frame[], start = fresh()): Timeline =>
  frames.reduce((timeline, frame) => fold(timeline, frame, {nowMs: 0, isOurs: false}), start)

const settledOf = ({settled}: Timeline) =>
  settled.map(({entryId, delivery, text, steps}) => ({entryId, delivery, text, steps}))

const entriesOf = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.type === 'transcript' ? [frame.entry] : []))

const stillOpen = ({drafts}: Timeline): Draft[] =>
  drafts.filter(({state}) => state === 'live' || state === 'earlier')

const marked = ({drafts}: Timeline): Draft[] =>
  drafts.filter((draft) => draft.state === 'interrupted' && visibleText(draft).trim() !== '')

const RUNS = {numRuns: 300}

describe('whatever a reader missed and saw twice, by the rules of section 6.3', () => {
  test('1: entries stand in the order of the transcript, each once', () => {
    fc.assert(
      fc.property(histories, readings, ({frames}, reading) => {
        const expected = entriesOf(frames).map(({id, text}) => [id, text])
        const {settled} = foldAll(read(frames, reading))
        expect(settled.map(({entryId, text}) => [entryId, text])).toEqual(expected)
      }),
      RUNS,
    )
  })

  test('2: no draft stands beside the entry of its callId, at any moment', () => {
    fc.assert(
      fc.property(histories, readings, ({frames}, reading) => {
        let timeline = fresh()
        for (const frame of read(frames, reading)) {
          timeline = fold(timeline, frame, {nowMs: 0, isOurs: false})
          const said = new Set(timeline.settled.map(({delivery}) => delivery))
          expect(timeline.drafts.filter(({delivery}) => said.has(delivery))).toEqual([])
        }
      }),
      RUNS,
    )
  })

  test('3: a tool call and its entry are one step', () => {
    fc.assert(
      fc.property(histories, readings, ({frames}, reading) => {
        const tools = entriesOf(frames).filter(({source}) => source === 'tool')
        expect(foldAll(read(frames, reading)).steps).toBe(tools.length)
      }),
      RUNS,
    )
  })

  test('4: what never settles is marked at the run’s end, and says no more than was written', () => {
    fc.assert(
      fc.property(histories, readings, ({frames, written, settled}, reading) => {
        const timeline = foldAll(read(frames, reading))
        expect(stillOpen(timeline)).toEqual([])
        for (const draft of timeline.drafts) {
          expect(settled.has(draft.delivery)).toBe(false)
          expect(written.get(draft.delivery)?.startsWith(visibleText(draft))).toBe(true)
        }
      }),
      RUNS,
    )
  })

  test('5: a dropped turn costs previews, never entries, and leaves nothing that grows', () => {
    fc.assert(
      fc.property(histories, ({frames}) => {
        let timeline = fresh()
        for (const frame of frames) {
          timeline = fold(timeline, frame, {nowMs: 0, isOurs: false})
          if (frame.type !== 'turn' || frame.outcome !== 'dropped') continue
          expect(timeline.drafts.filter(({state}) => state === 'live')).toEqual([])
        }
        expect(timeline.settled).toHaveLength(entriesOf(frames).length)
      }),
      RUNS,
    )
  })

  test('6 and 9: tasks, heartbeats, doubled rows and closes without a word change nothing that stands', () => {
    fc.assert(
      fc.property(histories, readings, readings, ({frames}, one, other) => {
        expect(settledOf(foldAll(read(frames, one)))).toEqual(
          settledOf(foldAll(read(frames, other))),
        )
      }),
      RUNS,
    )
  })

  test('7: a new reader behind any cursor that was released has the rest, and nothing twice', () => {
    fc.assert(
      fc.property(histories, fc.nat(90), fc.nat(20), ({frames}, at, confirmed) => {
        const past = frames.slice(0, at)
        const before = foldAll([{type: 'connected'}, ...past])
        const deliveries = new Set(before.settled.slice(0, confirmed).map(({delivery}) => delivery))
        const released = release(before, (delivery) => deliveries.has(delivery))
        const {cursor, steps = 0} = released ?? {}
        const left = released?.timeline.settled.length ?? before.settled.length
        const gone = settledOf(before).slice(0, before.settled.length - left)
        const from = frames.findIndex((it) => it.type === 'transcript' && it.cursor === cursor)
        const after = foldAll(
          [{type: 'connected'}, ...opening(past, from), ...frames.slice(at)],
          fresh({cursor, steps}),
        )
        const expected = entriesOf(frames).map(({id}) => id)
        expect([...gone, ...settledOf(after)].map(({entryId}) => entryId)).toEqual(expected)
      }),
      RUNS,
    )
  })

  test('a refused cursor brings everything again, in the order of the transcript', () => {
    fc.assert(
      fc.property(histories, fc.nat(90), fc.nat(20), ({frames}, at, confirmed) => {
        const past = frames.slice(0, at)
        const before = foldAll([{type: 'connected'}, ...past])
        const deliveries = new Set(before.settled.slice(0, confirmed).map((it) => it.delivery))
        const released = release(before, (delivery) => deliveries.has(delivery))?.timeline ?? before
        const again: Frame[] = [{type: 'rewound'}, {type: 'connected'}, ...opening(past, -1)]
        const after = foldAll([...again, ...frames.slice(at)], released)
        expect(settledOf(after)).toEqual(settledOf(foldAll(frames)))
      }),
      RUNS,
    )
  })

  test('8: of a stream until the run’s end, the reply is the last assistant entry', () => {
    fc.assert(
      fc.property(histories, readings, ({frames}, reading) => {
        const timeline = foldAll([...read(frames, reading), {type: 'done'}])
        const last = entriesOf(frames).findLast(({source}) => source === 'assistant')
        const replies = timeline.settled.filter(
          (it) => it.author === undefined && it.delivery !== undefined,
        )
        expect(replies.at(-1)?.entryId).toBe(last?.id)
        expect(timeline.isDone).toBe(true)
      }),
      RUNS,
    )
  })
})

describe('promise 5: a draft', () => {
  test('is never shortened, but by its entry or a fresh start', () => {
    fc.assert(
      fc.property(histories, readings, ({frames}, reading) => {
        let timeline = fresh()
        for (const frame of read(frames, reading)) {
          const before = new Map(timeline.drafts.map((it): [string, Draft] => [it.delivery, it]))
          timeline = fold(timeline, frame, {nowMs: 0, isOurs: false})
          for (const draft of timeline.drafts) {
            const old = before.get(draft.delivery)
            if (old === undefined || old.state === 'interrupted' || draft.state === 'replaced')
              continue
            expect(visibleText(draft).length).toBeGreaterThanOrEqual(visibleText(old).length)
          }
        }
      }),
      RUNS,
    )
  })

  test.each<[string, Frame[]]>([
    ['a run’s end', [{type: 'run', phase: 'end'}]],
    ['the first heartbeat', [{type: 'heartbeat'}]],
    [
      'a second status, at rest',
      ['active', 'idle'].map((word): Frame => ({type: 'status', status: word})),
    ],
    ['done', [{type: 'done'}]],
  ])('of an earlier connection, of which nothing came again, is marked by %s', (_name, signs) => {
    fc.assert(
      fc.property(histories, fc.nat(90), ({frames}, at) => {
        const before = foldAll([{type: 'connected'}, ...frames.slice(0, at)])
        const after = foldAll([{type: 'connected'}, ...signs], before)
        expect(stillOpen(after)).toEqual([])
        expect(after.drafts.map(visibleText)).toEqual(before.drafts.map(visibleText))
      }),
      RUNS,
    )
  })
})

describe('rows that other platforms may send', () => {
  const withoutCalls = (frames: readonly Frame[]): Frame[] =>
    frames.map((it) =>
      it.type === 'transcript' ? {...it, entry: {...it.entry, callId: undefined}} : it,
    )

  test('an entry without callId takes the place of the draft that it begins with', () => {
    fc.assert(
      fc.property(histories, readings, ({frames, settled}, reading) => {
        const timeline = foldAll(withoutCalls(read(frames, reading)))
        expect(timeline.settled.map(({text}) => text)).toEqual(
          entriesOf(frames).map(({text}) => text),
        )
        expect(marked(timeline).filter(({delivery}) => settled.has(delivery))).toEqual([])
      }),
      RUNS,
    )
  })

  test('two entries of one call are two replies, and the second goes by its own id', () => {
    fc.assert(
      fc.property(histories, readings, (history, reading) => {
        const {settled} = foldAll(read(history.frames, reading))
        expect(settled.map(({delivery}) => delivery)).toEqual(deliveriesOf(history))
      }),
      RUNS,
    )
  })

  test('a row that comes again with another text keeps its place', () => {
    fc.assert(
      fc.property(histories, readings, fc.nat(90), ({frames}, reading, pick) => {
        const rows = frames.filter((it) => it.type === 'transcript')
        const row = rows[pick % Math.max(1, rows.length)]
        if (row === undefined) return
        const edited: Frame = {...row, entry: {...row.entry, text: 'edited'}}
        const timeline = foldAll([...read(frames, reading), edited])
        expect(timeline.settled.map(({entryId, text}) => [entryId, text])).toEqual(
          rows.map(({entry: {id, text}}) => [id, id === row.entry.id ? 'edited' : text]),
        )
        expect(stillOpen(timeline)).toEqual([])
      }),
      RUNS,
    )
  })
})

/** What the posts of each entry are keyed by. */
function deliveriesOf({frames}: History): (string | undefined)[] {
  const taken = new Set<string>()
  return entriesOf(frames).map(({id, source, callId}, index, all) => {
    if (source === 'user') {
      // The first one is what the thread was started with.
      return all.findIndex((it) => it.source === 'user') === index ? undefined : `quote:${id}`
    }
    if (source !== 'assistant' || callId === undefined) return undefined
    const delivery = taken.has(callId) ? id : callId
    taken.add(callId)
    return delivery
  })
}
