import {expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {type Place, type World} from '../support/world.ts'
import {FAULTLESS, isReply, verdict} from '../support/verdict.ts'
import {startInside} from './open-world.ts'

test('work that is taken out of the archive elsewhere is followed again, also by a bot that was away', async () => {
  await using world = await startInside({pace: 0.1, settings: {BOSUN_WATCH_SECONDS: '1'}})
  const here = await world.say('@Bosun please sweep the yard')
  const other = await world.say('@Bosun please rake the leaves')
  await world.settled(here)
  await world.settled(other)
  const card = (place: Place) => JSON.stringify(world.ours(place)[0]?.blocks ?? [])
  const isArchived = (place: Place) => card(place).includes('📦 Archived')

  await elsewhere(world, here, 'archive')
  await world.press(other, ACTIONS.archive)
  await world.until('both are archived', () => isArchived(here) && isArchived(other))
  await elsewhere(world, here, 'unarchive')
  await world.until('it is back', () => !isArchived(here))
  await elsewhere(world, here, 'message', {text: 'and the attic'})
  await world.until('its answer is shown', () => world.transcriptIn(here).length > 3)
  await world.settled(here)

  await world.press(here, ACTIONS.archive)
  await world.until('it is archived again', () => isArchived(here))
  await world.bot.stop()
  await elsewhere(world, here, 'unarchive')
  await world.startBot()
  await world.until('it is back again', () => !isArchived(here))
  expect(isArchived(other)).toBe(true)
})

test('a reply that is written while its work is archived says so, and goes on when that is taken out again', async () => {
  await using world = await startInside({pace: 1})
  const place = await world.say('@Bosun please sweep the yard')
  const shown = (): string => JSON.stringify(world.ours(place).map(({blocks}) => blocks))
  await world.until('it writes', () => world.ours(place).some(isReply))
  await elsewhere(world, place, 'archive')
  await world.until('it is archived', () => shown().includes('📦 Archived before it was finished'))
  expect(shown()).not.toContain('Stopped before it was finished')
  await world.until('it has finished', () => world.transcriptIn(place).some(isSaid))
  await elsewhere(world, place, 'unarchive')
  await world.settled(place)
  expect(verdict(world, place)).toEqual(FAULTLESS)
  expect(shown()).not.toContain('before it was finished')
})

const isSaid = ({source}: {source: string}): boolean => source === 'assistant'

async function elsewhere(world: World, place: Place, what: string, body = {}): Promise<void> {
  const {platform} = world
  const threadId = world.threadIn(place)?.id ?? ''
  const {status} = await fetch(`${platform.baseUrl}/threads/${threadId}/${what}`, {
    method: 'POST',
    headers: {authorization: `Bearer ${platform.keys.human}`, 'content-type': 'application/json'},
    body: JSON.stringify(body),
  })
  expect(status).toBe(200)
}
