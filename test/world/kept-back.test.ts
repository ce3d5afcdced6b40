import {expect, test} from 'vitest'
import {KIM} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const KEPT_BACK = 'Slack keeps events of this workspace back'

test.for(['socket', 'http'] as const)(
  'events that Slack keeps back are told of in the log and where operators look, by %s, and nothing breaks',
  async (delivery, context) => {
    const world = await openWorld(context, {delivery, apart: true})
    const {faults, people} = world.slack
    const usual = faults.eventsPerHour
    faults.eventsPerHour = 0
    await people.post({as: KIM, channel: 'C0WEB', text: 'one of too many'})
    await world.until('it is told', () => world.bot.output().includes(KEPT_BACK))
    const port = /port (\d+)/.exec(world.bot.output())?.[1] ?? ''
    const health = await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()
    expect(health).toMatch(/more than 30,000 events of T0LOCAL/)
    await world.until('Slack knows that it was heard', () =>
      world.slack.ledger.deliveries.some(
        ({payload, outcome}) => payload['type'] === 'app_rate_limited' && outcome === 'acked',
      ),
    )
    faults.eventsPerHour = usual
    await world.settled(await world.say('@Bosun a quick check'))
    expect(world.bot.output()).not.toContain('left alone')
    expect(world.bot.output().split(KEPT_BACK)).toHaveLength(2)
  },
)
