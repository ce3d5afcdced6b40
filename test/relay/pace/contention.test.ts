import {describe, expect, test} from 'vitest'
import type {Bucket} from '../../../src/async/buckets.ts'
import type {Backlog} from '../../../src/relay/pace/backlog.ts'
import {createContention} from '../../../src/relay/pace/contention.ts'
import {createManualClock} from '../manual-clock.ts'

/** A reply that grows by so many characters a second, and how often it was asked. */
function reply(perSecond: number): {backlog: Backlog; asked: () => number} {
  let asked = 0
  const grown = {
    perSecond: () => {
      asked += 1
      return perSecond
    },
  }
  return {backlog: grown as unknown as Backlog, asked: () => asked}
}

/** One token comes back each second, and none is there now. */
function open({tokens = 0, burst = 5, perSecond = 1} = {}) {
  const clock = createManualClock()
  const bucket = {tokens: () => tokens, burst: () => burst, perSecond: () => perSecond}
  return {clock, contention: createContention(bucket as unknown as Bucket, clock)}
}

describe('how often a reply can be shown', () => {
  test('alone as often as a token comes', () => {
    const {contention} = open()
    const {backlog} = reply(25)
    expect(contention.intervalFor(backlog)).toBeCloseTo(1)
    contention.join(backlog)
    expect(contention.intervalFor(backlog)).toBeCloseTo(1)
  })

  test('beside others by the root of how fast it grows, also before it has begun', () => {
    const {contention} = open()
    const [fast, slow, next] = [reply(36), reply(9), reply(9)]
    for (const {backlog} of [fast, slow]) contention.join(backlog)
    // Of nine parts six are the fast one's.
    expect(contention.intervalFor(fast.backlog)).toBeCloseTo(9 / 6)
    expect(contention.intervalFor(slow.backlog)).toBeCloseTo(9 / 3)
    expect(contention.intervalFor(next.backlog)).toBeCloseTo(12 / 3)
    contention.leave(fast.backlog)
    expect(contention.intervalFor(slow.backlog)).toBeCloseTo(1)
  })

  test('less often while tokens go to something better, and that is forgotten', () => {
    const {contention, clock} = open()
    const {backlog} = reply(25)
    contention.join(backlog)
    // A token each second would be all that comes back: a fifth of it is kept for growth.
    for (let second = 0; second < 300; second += 1) {
      contention.spend()
      clock.advance(1000)
    }
    expect(contention.intervalFor(backlog)).toBeCloseTo(5)
    clock.advance(600_000)
    expect(contention.intervalFor(backlog)).toBeCloseTo(1, 1)
  })
})

describe('what a token is worth', () => {
  test('grows with the square of the sum of the roots, over three times the square of the rate', () => {
    const {contention} = open({perSecond: 2})
    for (const growth of [16, 36]) contention.join(reply(growth).backlog)
    expect(contention.price()).toBeCloseTo((4 + 6) ** 2 / (3 * 2 ** 2))
  })

  test('is nothing where tokens run over, and a part of it shortly before', () => {
    for (const [tokens, part] of [
      [5, 0],
      [4.75, 0.25],
      [0, 1],
    ] as const) {
      const {contention} = open({tokens})
      const {backlog} = reply(16)
      contention.join(backlog)
      // Beyond a token and a half, which is left to others, those that are there last for 14 s.
      const perSecond = 1 + Math.max(0, tokens - 1.5) / 14
      expect(contention.price()).toBeCloseTo((part * 16) / (3 * perSecond ** 2))
    }
  })

  test('counts those who are about to begin by half', () => {
    const {contention} = open()
    for (let count = 0; count < 2; count += 1) contention.wait(reply(16).backlog)
    expect(contention.price()).toBeCloseTo(4 ** 2 / 3)
    const {backlog} = reply(16)
    contention.wait(backlog)
    contention.waitNoMore(backlog)
    expect(contention.price()).toBeCloseTo(4 ** 2 / 3)
  })

  test('is half of that where not everybody can be shown', () => {
    const {contention} = open()
    for (let count = 0; count < 15; count += 1) contention.join(reply(1).backlog)
    // There are 14 tokens within the length of a reply.
    expect(contention.isCrowded()).toBe(true)
    expect(contention.load()).toBeCloseTo(16 / 14)
    expect(contention.price()).toBeCloseTo(15 ** 2 / 6)
  })
})

test('who rests is none of those who share, until it comes back', () => {
  const {contention, clock} = open()
  const {backlog} = reply(0.05)
  contention.join(backlog)
  clock.advance(1000)
  contention.price()
  expect(contention.load()).toBeCloseTo(1 / 14)
})

test('the others are looked up ten times a second at most, however often somebody asks', () => {
  const {contention, clock} = open()
  const {backlog, asked} = reply(16)
  contention.join(backlog)
  for (let look = 0; look < 1000; look += 1) {
    contention.price()
    clock.advance(1)
  }
  expect(asked()).toBeGreaterThan(5)
  expect(asked()).toBeLessThan(15)
})

test('no reply is shown more often than tokens come, however slowly it grows', () => {
  const {contention} = open()
  const {backlog} = reply(0.5)
  contention.join(backlog)
  expect(contention.intervalFor(backlog)).toBeCloseTo(1)
})
