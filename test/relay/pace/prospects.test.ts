import {describe, expect, test} from 'vitest'
import type {Backlog} from '../../../src/relay/pace/backlog.ts'
import type {Contention} from '../../../src/relay/pace/contention.ts'
import type {Lane} from '../../../src/relay/pace/lanes.ts'
import {opensAtMs, prospectOf} from '../../../src/relay/pace/prospects.ts'
import type {Rank} from '../../../src/relay/post.ts'

const NOW_MS = 1_000_000

interface Waiting {
  /** That wait, and how long they have, all together. */
  chars: number
  waited?: number
  perSecond?: number
  untilPauseMs?: number
  usualGapMs?: number
}

function backlogOf({
  chars,
  waited = 0,
  perSecond = 0,
  untilPauseMs = 60,
  usualGapMs = 40,
}: Waiting) {
  const backlog = {
    ...{chars: () => chars, waited: () => waited, perSecond: () => perSecond},
    ...{untilPauseMs: () => untilPauseMs, usualGapMs: () => usualGapMs},
  }
  return backlog as unknown as Backlog
}

interface Terms {
  price?: number
  intervalS?: number
  load?: number
  isCrowded?: boolean
}

function laneOf({price = 0, intervalS = 1, load = 0, isCrowded = false}: Terms): Lane {
  const contention = {
    ...{price: () => price, intervalFor: () => intervalS, load: () => load},
    isCrowded: () => isCrowded,
  }
  return {buckets: [], scopes: [], contention: contention as unknown as Contention}
}

const ask = (rank: Rank, backlog?: Backlog, notBeforeMs = 0) => ({
  ...{rank, notBeforeMs, sinceMs: 0},
  ...(backlog !== undefined && {backlog}),
})

/** In how many ms it may go. */
const previewIn = (waiting: Waiting, price: number): number => {
  const claim = {ask: ask('preview', backlogOf(waiting)), lane: laneOf({price}), grow: undefined}
  return prospectOf(claim, NOW_MS).atMs - NOW_MS
}
const beginningIn = (waiting: Waiting, terms: Terms): number => {
  const claim = {ask: ask('first', backlogOf(waiting)), lane: laneOf({}), grow: laneOf(terms)}
  return prospectOf(claim, NOW_MS).atMs - NOW_MS
}

describe('what waits to grow', () => {
  test('goes once it is worth its price', () => {
    expect(previewIn({chars: 100, waited: 500}, 500)).toBe(0)
    expect(previewIn({chars: 100, waited: 400}, 500)).toBeGreaterThan(0)
  })

  test('is worth ever more when it has waited for half a minute', () => {
    // Each of its ten characters has waited for 60 s, twice as long: that is worth five times as much.
    expect(previewIn({chars: 10, waited: 600}, 3000)).toBe(0)
    expect(previewIn({chars: 10, waited: 600}, 3001)).toBeGreaterThan(0)
  })

  test('goes at once where it would be worth it before more usually comes', () => {
    // 1000 characters gather 40 in 40 ms.
    expect(previewIn({chars: 1000, usualGapMs: 40}, 40)).toBe(0)
    expect(previewIn({chars: 1000, usualGapMs: 40, untilPauseMs: 60}, 41)).toBe(60)
    expect(previewIn({chars: 1000, usualGapMs: 40, untilPauseMs: 5}, 41)).toBe(20)
  })

  test('goes at once in a pause that would make it worth it', () => {
    // 1000 characters gather 200 in a fifth of a second.
    expect(previewIn({chars: 1000, untilPauseMs: -1}, 200)).toBe(0)
    expect(previewIn({chars: 1000, untilPauseMs: -1}, 300)).toBe(100)
  })

  test('is looked at again in a tenth of the time that is missing, or sooner where that is short', () => {
    // Ten characters gather 100 in ten seconds, and 10 in one.
    expect(previewIn({chars: 10}, 100)).toBe(1000)
    expect(previewIn({chars: 10}, 10)).toBe(100)
    // 1000 characters gather 300 in 300 ms.
    expect(previewIn({chars: 1000}, 300)).toBe(100)
    // Of what grows the missing comes sooner: five characters and ten more each second gather 30 in two seconds.
    expect(previewIn({chars: 5, perSecond: 10}, 30)).toBeCloseTo(200)
  })

  test('waits for its own time, and for no price where it has not grown', () => {
    const lane = laneOf({price: 1000})
    const early = ask('preview', backlogOf({chars: 5}), NOW_MS + 700)
    expect(prospectOf({ask: early, lane, grow: undefined}, NOW_MS).atMs).toBe(NOW_MS + 700)
    expect(previewIn({chars: 0}, 1000)).toBe(0)
    expect(prospectOf({ask: ask('preview'), lane, grow: undefined}, NOW_MS)).toEqual({
      ...{atMs: NOW_MS, worth: 0},
    })
  })
})

