import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Backlog, createBacklog} from '../../src/relay/pace/backlog.ts'
import {type Ask, createPacer} from '../../src/relay/pace/pacer.ts'
import {slackBudgets} from '../../src/slack/api/budgets.ts'
import {type ManualClock, createManualClock} from './manual-clock.ts'

const POST = {method: 'chat.postMessage', growsBy: 'chat.update'}
const START = {method: 'chat.startStream', growsBy: 'chat.appendStream'}

interface Reply {
  name: string
  backlog: Backlog
  granted: {method: string; atMs: number}[]
}

function start(scale = 1) {
  const clock = createManualClock(0)
  const pacer = createPacer({budgets: slackBudgets(scale), clock})
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const reply = (name = ''): Reply => ({name, backlog: createBacklog(clock), granted: []})
  const ask = ({backlog}: Reply, changes: Partial<Ask>): Ask => ({
    ...{team: 'T1', channel: 'C1', method: 'chat.update', rank: 'preview', sinceMs: 0},
    ...{notBeforeMs: 0, backlog},
    ...changes,
  })
  const want = (it: Reply, ...changes: Partial<Ask>[]) => {
    const asks = changes.map((change) => ask(it, change))
    const {granted, grown, leave} = pacer.queue(asks)
    void granted.then((index) => {
      const method = asks[index ?? -1]?.method
      if (method === undefined) return
      it.granted.push({method, atMs: clock.nowMs()})
      it.backlog.shown()
    })
    return {grown, leave}
  }
  /** Asks for the next showing whenever the last one was granted. */
  const keepGrowing = async (replies: readonly Reply[], forMs: number, chars = 15) => {
    const open = new Set<Reply>()
    for (let passedMs = 0; passedMs < forMs; passedMs += 100) {
      for (const it of replies) {
        it.backlog.grow(chars)
        const seen = it.granted.length
        if (open.has(it) && seen === 0) continue
        if (!open.has(it) || it.granted.length > (shown.get(it) ?? 0)) want(it, {})
        open.add(it)
        shown.set(it, seen)
      }
      await advance(clock, 100, settle)
    }
  }
  const shown = new Map<Reply, number>()
  return {clock, pacer, reply, ask, want, keepGrowing, settle}
}

async function advance(clock: ManualClock, ms: number, settle: () => Promise<void>) {
  for (let left = ms; left > 0; left -= 20) {
    clock.advance(Math.min(20, left))
    await settle()
  }
}

describe('what a reply has to show', () => {
  test('waits as long as each of its characters', () => {
    const clock = createManualClock()
    const backlog = createBacklog(clock)
    backlog.grow(10)
    clock.advance(2000)
    backlog.grow(5)
    clock.advance(1000)
    expect(backlog.chars()).toBe(15)
    expect(backlog.waited()).toBeCloseTo(10 * 3 + 5)
    backlog.shown()
    clock.advance(5000)
    expect([backlog.chars(), backlog.waited()]).toEqual([0, 0])
  })

  test('is as old as its oldest character, on its way to Slack too', () => {
    const clock = createManualClock()
    const backlog = createBacklog(clock)
    expect(backlog.unseenSinceMs()).toBeUndefined()
    backlog.grow(10)
    const firstMs = clock.nowMs()
    clock.advance(2000)
    const putBack = backlog.shown()
    backlog.grow(5)
    expect(backlog.unseenSinceMs()).toBe(firstMs)
    putBack()
    expect(backlog.unseenSinceMs()).toBe(firstMs)
    backlog.shown()
    const secondMs = clock.nowMs()
    backlog.grow(5)
    backlog.seen()
    expect(backlog.unseenSinceMs()).toBe(secondMs)
    backlog.settled()
    expect(backlog.unseenSinceMs()).toBeUndefined()
  })

  test('grows as fast as it grew in the last seconds, and a silence slows it down', () => {
    const clock = createManualClock()
    const backlog = createBacklog(clock)
    for (let count = 0; count < 100; count += 1) {
      clock.advance(100)
      backlog.grow(15)
    }
    expect(backlog.perSecond()).toBeGreaterThan(130)
    expect(backlog.perSecond()).toBeLessThan(170)
    expect(backlog.untilPauseMs()).toBeGreaterThan(0)
    clock.advance(2000)
    expect(backlog.untilPauseMs()).toBeLessThan(0)
    clock.advance(20_000)
    expect(backlog.perSecond()).toBeLessThan(2)
  })
})

