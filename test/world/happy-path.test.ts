import {describe, expect, test} from 'vitest'
import {FAULTLESS, isReply, textOf, verdict} from '../support/verdict.ts'
import type {Place, World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

describe.concurrent.each(['socket', 'http'] as const)('a mention, delivered by %s', (delivery) => {
  test('becomes a thread whose reply grows and settles', async (context) => {
    const world = await openWorld(context, {delivery, pace: 0.7})
    const place = await world.say('@Bosun fix the *rounding* of the cart')
    await world.settled(place)

    expect(verdict(world, place)).toEqual(FAULTLESS)
    await context.expect.poll(() => world.reactionsOn(place)).toEqual(['white_check_mark'])
    const [card, reply] = world.ours(place)
    const steps = world.transcriptIn(place).filter(({source}) => source === 'tool').length
    expect(card?.text).toContain('⚪️ Done')
    expect(JSON.stringify(card?.blocks)).toContain(`asked by @Jane · ${steps} steps`)
    const [entry] = world.transcriptIn(place).filter(({source}) => source === 'assistant')
    expect(reply && textOf(reply)).toBe(entry?.text)
    expect(growthOf(world, place)).toBeGreaterThanOrEqual(3)
    const refused = world.slack.ledger.calls.filter(({answer}) => answer['ok'] !== true)
    expect(refused).toEqual([])
    expect(world.platform.threads()).toHaveLength(1)
  })
})

/** Versions of the first reply that a reader could see, each longer than the one before. */
function growthOf(world: World, place: Place): number {
  const reply = world.ours(place).find(isReply)
  const lengths = world.slack.ledger
    .versions(place.channel, reply?.ts ?? '')
    .map(({message}) => textOf(message).length)
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
  return new Set(lengths).size
}
