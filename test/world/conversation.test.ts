import {describe, expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

describe.concurrent('a conversation', () => {
  test('starts with a direct message, without a mention', async (context) => {
    const world = await openWorld(context)
    const place = await world.say('a quick check of the cart', {channel: 'D0JANE'})
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    await context.expect.poll(() => world.reactionsOn(place)).toEqual(['white_check_mark'])

    await world.reply(place, 'one more quick check')
    await world.until('the second reply', () => cardSays(world, place, 'Done', 2))
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.posts('/api/v1/threads/:id/message').map(({body}) => body)).toEqual([
      {
        text: expect.stringMatching(
          /^Jane in a direct message \(slack:[0-9a-z]{8}\):\none more quick check$/,
        ) as string,
        delivery: 'queue',
      },
    ])
  })

  test('goes on with replies: each names its author, waits for its turn and is ticked off', async (context) => {
    const world = await openWorld(context, {pace: 0.4})
    const place = await world.say('@Bosun look at the cart')
    await world.until('it works', () => cardSays(world, place, 'Working'))
    const follow = await world.reply(place, 'and a quick look at <#C0GENERAL> &amp; taxes', KIM)
    await world.until('it is ticked off', () =>
      world.reactionsOn(follow).includes('white_check_mark'),
    )
    await world.until('it was heard', () => repliesOf(world, place) === 2)
    await world.settled(place)

    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.posts('/api/v1/threads/:id/message').map(({body}) => body)).toEqual([
      {
        text: expect.stringMatching(
          /^Kim in #web \(slack:[0-9a-z]{8}\):\nand a quick look at #general & taxes$/,
        ) as string,
        delivery: 'queue',
      },
    ])
    expect(world.posts('/api/v1/threads')).toHaveLength(1)
  })

  test('ends its run when somebody presses Stop, and says who did', async (context) => {
    const world = await openWorld(context, {pace: 0.3})
    const place = await world.say('@Bosun write the long report')
    await world.until('a reply stands', () => repliesOf(world, place) > 0)
    expect(await world.press(place, ACTIONS.stop, KIM)).toBe('acked')
    await world.until('the card says it', () => cardSays(world, place, 'Stopped by @Kim'))
    await world.settled(place)

    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.threadIn(place)?.status).toBe('idle')
    expect(world.posts('/api/v1/threads/:id/interrupt')).toHaveLength(1)
  })

  test('rests when it is archived and works again when it is not', async (context) => {
    const world = await openWorld(context)
    const place = await world.say('@Bosun a quick check')
    await world.settled(place)
    expect(await world.press(place, ACTIONS.archive, JANE)).toBe('acked')
    await world.until('the card is archived', () => cardSays(world, place, '📦 Archived'))
    expect(world.threadIn(place)?.archived).toBe(true)

    await world.reply(place, 'a quick question into the drawer')
    await world.until('somebody says that nobody listens', () =>
      world.slack
        .ephemerals(place.channel, JANE)
        .some(({text}) => text.includes('the agent did not get your message')),
    )
    expect(await world.press(place, ACTIONS.unarchive, KIM)).toBe('acked')
    await world.until('the card is back', () => cardSays(world, place, '⚪️ Done'))
    await world.reply(place, 'one more quick check')
    await world.until('it is answered', () => repliesOf(world, place) === 2)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    expect(world.posts('/api/v1/threads/:id/message')).toHaveLength(1)
  })
})

function cardSays(world: World, place: Place, words: string, replies = 0): boolean {
  return (world.ours(place)[0]?.text.includes(words) ?? false) && repliesOf(world, place) >= replies
}

/** Messages of ours behind the card. */
function repliesOf(world: World, place: Place): number {
  return Math.max(0, world.ours(place).length - 1)
}