test('one reply alone is shown about once a second, and not all at once at first', async () => {
  const {reply, keepGrowing} = start()
  const it = reply()
  await keepGrowing([it], 20_000)
  expect(it.granted.length).toBeGreaterThan(18)
  const early = it.granted.filter(({atMs}) => atMs < 3000)
  expect(early.length).toBeLessThan(8)
})

test('a reply is shown with the words that make it worth it, and not some time behind them', async () => {
  const {clock, reply, want, settle} = start()
  const it = reply()
  const grownAtMs: number[] = []
  let waiting: {grown: () => void} | undefined
  let seen = 0
  for (let count = 0; count < 100; count += 1) {
    it.backlog.grow(10)
    grownAtMs.push(clock.nowMs())
    waiting?.grown()
    waiting ??= want(it, {method: 'chat.appendStream'})
    await settle()
    await advance(clock, 70, settle)
    if (it.granted.length > seen) waiting = undefined
    seen = it.granted.length
  }
  const prompt = it.granted.filter(({atMs}) => grownAtMs.includes(atMs))
  // How soon the next words come is a guess.
  expect(prompt.length / it.granted.length).toBeGreaterThan(0.8)
})

test('of growing replies the one whose characters have waited most is shown', async () => {
  const {clock, reply, want, settle} = start()
  const [much, little] = [reply('much'), reply('little')]
  // Nothing is left but what comes back.
  for (let count = 0; count < 10; count += 1) want(reply(), {rank: 'final'})
  little.backlog.grow(10)
  much.backlog.grow(1000)
  want(little, {})
  want(much, {})
  await advance(clock, 30_000, settle)
  expect(much.granted[0]?.atMs).toBeLessThan(little.granted[0]?.atMs ?? 0)
})

