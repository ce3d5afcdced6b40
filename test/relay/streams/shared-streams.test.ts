import fc from 'fast-check'
import {expect, test} from 'vitest'
import {
  PlatformRefused,
  PlatformUnauthorized,
  PlatformUnreachable,
} from '../../../src/platform/errors.ts'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import type {Entry} from '../../../src/platform/model.ts'
import {createSharedStreams} from '../../../src/relay/streams/shared-streams.ts'
import {createManualClock} from '../manual-clock.ts'
import {type Happening, type InMemoryThread, createInMemoryThread} from '../thread-in-memory.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A reader that takes frames only when it is told to. */
interface Reader {
  from: number
  frames: Frame[]
  read(count: number): void
  error(): unknown
  leave(): Promise<void>
}

function openWorld(limits = {maxFrames: 6, maxChars: 10_000}) {
  const clock = createManualClock()
  const thread: InMemoryThread = createInMemoryThread()
  const open = new Set<AbortSignal>()
  let connections = 0
  let pages = 0
  const refusals: Error[] = []
  let failure: Error | undefined
  let breakOff = new AbortController()
  const shared = createSharedStreams({
    clock,
    limits,
    open: async function* ({cursor}, signal) {
      connections += 1
      open.add(signal)
      breakOff = new AbortController()
      try {
        yield* thread.follow(cursor, AbortSignal.any([signal, breakOff.signal]))
        if (failure !== undefined) throw failure
      } finally {
        open.delete(signal)
      }
    },
    list: async function* ({cursor}) {
      pages += 1
      const refusal = refusals.shift()
      if (refusal !== undefined) throw refusal
      await turn()
      yield* thread.entries.slice(cursor === undefined ? 0 : Number(cursor.slice(1)) + 1)
    },
  })

  const join = (from: number): Reader => {
    const stop = new AbortController()
    const frames: Frame[] = []
    let budget = 0
    let more = Promise.withResolvers<undefined>()
    let error: unknown
    const cursor = from === 0 ? undefined : `c${from - 1}`
    const run = async (): Promise<void> => {
      try {
        for await (const frame of shared.follow({threadId: 't', cursor}, stop.signal)) {
          frames.push(frame)
          budget -= 1
          while (budget <= 0 && !stop.signal.aborted) {
            await more.promise
            more = Promise.withResolvers()
          }
        }
      } catch (reason) {
        error = reason
      }
    }
    const running = run()
    return {
      from,
      frames,
      read: (count) => {
        budget += count
        more.resolve(undefined)
      },
      error: () => error,
      leave: async () => {
        stop.abort()
        more.resolve(undefined)
        await running
      },
    }
  }
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 30; round += 1) {
      for (let small = 0; small < 6; small += 1) await turn()
      clock.advance(1000)
    }
  }
  return {
    thread,
    clock,
    join,
    settle,
    open,
    refusals,
    connections: () => connections,
    pages: () => pages,
    fail: (error: Error) => {
      failure = error
      breakOff.abort()
    },
  }
}

/** Entries as a timeline takes them: each once, in the order of their first coming. */
const entriesOf = (frames: readonly Frame[]): Entry[] => {
  const rows = frames.flatMap((frame) => (frame.type === 'transcript' ? [frame.entry] : []))
  return [...new Map(rows.map((entry) => [entry.id, entry])).values()]
}

/** What the drafts say behind the last connection, or the last loss. */
function draftsOf(frames: readonly Frame[]): Map<string, string> {
  const drafts = new Map<string, string>()
  const settled = new Set<string>()
  for (const frame of frames) {
    if (frame.type === 'connected') drafts.clear()
    if (frame.type === 'turn' && frame.outcome === 'dropped') drafts.clear()
    if (frame.type === 'run' && frame.phase === 'end') drafts.clear()
    if (frame.type === 'transcript') settled.add(frame.entry.callId ?? '')
    if (frame.type === 'transcript') drafts.delete(frame.entry.callId ?? '')
    if (frame.type === 'assistant' && !settled.has(frame.callId)) {
      drafts.set(frame.callId, (drafts.get(frame.callId) ?? '') + frame.text)
    }
  }
  return drafts
}

/** Drafts that at some moment were not how their reply begins. */
function tornDrafts(frames: readonly Frame[], entries: readonly Entry[]): string[] {
  const texts = new Map(entries.map(({callId, text}) => [callId, text]))
  return frames.flatMap((frame, at) => {
    if (frame.type !== 'assistant') return []
    const draft = draftsOf(frames.slice(0, at + 1)).get(frame.callId)
    const whole = texts.get(frame.callId)
    return draft === undefined || whole === undefined || whole.startsWith(draft) ? [] : [draft]
  })
}

