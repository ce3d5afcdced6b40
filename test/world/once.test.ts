import {describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM} from '../support/world.ts'
import {openWorld, startInside} from './open-world.ts'

describe.concurrent.each(['socket', 'http'] as const)(
  'what Slack delivers three times by %s',
  (delivery) => {
    test('counts once: one thread, one message, one interrupt, one sending of what was held', async (context) => {
      const world = await openWorld(context, {delivery, pace: 0.3})
      world.slack.faults.deliveries = 3
      const place = await world.say('@Bosun write the long report')
      await world.until('a reply stands', () => world.ours(place).length > 1)
      const follow = await world.reply(place, 'then a quick look at the taxes')
      await world.until('it waits', () =>
        world.ours(place).some(({text}) => text.includes('then a quick look at the taxes')),
      )
      const presses = [JANE, JANE, KIM].map((as) => world.press(place, ACTIONS.stop, as))
      expect(await Promise.all(presses)).toEqual(['acked', 'acked', 'acked'])
      const isHeld = ({text}: {text: string}): boolean => text.includes('Held: not sent')
      await world.until('what waited is held', () => world.ours(place).some(isHeld))
      const list = world.ours(place).find(isHeld) ?? place
      const send = {channel: place.channel, ts: list.ts, actionId: ACTIONS.sendHeld, as: JANE}
      await Promise.all([1, 2].map(() => world.slack.people.press(send)))
      await world.until('what waited is answered', () =>
        world.transcriptIn(place).some(({text}) => text.includes('answer 2')),
      )
      await world.settled(place)

      await context.expect.poll(() => world.reactionsOn(follow)).toEqual(['white_check_mark'])
      expect(verdict(world, place)).toEqual(FAULTLESS)
      expect(world.posts('/api/v1/threads')).toHaveLength(1)
      // When it was written, and when the held one was sent.
      expect(world.posts('/api/v1/threads/:id/message')).toHaveLength(2)
      expect(world.posts('/api/v1/threads/:id/interrupt')).toHaveLength(1)
      expect(world.slack.ephemerals(place.channel, JANE)).toEqual([])
      await context.expect.poll(() => world.reactionsOn(place)).toEqual(['white_check_mark'])
      const tries = Map.groupBy(world.slack.ledger.deliveries, ({key}) => key)
      expect([...tries.values()].every((those) => those.length === 3)).toBe(true)
    })
  },
)

test('a press that is refused takes nothing from one that is not', async (context) => {
  const world = await openWorld(context, {pace: 0.3})
  const {people, faults} = world.slack
  const guest = await people.addMember({name: 'gus', realName: 'Gus', guest: 'multi_channel'})
  await people.invite('C0WEB', guest.id)
  const place = await world.say('@Bosun write the long report')
  await world.until('it can be stopped', () =>
    world.ours(place).some(({blocks}) => JSON.stringify(blocks).includes(ACTIONS.stop)),
  )
  // Until Slack says who the guest is, nobody knows that the press comes to nothing.
  faults.failNext('users.info', {times: 2, error: 'internal_error', applied: false})
  expect(await world.press(place, ACTIONS.stop, guest.id)).toBe('acked')
  expect(await world.press(place, ACTIONS.stop, JANE)).toBe('acked')
  await world.until('it is stopped', () =>
    world.ours(place).some(({text}) => text.includes('Stopped by')),
  )
  await world.until('the guest is told', () =>
    world.slack.ephemerals(place.channel, guest.id).some(({text}) => text.includes('Guests')),
  )
  expect(world.posts('/api/v1/threads/:id/interrupt')).toHaveLength(1)
})

test('a reply that Slack delivers before the mention that it answers reaches the agent once', async (context) => {
  const world = await openWorld(context, {pace: 0.1})
  world.slack.faults.reorder = true
  const place = await world.say('@Bosun write the long report')
  await world.reply(place, 'with a quick look at the taxes')
  await world.until('the agent has both', () =>
    world.transcriptIn(place).some(({text}) => text.includes('with a quick look at the taxes')),
  )
  world.slack.faults.reorder = false
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  expect(world.posts('/api/v1/threads/:id/message')).toHaveLength(1)
})

test.each([true, false])(
  'the word stop right behind its mention stops the work (delivered before it: %s)',
  async (reorder) => {
    await using world = await startInside({pace: 1})
    world.slack.faults.reorder = reorder
    const place = await world.say('@Bosun write the long report')
    await world.reply(place, 'stop')
    await world.until('it is stopped', () =>
      world.ours(place).some(({text}) => text.includes('Stopped by')),
    )
    await world.until('nothing runs', () =>
      world.platform.threads().every(({status}) => status === 'idle'),
    )
    // That it had to wait for its mention is nobody's business.
    expect(world.slack.ephemerals(place.channel, JANE)).toEqual([])
  },
)

test('of two edits that Slack delivers in the opposite order the later one counts', async (context) => {
  const world = await openWorld(context, {pace: 0.1})
  const place = await world.say('@Bosun a quick wall of brick')
  await world.settled(place)
  const said = () => world.transcriptIn(place).filter(({source}) => source === 'user')
  const edit = (text: string) => world.slack.people.edit({as: JANE, ...place, text})
  world.slack.faults.reorder = true
  await edit('<@U0BOSUN> a quick wall of wood')
  await edit('<@U0BOSUN> a quick wall of stone')
  await world.until('it is corrected', () => said().length > 1)
  world.slack.faults.reorder = false
  await world.reply(place, 'and a quick gate')
  await world.until('what comes later is answered', () =>
    said().some(({text}) => text.includes('gate')),
  )
  await world.settled(place)
  const words = said().map(({text}) =>
    ['brick', 'wood', 'stone', 'gate'].find((it) => text.includes(it)),
  )
  expect(words).toEqual(['brick', 'stone', 'gate'])
})
