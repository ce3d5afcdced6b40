import fc from 'fast-check'
import {describe, expect, test, vi} from 'vitest'
import type {Budget} from '../../../src/async/buckets.ts'
import {createBacklog} from '../../../src/relay/pace/backlog.ts'
import {type Ask, createPacer} from '../../../src/relay/pace/pacer.ts'
import type {Rank} from '../../../src/relay/post.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {createManualClock} from '../manual-clock.ts'

const never = new AbortController().signal
/** Before anything was answered what comes back in 0.9 s is left: four at once. */
const update: Budget = {perMinute: 60, burst: 4.9, per: 'workspace'}

function ask(changes: Partial<Ask> = {}): Ask {
  const plain = {team: 'T1', channel: 'C1', method: 'chat.update', rank: 'final' as Rank}
  return {...plain, sinceMs: 0, notBeforeMs: 0, ...changes}
}

function start(budgets: Readonly<Record<string, readonly Budget[]>> = {'chat.update': [update]}) {
  const clock = createManualClock()
  const pacer = createPacer({budgets, clock})
  const granted: {name: string; atMs: number}[] = []
  const startMs = clock.nowMs()
  const want = (name: string, changes: Partial<Ask> = {}, signal = never): Promise<void> =>
    pacer.next([ask(changes)], signal).then((index) => {
      if (index !== undefined) granted.push({name, atMs: clock.nowMs() - startMs})
    })
  /** Lets the callbacks of grants run. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const run = async (ms: number): Promise<string[]> => {
    const endMs = clock.nowMs() + ms
    await settle()
    while (clock.nowMs() < endMs) {
      clock.advance(Math.min(50, endMs - clock.nowMs()))
      await settle()
    }
    return granted.map(({name}) => name)
  }
  return {clock, pacer, granted, want, run, startMs}
}

test('no window ever holds more than its share and one burst', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          rank: fc.constantFrom<Rank>('final', 'state', 'first', 'preview', 'spare'),
          channel: fc.constantFrom('C1', 'C2'),
          pauseMs: fc.nat(900),
        }),
        {minLength: 1, maxLength: 60},
      ),
      async (asks) => {
        const budgets = slackBudgets(1)['chat.postMessage'] ?? []
        const {clock, pacer} = start({'chat.postMessage': budgets})
        const grants: {atMs: number; channel: string}[] = []
        const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
        for (const {rank, channel, pauseMs} of asks) {
          // In small steps, so that a grant is noted when it is made.
          for (let left = pauseMs; left > 0; left -= 20) {
            clock.advance(Math.min(20, left))
            await settle()
          }
          void pacer
            .next([ask({rank, channel, method: 'chat.postMessage'})], never)
            .then(() => grants.push({atMs: clock.nowMs(), channel}))
          await settle()
        }
        while (grants.length < asks.length) {
          clock.advanceToNext()
          await settle()
        }
        for (const {perMinute, burst, per} of budgets) {
          for (const [index, from] of grants.entries()) {
            const alike = grants
              .slice(index)
              .filter((it) => per === 'workspace' || it.channel === from.channel)
            for (const [count, to] of alike.entries()) {
              const share = ((to.atMs - from.atMs) * perMinute) / 60_000
              expect(count + 1).toBeLessThanOrEqual(burst + share + 0.05)
            }
          }
        }
      },
    ),
    {numRuns: 40},
  )
})

test('finals go first, then changes of state, first texts, previews, and what is spare', async () => {
  const {want, run, granted} = start()
  for (const name of ['a', 'b', 'c', 'd']) void want(name)
  const order: Rank[] = ['spare', 'preview', 'first', 'state', 'final']
  for (const rank of order) void want(rank, {rank})
  await run(60_000)
  expect(granted.map(({name}) => name).slice(4)).toEqual(order.toReversed())
})

test('previews leave a part of the budget to what ranks above them', async () => {
  const {want, run} = start()
  for (let count = 0; count < 20; count += 1) void want(`preview`, {rank: 'preview'})
  await run(0)
  void want('final')
  expect((await run(0)).at(-1)).toBe('final')
})

test('of one rank, who has waited longest is next', async () => {
  const {want, run} = start()
  for (const name of ['a', 'b', 'c', 'd']) void want(name)
  for (const sinceMs of [30, 10, 20]) void want(`since ${sinceMs}`, {sinceMs, rank: 'preview'})
  expect((await run(60_000)).slice(4)).toEqual(['since 10', 'since 20', 'since 30'])
})

test('nobody starves within a rank, though everybody asks again at once', async () => {
  const {pacer, clock, run} = start()
  const counts = new Map<number, number>()
  const stop = new AbortController()
  const keepAsking = async (name: number): Promise<void> => {
    for (let sinceMs = 0; ; sinceMs = clock.nowMs()) {
      const index = await pacer.next([ask({rank: 'preview', sinceMs})], stop.signal)
      if (index === undefined) return
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  const all = Array.from({length: 10}, (_, name) => keepAsking(name))
  await run(60_000)
  stop.abort()
  await Promise.all(all)
  expect(counts.size).toBe(10)
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1)
})

test('of several asks the one that may go is granted, as its index', async () => {
  const {pacer, clock} = start()
  const later = ask({notBeforeMs: clock.nowMs() + 5000})
  expect(await pacer.next([later, ask({rank: 'spare'})], never)).toBe(1)
})

test('an ask waits for its own time, and no other waits for it', async () => {
  const {want, clock, run, granted} = start()
  void want('later', {notBeforeMs: clock.nowMs() + 5000})
  void want('now', {rank: 'preview'})
  await run(10_000)
  expect(granted).toEqual([
    {name: 'now', atMs: 0},
    {name: 'later', atMs: 5000},
  ])
})

describe('a pause', () => {
  test('holds for its workspace and its method alone', async () => {
    const other: Budget = {perMinute: 60, burst: 4, per: 'workspace'}
    const {want, pacer, run, granted} = start({'chat.update': [update], 'chat.delete': [other]})
    pacer.pause({team: 'T1', method: 'chat.update'}, 30_000)
    void want('paused')
    void want('other workspace', {team: 'T2'})
    void want('other method', {method: 'chat.delete'})
    expect(await run(29_000)).toEqual(['other workspace', 'other method'])
    await run(2000)
    expect(granted.at(-1)).toEqual({name: 'paused', atMs: 30_000})
  })

  test('that is longer is not shortened by one that comes later', async () => {
    const {want, pacer, run} = start()
    pacer.pause({team: 'T1', method: 'chat.update'}, 30_000)
    pacer.pause({team: 'T1', method: 'chat.update'}, 1000)
    void want('paused')
    expect(await run(29_900)).toEqual([])
    expect(await run(200)).toEqual(['paused'])
  })

  test('holds for those who wait already', async () => {
    const {want, pacer, run} = start()
    for (let count = 0; count < 5; count += 1) void want(`early ${count}`)
    pacer.pause({team: 'T1', method: 'chat.update'}, 10_000)
    expect(await run(9900)).toHaveLength(4)
    expect(await run(200)).toHaveLength(5)
  })
})

test('a grant that is given back is used by the next one', async () => {
  const {want, pacer, run} = start()
  for (let count = 0; count < 5; count += 1) void want(String(count))
  expect(await run(0)).toHaveLength(4)
  pacer.giveBack(ask())
  expect(await run(1)).toHaveLength(5)
})

test('giving back never makes more than a burst', async () => {
  const {want, pacer, run} = start()
  for (let count = 0; count < 10; count += 1) pacer.giveBack(ask())
  for (let count = 0; count < 10; count += 1) void want(String(count))
  expect(await run(0)).toHaveLength(4)
})

describe('the signal', () => {
  test('ends a wait, and the place goes to the next', async () => {
    const {want, run} = start()
    for (let count = 0; count < 4; count += 1) void want('burst')
    const stop = new AbortController()
    const gone = want('gone', {sinceMs: 1}, stop.signal)
    void want('next', {sinceMs: 2})
    stop.abort()
    await gone
    expect((await run(1000)).slice(4)).toEqual(['next'])
  })

  test('that has ended already grants nothing and takes nothing', async () => {
    const {pacer, want, run} = start()
    expect(await pacer.next([ask()], AbortSignal.abort())).toBeUndefined()
    for (let count = 0; count < 5; count += 1) void want(String(count))
    expect(await run(0)).toHaveLength(4)
  })
})

describe('timers', () => {
  test('there is one at most, and none when nobody waits', async () => {
    const {want, run, clock} = start()
    const stop = new AbortController()
    const waiting = Array.from({length: 30}, (_, index) => want(String(index), {}, stop.signal))
    await run(3000)
    expect(clock.pending()).toBe(1)
    stop.abort()
    await Promise.all(waiting)
    expect(clock.pending()).toBe(0)
    void want('once more')
    await run(60_000)
    expect(clock.pending()).toBe(0)
  })

  test('a clock that is set back takes no tokens away', async () => {
    let nowMs = 1_000_000
    const timers: (() => void)[] = []
    const pacer = createPacer({
      budgets: {'chat.update': [update]},
      clock: {
        nowMs: () => nowMs,
        dateMs: () => nowMs,
        after: (_ms, callback) => (timers.push(callback), () => undefined),
      },
    })
    await pacer.next([ask()], never)
    nowMs = 0
    expect(await pacer.next([ask()], never)).toBe(0)
  })
})

test('what was granted before Slack said "not now" is known to be paused', async () => {
  const clock = createManualClock()
  const pacer = createPacer({budgets: {}, clock})
  const ask = {
    team: 'T',
    channel: 'C',
    method: 'm',
    rank: 'final',
    sinceMs: 0,
    notBeforeMs: 0,
  } as const
  expect(await pacer.next([ask], new AbortController().signal)).toBe(0)
  expect(pacer.isPaused(ask)).toBe(false)
  pacer.pause({team: 'T', method: 'm'}, 1000)
  expect(pacer.isPaused(ask)).toBe(true)
  expect(pacer.isPaused({...ask, method: 'other'})).toBe(false)
  clock.advance(1000)
  expect(pacer.isPaused(ask)).toBe(false)
})

test('of thousands who wait, few are looked at each time that one of them may go', async () => {
  const {clock, pacer, run} = start()
  for (let count = 0; count < 2000; count += 1) {
    const backlog = createBacklog(clock)
    backlog.grow(1 + (count % 50))
    void pacer.next([ask({channel: `C${count % 50}`, rank: 'preview', backlog})], never)
  }
  await run(5000)
  const reads = vi.spyOn(clock, 'nowMs')
  await run(1000)
  // A look at one takes some ten.
  expect(reads.mock.calls.length).toBeLessThan(2000 * 10)
})

test('who waits for a scope that was held goes as soon as it is resumed', async () => {
  const {want, pacer, run} = start()
  pacer.hold({team: 'T1', channel: 'C1'}, 60_000)
  void want('held')
  void want('elsewhere', {channel: 'C2'})
  expect(await run(1000)).toEqual(['elsewhere'])
  pacer.resume({team: 'T1', channel: 'C2'})
  expect(await run(1000)).toEqual(['elsewhere'])
  pacer.resume({team: 'T1', channel: 'C1'})
  expect(await run(50)).toEqual(['elsewhere', 'held'])
})

test('what a workspace has left is told with the silence that Slack wants', async () => {
  const {want, pacer, run} = start()
  void want('one')
  await run(0)
  const pausedMs = () => pacer.left('T1').map((left) => left.pausedMs)
  expect(pausedMs()).toEqual([0])
  pacer.pause({team: 'T1', method: 'chat.update'}, 30_000)
  pacer.hold({team: 'T1', channel: 'C1'}, 90_000)
  expect(pausedMs()).toEqual([30_000])
  await run(10_000)
  expect(pausedMs()).toEqual([20_000])
  await run(25_000)
  expect(pausedMs()).toEqual([0])
  pacer.hold({team: 'T1'}, 5000)
  expect(pausedMs()).toEqual([5000])
})

test('of the last words that waited for a token those go first that show the most', async () => {
  const {want, run, clock} = start()
  for (const name of ['a', 'b', 'c', 'd']) void want(name)
  for (const chars of [10, 1000, 100]) {
    const backlog = createBacklog(clock)
    backlog.grow(chars)
    void want(`${chars} characters`, {backlog})
  }
  expect((await run(60_000)).slice(4)).toEqual([
    ...['1000 characters', '100 characters', '10 characters'],
  ])
})
