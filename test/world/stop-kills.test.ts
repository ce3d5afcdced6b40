import {expect, test} from 'vitest'
import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {JANE, KIM, type Place, type World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const HELD = '⏸ *Held: not sent*'
const MOMENTS = ['before', 'at', 'after'] as const

test.concurrent.for(['cancel', 'interrupt'] as const)(
  'a bot that is killed around the %s of a stop holds what waited, and sends it when somebody says so',
  async (call, context) => {
    const world = await openWorld(context, {apart: true, pace: 0.2, proxy: true})
    for (const moment of MOMENTS) {
      const place = await working(world, `work ${call} ${moment}`)
      const words = [`a quick ${call} ${moment} one`, `a quick ${call} ${moment} two`]
      await waitingFor(world, place, words)
      world.proxy.strikeAt(callOf(call), moment, () => void world.bot.kill())
      const end = world.bot.ended()
      await world.press(place, ACTIONS.stop, KIM)
      await end
      await world.startBot()
      const rows = words.map((it) => `“${it}” · @Jane`)
      const list = await listed(world, place, [HELD, ...rows])
      await world.until('it is stopped', () => cardOf(world, place).includes('⏹ Stopped by @Kim'))
      await world.until('it rests', () => world.threadIn(place)?.status === 'idle')
      expect(saidIn(world, place)).toHaveLength(1)

      const press = {as: JANE, channel: place.channel, ts: list.ts, actionId: ACTIONS.sendHeld}
      await world.slack.people.press(press)
      await world.until('the agent has it', () => saidIn(world, place).length > 1)
      await listed(world, place, [HELD, ...rows.slice(1)])
      await world.settled(place)
      expect(saidIn(world, place)).toEqual([expect.anything(), expect.stringContaining('one')])
    }
  },
)

test.concurrent.for(MOMENTS)(
  'a bot that is killed %s the interrupt of what was too late to take back interrupts that',
  async (moment, context) => {
    const world = await openWorld(context, {apart: true, pace: 0.2, proxy: true})
    const place = await working(world, `work late ${moment}`)
    const late = `the late ${moment} one`
    const steps = [{kind: 'think' as const, delayMs: 600_000}]
    world.platform.control.planScript({when: {text: late}, steps})
    await waitingFor(world, place, [late])
    const slow = world.platform.control.faults.add({
      match: {path: '/messages/.*/cancel'},
      times: null,
      fault: {kind: 'delay', ms: 5000},
    })
    let interrupts = 0
    const end = world.bot.ended()
    const strike = (): void => {
      interrupts += 1
      if (interrupts === 2) void world.bot.kill()
      // The first one has to come through.
      else world.proxy.strikeAt(callOf('interrupt'), moment, strike)
    }
    world.proxy.strikeAt(callOf('interrupt'), 'after', strike)
    await world.press(place, ACTIONS.stop, KIM)
    await end
    expect(saidIn(world, place)).toHaveLength(2)
    world.platform.control.faults.remove(slow)
    await world.startBot()
    await world.until('it rests', () => world.threadIn(place)?.status === 'idle')
    await world.until('it is stopped', () => cardOf(world, place).includes('⏹ Stopped by @Kim'))
    await world.until('nothing waits', () =>
      world.ours(place).every(({text}) => !/^[⏳⏸]/u.test(text)),
    )
    expect(saidIn(world, place)).toHaveLength(2)
  },
)

test.concurrent(
  'a stop that is asked for again after a kill leaves alone what a later message began',
  async (context) => {
    const world = await openWorld(context, {apart: true, pace: 0.2, proxy: true})
    const place = await working(world, 'work long ago')
    await waitingFor(world, place, ['a quick old one'])
    // It comes through, and nobody hears of it: it is asked for again.
    world.proxy.strikeAt(callOf('interrupt'), 'at', () => void world.bot.kill())
    const end = world.bot.ended()
    await world.press(place, ACTIONS.stop, KIM)
    await end
    // Until the bot has sent a newer message, its interrupt is too slow to come through.
    const slow = world.platform.control.faults.add({
      match: {path: '/(interrupt|messages/.*/cancel)$'},
      times: null,
      fault: {kind: 'answer', status: 503, body: {}, applied: false},
    })
    const steps = [
      {kind: 'think' as const, delayMs: 40_000},
      {kind: 'say' as const, fragments: ['The new one is done.']},
    ]
    world.platform.control.planScript({when: {text: 'the new one'}, steps})
    await world.startBot()
    await world.reply(place, 'the new one')
    await world.until('it is at work on that', () => saidIn(world, place).length === 2)
    world.platform.control.faults.remove(slow)
    await listed(world, place, [HELD, '“a quick old one” · @Jane'])
    await world.until('it is done', () =>
      world.transcriptIn(place).some(({text}) => text === 'The new one is done.'),
    )
    expect(saidIn(world, place)).toHaveLength(2)
    await listed(world, place, [HELD, '“a quick old one” · @Jane'])
  },
)

function callOf(call: 'cancel' | 'interrupt'): RegExp {
  return new RegExp(`^POST \\S+/${call}$`)
}

/** The agent thinks until somebody ends it. */
async function working(world: World, task: string): Promise<Place> {
  const steps = [{kind: 'think' as const, delayMs: 600_000}]
  world.platform.control.planScript({when: {text: task}, steps})
  const place = await world.say(`@Bosun ${task}`)
  await world.until('it works', () => cardOf(world, place).includes('🔵 Working'))
  return place
}

async function waitingFor(world: World, place: Place, all: readonly string[]): Promise<void> {
  for (const words of all) {
    await world.reply(place, words)
    await world.until(`“${words}” waits`, () =>
      world.ours(place).some(({text}) => text.startsWith('⏳') && text.includes(words)),
    )
  }
}

function listed(world: World, place: Place, lines: string[]): Promise<StoredMessage> {
  return world.until(
    `the list says ${JSON.stringify(lines)}`,
    () => world.ours(place).find(({text}) => text === lines.join('\n')),
    60_000,
  )
}

function cardOf(world: World, place: Place): string {
  return JSON.stringify(world.ours(place)[0]?.blocks ?? [])
}

function saidIn(world: World, place: Place): string[] {
  const said = world.transcriptIn(place).filter(({source}) => source === 'user')
  return said.map(({text}) => text)
}
