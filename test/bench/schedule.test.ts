import {describe, expect, test} from 'vitest'
import {optimum} from '../../bench/schedule/optimum.ts'
import {simulate} from '../../bench/schedule/simulation.ts'
import {unevenWork, finalsWork} from '../../bench/schedule/work.ts'

const cards = 'with cards'

describe('the schedule, simulated', () => {
  test.each([
    {threads: 1, mostS: 0.24},
    {threads: 5, mostS: 0.75},
    {threads: 20, mostS: 4},
    {threads: 50, mostS: 10},
  ])('keeps $threads replies waiting no longer than $mostS s', async ({threads, mostS}) => {
    for (const seed of [1, 2]) {
      const it = await simulate({work: unevenWork(threads, seed), writer: 'auto', cards})
      expect(it.meanS).toBeLessThan(mostS)
      expect(it.unfinished).toBe(0)
      expect(it.refused).toBe(0)
      if (threads <= 5) expect(it.firstS).toBeLessThan(0.3)
    }
  })

  test('shows what comes complete at once, while a hundred replies grow', async () => {
    const it = await simulate({work: finalsWork(100, 60_000, 1), writer: 'auto', cards})
    expect(it.shortS).toBeLessThan(2)
    expect(it.unfinished).toBe(0)
  })
})

test('whoever knows everything does better than the schedule, and not better than the bound', async () => {
  const work = unevenWork(5, 1)
  const best = optimum({threads: 5, writer: 'edit', work})
  const it = await simulate({work, writer: 'edit', cards: 'without cards'})
  expect(best.meanS).toBeLessThan(it.meanS)
  expect(best.boundS).toBeLessThan(best.meanS)
})

test('whoever holds text back until it can be read does no better for that', () => {
  const work = unevenWork(1, 1)
  const held = work.map(({channel, fragments}) => {
    let said = 0
    return {
      channel,
      fragments: fragments.map(({atMs, chars}, index) => {
        said += chars
        return {atMs, chars, readable: index === fragments.length - 1 ? said : said - (said % 40)}
      }),
    }
  })
  const heldS = optimum({threads: 1, writer: 'edit', work: held}).meanS
  const freeS = optimum({threads: 1, writer: 'edit', work}).meanS
  expect(heldS).toBeGreaterThan(freeS)
})
