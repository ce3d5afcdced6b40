import {expect, test} from 'vitest'
import {KIM} from '../support/world.ts'
import {openWorld} from './open-world.ts'

/** Everybody in them is somebody else. */
const crowd = (from: number, count: number): string =>
  Array.from({length: count}, (_, at) => `<@U0GHOST${from + at}>`).join(' ')

test('a message that points at 2,800 people asks Slack for few names, and keeps nobody waiting', async (context) => {
  const world = await openWorld(context, {strict: true, pace: 0.1})
  const asked = () => world.slack.ledger.calls.filter(({method}) => method === 'users.info')
  const before = asked().length
  for (let from = 0; from < 2800; from += 700) {
    await world.say(`@Bosun a quick check for ${crowd(from, 700)}`)
  }
  const place = await world.say('@Bosun a quick look', {as: KIM})
  await world.until('Kim’s work begins', () => world.threadIn(place) !== undefined)
  await world.until(
    'all of them are begun',
    () => world.platform.threads().filter(({requestId}) => requestId).length === 5,
    60_000,
  )
  // Two people who are asked about, and four messages of thirty names at most.
  expect(asked().length - before).toBeLessThanOrEqual(2 + 4 * 30)
  expect(asked().filter(({status}) => status === 429)).toEqual([])
})