type Step =
  | {do: 'happen'; what: Happening}
  | {do: 'join'; back: number}
  | {do: 'leave'; who: number}
  | {do: 'read'; who: number; count: number}
  | {do: 'wait'; ms: number}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('say' as const),
      call: fc.constantFrom('A', 'B'),
      text: fc.string({minLength: 1, maxLength: 5}),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({what: fc.constant('settle' as const), call: fc.constantFrom('A', 'B')}),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Happening>(
      {what: 'user'},
      {what: 'tool'},
      {what: 'cut'},
      {what: 'heartbeat'},
      {what: 'run-end'},
    ),
  },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 8, arbitrary: fc.record({do: fc.constant('happen' as const), what: happening})},
  {weight: 2, arbitrary: fc.record({do: fc.constant('join' as const), back: fc.nat(5)})},
  {weight: 1, arbitrary: fc.record({do: fc.constant('leave' as const), who: fc.nat(5)})},
  {
    weight: 5,
    arbitrary: fc.record({do: fc.constant('read' as const), who: fc.nat(5), count: fc.nat(8)}),
  },
  {
    weight: 2,
    arbitrary: fc.record({do: fc.constant('wait' as const), ms: fc.constantFrom(0, 100, 300)}),
  },
)

test('whoever joins, leaves or stays behind, each reads what a stream of its own would bring', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(2)), {maxLength: 60}), async (steps) => {
      const world = openWorld({maxFrames: 5, maxChars: 10_000})
      const {thread, clock} = world
      let readers = [world.join(0)]
      // One that is quick, so that others are too slow.
      readers[0]?.read(1_000_000)
      const at = (who: number) => readers[who % Math.max(1, readers.length)]
      for (const [it, turns] of steps) {
        if (it.do === 'happen') thread.happen(it.what)
        if (it.do === 'join') {
          readers.push(world.join(Math.max(0, thread.entries.length - it.back)))
        }
        if (it.do === 'leave') {
          const leaving = at(it.who)
          readers = readers.filter((reader) => reader !== leaving)
          await leaving?.leave()
        }
        if (it.do === 'read') at(it.who)?.read(it.count)
        if (it.do === 'wait') clock.advance(it.ms)
        for (let count = 0; count < turns; count += 1) await turn()
      }
      for (const reader of readers) reader.read(10_000)
      await world.settle()
      thread.happen({what: 'user'})
      thread.happen({what: 'say', call: 'A', text: 'the end'})
      await world.settle()
      thread.happen({what: 'cut'})
      await world.settle()
      expect(world.open.size).toBe(readers.length === 0 ? 0 : 1)
      const [first] = readers
      for (const reader of readers) {
        expect(reader.error()).toBeUndefined()
        expect(entriesOf(reader.frames)).toEqual(thread.entries.slice(reader.from))
        expect(draftsOf(reader.frames)).toEqual(draftsOf(first?.frames ?? []))
        expect(tornDrafts(reader.frames, thread.entries)).toEqual([])
        const cursors = reader.frames.flatMap((frame) =>
          frame.type === 'transcript' && frame.cursor !== undefined
            ? [Number(frame.cursor.slice(1))]
            : [],
        )
        expect(cursors.every((cursor) => cursor >= reader.from)).toBe(true)
      }
      for (const reader of readers) await reader.leave()
      await turn()
      expect(world.open.size).toBe(0)
    }),
    {numRuns: 300},
  )
})

test('links that start together share one connection', async () => {
  const world = openWorld()
  for (let count = 0; count < 5; count += 1) world.thread.happen({what: 'user'})
  const readers = [3, 1, 5].map((from) => world.join(from))
  for (const reader of readers) reader.read(100)
  await world.settle()
  expect(world.connections()).toBe(1)
  for (const reader of readers) {
    expect(entriesOf(reader.frames)).toEqual(world.thread.entries.slice(reader.from))
  }
})

test('those who join later share one more connection, which brings the turn in progress', async () => {
  const world = openWorld()
  const first = world.join(0)
  first.read(100)
  await turn()
  world.thread.happen({what: 'say', call: 'A', text: 'Half a '})
  await world.settle()
  const late = [world.join(0), world.join(0)]
  for (const reader of late) reader.read(100)
  await turn()
  world.thread.happen({what: 'say', call: 'A', text: 'reply'})
  await world.settle()
  expect(world.connections()).toBe(2)
  for (const reader of [first, ...late]) {
    expect(draftsOf(reader.frames)).toEqual(new Map([['A0', 'Half a reply']]))
  }
})

