import {expect, test} from 'vitest'
import {FAULTLESS, sightOf, verdict} from '../support/verdict.ts'
import {openWorld} from './open-world.ts'

const CUTS = 40
const TASK = '@Bosun fix the rounding of the cart'

test('streams that are cut at 40 places of a run change nothing that people read', async (context) => {
  const world = await openWorld(context, {proxy: true, pace: 0.5})
  const {slack, proxy} = world
  const first = await world.say(TASK)
  await world.settled(first)
  const undisturbed = sightOf(world.repliesIn(first), slack.botUserId)
  const bytes = proxy.streamBytes[0] ?? 0
  expect(bytes).toBeGreaterThan(5000)

  let next = 0
  proxy.planCuts(({ordinal}) => {
    if (ordinal > 1 || next === CUTS) return undefined
    next += 1
    // On a busy machine a stream opens when much has been said, and brings few of the bytes: more places lie near its beginning.
    return Math.floor(bytes * 0.8 * (next / CUTS) ** 2)
  })
  const places = await Promise.all(Array.from({length: CUTS}, () => world.say(TASK)))
  for (const place of places) await world.settled(place)

  expect(proxy.counts.cuts).toBeGreaterThanOrEqual(CUTS / 4)
  for (const place of places) {
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(sightOf(world.repliesIn(place), slack.botUserId)).toEqual(undisturbed)
  }
})