describe('a reply that begins', () => {
  test('does so at once where it would be shown every 2.8 s or more often', () => {
    expect(beginningIn({chars: 1, perSecond: 10}, {intervalS: 2.8})).toBe(0)
    expect(beginningIn({chars: 1, perSecond: 10}, {intervalS: 4})).toBeGreaterThan(0)
  })

  test('waits for as long as it would wait between two showings, less that', () => {
    // Ten characters a second gather 10 · 1.2² / 2 in 1.2 s.
    const terms = {intervalS: 4}
    expect(beginningIn({chars: 12, waited: 7.21, perSecond: 10}, terms)).toBe(0)
    expect(beginningIn({chars: 12, waited: 5, perSecond: 10}, terms)).toBeGreaterThan(0)
  })

  test('waits much longer where more have begun than there will be edits for', () => {
    // Twice as many: 4 · 2⁴ - 2.8 = 61.2 s, in which ten characters a second gather 18,727.
    const terms = {intervalS: 4, load: 2, isCrowded: true}
    expect(beginningIn({chars: 10_000, waited: 18_730, perSecond: 10}, terms)).toBe(0)
    expect(beginningIn({chars: 10_000, waited: 10_000, perSecond: 10}, terms)).toBeGreaterThan(0)
  })

  test('waits for the same time as others where more want to begin than that', () => {
    // In 8.6 s ten characters a second gather 369.8.
    const terms = {intervalS: 400, load: 1, isCrowded: true}
    expect(beginningIn({chars: 1000, waited: 369.8, perSecond: 10}, terms)).toBe(0)
    expect(beginningIn({chars: 1000, waited: 300, perSecond: 10}, terms)).toBeGreaterThan(0)
  })

  test('is worth more on the way that shows it more often', () => {
    const worthAt = (intervalS: number): number => {
      const claim = {
        ...{ask: ask('first', backlogOf({chars: 9})), lane: laneOf({}), grow: laneOf({intervalS})},
      }
      return prospectOf(claim, NOW_MS).worth
    }
    expect(worthAt(2)).toBeGreaterThan(worthAt(4))
  })
})

test('of last words the most text goes first, what has waited for long before that, and what is no text before all', () => {
  const worthOf = (waiting?: Waiting): number => {
    const backlog = waiting && backlogOf(waiting)
    return prospectOf({ask: ask('final', backlog), lane: laneOf({}), grow: undefined}, NOW_MS).worth
  }
  expect(worthOf({chars: 100})).toBe(100)
  // A minute of each counts five times.
  expect(worthOf({chars: 10, waited: 600})).toBe(50)
  expect([worthOf(), worthOf({chars: 0})]).toEqual([Infinity, Infinity])
})

test('each rank leaves so many tokens to those above it', () => {
  const tokensFor = (rank: Rank, burst: number, reserve: number): number => {
    const counts: number[] = []
    const waitMs = (count: number): number => {
      counts.push(count)
      return 500
    }
    const bucket = {burst: () => burst, waitMs} as unknown as Lane['buckets'][number]
    const contention = {reserve: () => reserve} as unknown as Contention
    expect(opensAtMs({buckets: [bucket], scopes: [], contention}, rank, NOW_MS)).toBe(NOW_MS + 500)
    return counts[0] ?? 0
  }
  const ranks: Rank[] = ['final', 'first', 'state', 'preview', 'spare']
  expect(ranks.map((rank) => tokensFor(rank, 9, 3))).toEqual([1, 1, 3, 4, 7])
  // Where nothing grows.
  expect(ranks.map((rank) => tokensFor(rank, 9, 0))).toEqual([1, 1, 1, 2, 7])
  expect(ranks.map((rank) => tokensFor(rank, 1, 0))).toEqual([1, 1, 1, 1, 1])
})