test('those who join while it waits to be asked for again wait along', async () => {
  const clock = createManualClock()
  let asked = 0
  let breakOff: (() => void) | undefined
  const shared = createSharedStreams({
    clock,
    open: async function* (_from, signal) {
      asked += 1
      yield {type: 'connected'}
      await new Promise<void>((resolve) => (breakOff = resolve))
      yield {type: 'broken'}
      // A 429 may want a minute.
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    },
    list: async function* () {},
  })
  const stop = new AbortController()
  const join = () => Array.fromAsync(shared.follow({threadId: 't', cursor: undefined}, stop.signal))
  const readers = [join()]
  await turn()
  // One comes just before, and one after.
  readers.push(join())
  breakOff?.()
  await turn()
  readers.push(join())
  await turn()
  clock.advance(10_000)
  await turn()
  expect(asked).toBe(1)
  stop.abort()
  await Promise.all(readers)
})

test('one that reads nothing holds nobody up, and finds everything by paging when it is back', async () => {
  const world = openWorld()
  const quick = world.join(0)
  const slow = world.join(0)
  quick.read(10_000)
  await turn()
  for (let count = 0; count < 500; count += 1) {
    world.thread.happen({what: 'settle', call: 'A'})
    if (count === 200) world.thread.happen({what: 'rest'})
    if (count % 3 === 0) await turn()
  }
  await world.settle()
  expect(entriesOf(quick.frames)).toHaveLength(500)
  expect(slow.frames).toHaveLength(1)
  slow.read(10_000)
  await world.settle()
  expect(entriesOf(slow.frames)).toEqual(world.thread.entries)
  // No page says how the thread stands.
  const status = slow.frames.findLast(({type}) => type === 'status')
  expect(status).toEqual({type: 'status', status: 'idle'})
})

test('while all are slow the stream itself waits', async () => {
  const clock = createManualClock()
  let given = 0
  const shared = createSharedStreams({
    clock,
    limits: {maxFrames: 10, maxChars: 10_000},
    open: async function* () {
      for (;;) {
        given += 1
        yield {type: 'heartbeat'}
      }
    },
    list: async function* () {
      // Nothing was said.
    },
  })
  const stop = new AbortController()
  const from = {threadId: 't', cursor: undefined}
  const readers = [shared.follow(from, stop.signal), shared.follow(from, stop.signal)]
  for (const reader of readers) await reader.next()
  for (let count = 0; count < 50; count += 1) await turn()
  expect(given).toBeLessThan(50)
  stop.abort()
  for (const reader of readers) await reader.return()
})

test('what ends the stream ends it for all, and who comes then starts anew', async () => {
  const world = openWorld()
  const readers = [world.join(0), world.join(0)]
  for (const reader of readers) reader.read(100)
  await world.settle()
  const refused = new PlatformUnauthorized('no longer')
  world.fail(refused)
  await world.settle()
  expect(readers.map((reader) => reader.error())).toEqual([refused, refused])
  world.join(0)
  await world.settle()
  expect(world.connections()).toBe(2)
})

test('pages that fail are asked for again, and a refused cursor means from the start', async () => {
  const world = openWorld()
  for (let count = 0; count < 4; count += 1) world.thread.happen({what: 'user'})
  const first = world.join(4)
  first.read(100)
  await world.settle()
  const invalid = new PlatformRefused('no cursor', {status: 400})
  world.refusals.push(new PlatformUnreachable('no answer', true), invalid)
  const late = world.join(2)
  late.read(100)
  await world.settle()
  expect(late.error()).toBeUndefined()
  expect(late.frames.some(({type}) => type === 'rewound')).toBe(true)
  expect(entriesOf(late.frames)).toEqual(world.thread.entries)
})

test('one that stayed behind is told so, and sees no reply with a hole in it', async () => {
  const world = openWorld()
  const [quick, slow] = [world.join(0), world.join(0)]
  quick.read(10_000)
  slow.read(3)
  await turn()
  const say = async (text: string): Promise<void> => {
    world.thread.happen({what: 'say', call: 'A', text})
    for (let count = 0; count < 12; count += 1) {
      world.thread.happen({what: 'heartbeat'})
      await turn()
    }
  }
  await say('one ')
  await say('two ')
  slow.read(10_000)
  await world.settle()
  await say('three')
  world.thread.happen({what: 'settle', call: 'A'})
  await world.settle()
  expect(slow.frames.some((it) => it.type === 'turn' && it.outcome === 'dropped')).toBe(true)
  expect(tornDrafts(slow.frames, world.thread.entries)).toEqual([])
  expect(entriesOf(slow.frames)).toEqual(world.thread.entries)
})
