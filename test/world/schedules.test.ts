import {expect, test} from 'vitest'
import {ACTIONS} from '../../src/slack/ids.ts'
import {createModals} from '../support/modals.ts'
import {MOMENT_MS, makeMinutely} from '../support/schedules.ts'
import {openTurnedClock} from '../support/turned-clock.ts'
import {KIM} from '../support/world.ts'
import {openWorld} from './open-world.ts'

test('what a schedule starts is followed in the channel that wants it, each once, and nowhere else', async (context) => {
  const clock = openTurnedClock(context)
  const world = await openWorld(context, {pace: 0.05, clock})
  const at = createModals(world)
  await clock.turnToMinute([world.bot])
  const quiet = await makeMinutely(world, 'quiet')
  const loud = await makeMinutely(world, 'loud')
  await loud.follow()
  await world.until('the first is followed', () => loud.heads().length > 0, MOMENT_MS)
  await world.until('it is shown', () => loud.isShown())

  // What it starts while nobody is there is followed by who comes then.
  const before = loud.runs().length
  await world.bot.kill()
  await clock.turnToMinute([])
  await world.until('it has run again', () => loud.runs().length > before, MOMENT_MS)
  await world.startBot()
  await world.until('all of them are shown', () => loud.isShown())

  const here = {as: KIM, channel: quiet.channel}
  await at.command('automations', here)
  const list = await at.hears(KIM, quiet.channel, '*Automations of ')
  // That of another channel is the other one's to follow.
  expect(list.text).not.toContain('is followed in this channel')
  const blocks = JSON.parse(list.blocks) as {block_id: string}[]
  const rows = blocks.filter((block) => JSON.stringify(block).includes(ACTIONS.automationDetails))
  const details = () =>
    world.slack
      .ephemerals(quiet.channel, KIM)
      .filter(({text}) => text.includes('*What it does*'))
      .map(({text}) => text)
  for (const [nth, {block_id: blockId}] of rows.entries()) {
    const actionId = ACTIONS.automationDetails
    await world.slack.people.press({...here, ts: list.ts, actionId, blockId})
    await world.until('the details are told', () => details().length > nth)
  }
  const told = details().map((text) => [text.includes('for quiet'), text.includes('▶️ *')])
  const expected = [
    [true, true],
    [false, false],
  ]
  expect(told).toEqual(expect.arrayContaining(expected))
  expect(quiet.heads()).toEqual([])
})
