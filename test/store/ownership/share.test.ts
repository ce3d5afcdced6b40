import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createSharing, shareOf} from '../../../src/store/ownership/share.ts'

interface Instance {
  sharing: ReturnType<typeof createSharing>
  working: number
  /** For how many rounds more the owner works on each that is being given back. */
  leaving: number[]
  /** What it is to give and to take by, to tell thrashing. */
  given: number
  taken: number
}

const instanceWith = (working: number): Instance => ({
  ...{sharing: createSharing(), working, leaving: [], given: 0, taken: 0},
})

/** All of them look once, in this order; each leave takes up to so many rounds. */
function round(all: Instance[], at: {free: number}, order: number[], leaveRounds: number[]) {
  const names = at.free + all.reduce((sum, {working, leaving}) => sum + working + leaving.length, 0)
  for (const rank of order) {
    const one = all[rank]
    if (one === undefined) continue
    at.free += one.leaving.filter((left) => left === 0).length
    one.leaving = one.leaving.filter((left) => left > 0).map((left) => left - 1)
    const sight = {names, free: at.free, living: all.length, rank}
    const hands = {working: one.working, leaving: one.leaving.length}
    const {give, lack} = one.sharing(sight, hands)
    const take = Math.min(lack, at.free)
    at.free -= take
    one.working += take - give
    one.taken += take
    one.given += give
    for (let count = 0; count < give; count += 1) {
      one.leaving.push(leaveRounds[count % leaveRounds.length] ?? 0)
    }
  }
  return names
}

test('shares add up to all, and differ by one at most', () => {
  for (let living = 1; living <= 7; living += 1) {
    for (let names = 0; names <= 30; names += 1) {
      const ranks = Array.from({length: living}, (_, rank) => rank)
      const shares = ranks.map((rank) => shareOf({names, living, rank, free: 0}))
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(names)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    }
  }
})

test('from any state all have their share within a few rounds of the slowest leave, and nobody both gives and takes', () => {
  const LONGEST = 8
  fc.assert(
    fc.property(
      fc.array(fc.nat(300), {minLength: 1, maxLength: 8}),
      fc.nat(50),
      fc.array(fc.nat(LONGEST), {minLength: 1, maxLength: 20}),
      fc.infiniteStream(fc.integer({min: 0, max: 1e6})),
      (start, free, leaveRounds, random) => {
        const all = start.map(instanceWith)
        const at = {free}
        const isEven = (names: number): boolean =>
          all.every(
            ({working, leaving}, rank) =>
              leaving.length === 0 &&
              working === shareOf({names, free: 0, living: all.length, rank}),
          )
        let rounds = 0
        for (let names = -1; names < 0 || !isEven(names); rounds += 1) {
          if (rounds > 40) throw new Error(`Not even: ${all.map(({working}) => working).join()}`)
          const order = all.map((_, rank) => ({rank, key: random.next().value as number}))
          names = round(
            all,
            at,
            order.sort((a, b) => a.key - b.key).map(({rank}) => rank),
            leaveRounds,
          )
        }
        expect(rounds).toBeLessThanOrEqual(2 * LONGEST + 8)
        expect(all.filter(({given, taken}) => given > 0 && taken > 0)).toEqual([])
      },
    ),
    {numRuns: 500},
  )
})

test('five that join one with 300 names have theirs four looks after the slowest leave', () => {
  const all = [instanceWith(300), ...Array.from({length: 5}, () => instanceWith(0))]
  const at = {free: 0}
  const order = [0, 1, 2, 3, 4, 5]
  for (let turn = 0; turn < 8 + 4; turn += 1) round(all, at, order, [0, 3, 8, 1])
  expect(all.map(({working}) => working)).toEqual([50, 50, 50, 50, 50, 50])
})

test('while nobody takes a part, the rest is not given', () => {
  const sharing = createSharing()
  const sight = {names: 100, living: 2, rank: 0}
  expect(sharing({...sight, free: 0}, {working: 100, leaving: 0})).toEqual({give: 13, lack: 0})
  expect(sharing({...sight, free: 0}, {working: 87, leaving: 13})).toEqual({give: 0, lack: 0})
  expect(sharing({...sight, free: 10}, {working: 87, leaving: 3})).toEqual({give: 0, lack: 0})
  expect(sharing({...sight, free: 13}, {working: 87, leaving: 0})).toEqual({give: 0, lack: 0})
  // The first that somebody takes is enough, whoever is still leaving.
  expect(sharing({...sight, free: 9}, {working: 87, leaving: 3})).toEqual({give: 37, lack: 0})
})