test('every growing reply is shown again and again, also a slow one among many fast ones', async () => {
  const {reply, keepGrowing} = start()
  const replies = Array.from({length: 30}, () => reply())
  await keepGrowing(replies, 240_000)
  for (const {granted} of replies) {
    expect(granted.length).toBeGreaterThan(3)
    const gaps = granted.map(({atMs}, index) => atMs - (granted[index - 1]?.atMs ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(90_000)
  }
})

test('a few characters of a reply that rests are shown too, though others always have more to show', async () => {
  const {reply, want, keepGrowing} = start()
  const resting = reply()
  resting.backlog.grow(3)
  want(resting, {})
  await keepGrowing(
    Array.from({length: 20}, () => reply()),
    240_000,
  )
  expect(resting.granted).toHaveLength(1)
})

test('a preview that changed without growing waits for no price', async () => {
  const {clock, reply, want, keepGrowing, settle} = start()
  const changed = reply()
  await keepGrowing([reply(), reply()], 5000)
  want(changed, {})
  await advance(clock, 3000, settle)
  expect(changed.granted).toHaveLength(1)
})

describe('a reply that begins', () => {
  test('does so at once where there is room', async () => {
    const {reply, want, settle} = start()
    const it = reply()
    it.backlog.grow(5)
    want(it, {rank: 'first', ...POST})
    await settle()
    expect(it.granted).toHaveLength(1)
  })

  test('takes the way that is less crowded', async () => {
    const {clock, reply, want, keepGrowing, settle} = start()
    await keepGrowing([reply(), reply(), reply()], 5000)
    const it = reply()
    it.backlog.grow(5)
    want(it, {rank: 'first', ...POST}, {rank: 'first', ...START})
    await advance(clock, 200, settle)
    expect(it.granted.map(({method}) => method)).toEqual(['chat.startStream'])
  })

  test('takes the other way when the better one is silenced', async () => {
    const {clock, pacer, reply, want, settle} = start()
    pacer.pause({team: 'T1', method: 'chat.startStream'}, 60_000)
    const it = reply()
    it.backlog.grow(5)
    want(it, {rank: 'first', ...POST}, {rank: 'first', ...START})
    await advance(clock, 1000, settle)
    expect(it.granted.map(({method}) => method)).toEqual(['chat.postMessage'])
  })

  test('waits among very many, and its last word does not', async () => {
    const {clock, reply, want, keepGrowing, settle} = start()
    await keepGrowing(
      Array.from({length: 60}, () => reply()),
      10_000,
    )
    const [begun, complete] = [reply(), reply()]
    begun.backlog.grow(50)
    complete.backlog.grow(50)
    want(begun, {rank: 'first', ...POST})
    want(complete, {rank: 'final', method: 'chat.postMessage'})
    await advance(clock, 100, settle)
    expect(begun.granted).toEqual([])
    expect(complete.granted).toHaveLength(1)
  })
})

test('of two ways to say the last word one is taken, the first that is listed', async () => {
  const {clock, reply, want, settle} = start()
  const replies = Array.from({length: 8}, () => reply())
  for (const it of replies) {
    want(
      it,
      {rank: 'final', method: 'chat.stopStream'},
      {rank: 'final', method: 'chat.appendStream'},
    )
  }
  await advance(clock, 5000, settle)
  const methods = replies.map(({granted}) => granted.map(({method}) => method).join())
  expect(methods.filter((it) => it === 'chat.stopStream')).toHaveLength(4)
  expect(methods.filter((it) => it === 'chat.appendStream')).toHaveLength(4)
})

test('with a special agreement nothing waits', async () => {
  const {clock, reply, want, settle} = start(1000)
  const replies = Array.from({length: 500}, () => reply())
  for (const it of replies) {
    it.backlog.grow(5)
    want(it, {rank: 'first', ...POST})
  }
  await advance(clock, 100, settle)
  expect(replies.every(({granted}) => granted.length === 1)).toBe(true)
  for (const it of replies) {
    it.backlog.grow(5)
    want(it, {})
  }
  await advance(clock, 300, settle)
  expect(replies.every(({granted}) => granted.length === 2)).toBe(true)
})

describe('behind "not now"', () => {
  const finals = async (count: number, pauses: readonly number[]) => {
    const {clock, pacer, reply, want, settle} = start()
    for (const forMs of pauses) {
      pacer.pause({team: 'T1', method: 'chat.update'}, forMs)
      await advance(clock, forMs, settle)
    }
    const atMs = clock.nowMs()
    const replies = Array.from({length: count}, () => reply())
    for (const it of replies) want(it, {rank: 'final'})
    await settle()
    return {clock, settle, atMs, replies, now: () => replies.filter((it) => it.granted.length > 0)}
  }

  test('a method goes on with one call, and the next when its time has come', async () => {
    const {clock, settle, now} = await finals(5, [3000])
    expect(now()).toHaveLength(1)
    await advance(clock, 1000, settle)
    expect(now()).toHaveLength(1)
    await advance(clock, 300, settle)
    expect(now()).toHaveLength(2)
  })

  test('less is thought to fit in at once; after an hour that is forgotten', async () => {
    const {clock, pacer, reply, want, settle} = start()
    const atOnce = async (): Promise<number> => {
      const replies = Array.from({length: 20}, () => reply())
      const leaves = replies.map((it) => want(it, {rank: 'final'}))
      await settle()
      for (const {leave} of leaves) leave()
      return replies.filter(({granted}) => granted.length > 0).length
    }
    expect(await atOnce()).toBe(9)
    pacer.pause({team: 'T1', method: 'chat.update'}, 1000)
    // Those on their way say the same: that is no second lesson.
    pacer.pause({team: 'T1', method: 'chat.update'}, 1000)
    clock.advance(600_000)
    expect(await atOnce()).toBe(4)
    clock.advance(3_600_000)
    expect(await atOnce()).toBe(9)
  })
})

test('whatever is asked for, no bucket runs over and nothing is granted in a silence', async () => {
  const budgets = slackBudgets(1)
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          kind: fc.constantFrom('final', 'preview', 'first', 'last word', 'silence'),
          chars: fc.nat(400),
          waitMs: fc.nat(1500),
        }),
        {minLength: 1, maxLength: 60},
      ),
      async (acts) => {
        const {clock, pacer, reply, want, settle} = start()
        const replies: Reply[] = []
        const silences: {fromMs: number; untilMs: number}[] = []
        for (const {kind, chars, waitMs} of acts) {
          const it = reply()
          replies.push(it)
          it.backlog.grow(chars)
          if (kind === 'silence') {
            silences.push({fromMs: clock.nowMs(), untilMs: clock.nowMs() + 2 * waitMs})
            pacer.pause({team: 'T1', method: 'chat.update'}, 2 * waitMs)
          } else if (kind === 'first') {
            want(it, {rank: 'first', ...POST}, {rank: 'first', ...START})
          } else if (kind === 'last word') {
            const stop = {rank: 'final', method: 'chat.stopStream'} as const
            want(it, stop, {...stop, method: 'chat.appendStream'})
          } else {
            want(it, {rank: kind === 'final' ? 'final' : 'preview'})
          }
          await advance(clock, waitMs, settle)
        }
        await advance(clock, 120_000, async () => undefined)
        await settle()
        for (const {granted} of replies) expect(granted.length).toBeLessThanOrEqual(1)
        const calls = replies.flatMap(({granted}) => granted)
        for (const {method, atMs} of calls) {
          if (method !== 'chat.update') continue
          expect(silences.some(({fromMs, untilMs}) => atMs > fromMs && atMs < untilMs)).toBe(false)
        }
        for (const method of new Set(calls.map((call) => call.method))) {
          const times = calls.flatMap((call) => (call.method === method ? call.atMs : []))
          const {perMinute = 0, burst = 0} = budgets[method]?.[0] ?? {}
          for (const [index, fromMs] of times.toSorted((a, b) => a - b).entries()) {
            const later = times.toSorted((a, b) => a - b).slice(index)
            for (const [count, toMs] of later.entries()) {
              expect(count + 1).toBeLessThanOrEqual(
                burst + ((toMs - fromMs) * perMinute) / 60_000 + 0.05,
              )
            }
          }
        }
      },
    ),
    {numRuns: 25},
  )
})

test('what could not be shown waits on, and is no growth', () => {
  const clock = createManualClock()
  const backlog = createBacklog(clock)
  backlog.grow(100)
  clock.advance(1000)
  const before = backlog.perSecond()
  for (let times = 0; times < 2000; times += 1) backlog.shown()()
  expect([backlog.chars(), backlog.waited()]).toEqual([100, 100])
  expect(backlog.perSecond()).toBe(before)
  const putBack = backlog.shown()
  clock.advance(2000)
  putBack()
  expect([backlog.chars(), backlog.waited()]).toEqual([100, 300])
})

test('how fast a reply grows is known from its first characters on, and forgotten within seconds', () => {
  const clock = createManualClock()
  const backlog = createBacklog(clock)
  expect(backlog.perSecond()).toBe(0)
  // As if they had come within a second, of which the first part counts for less.
  backlog.grow(15)
  expect(backlog.perSecond()).toBeCloseTo(17, 0)
  for (let count = 0; count < 600; count += 1) {
    clock.advance(100)
    backlog.grow(100)
  }
  const before = backlog.perSecond()
  clock.advance(4000)
  // After the time over which it is looked at, the e-th part is left.
  expect(backlog.perSecond() / before).toBeCloseTo(1 / Math.E, 2)
})
