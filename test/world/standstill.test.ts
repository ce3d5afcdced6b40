import {setTimeout as delay} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {createModals} from '../support/modals.ts'
import {JANE, KIM} from '../support/world.ts'
import {openWorld} from './open-world.ts'

const WEB = 'C0WEB'
/** Slack waits 3 s for an acknowledgement. */
const GIVEN_UP_MS = 3500

test.for(['socket', 'http'] as const)(
  'what Slack has given up while the bot stood still is not done behind its person’s back, by %s',
  async (delivery, context) => {
    const world = await openWorld(context, {delivery, pace: 0.1, apart: true})
    const pid = world.bot.pid() ?? Number.NaN
    process.kill(pid, 'SIGSTOP')
    const typed = world.slack.people
      .command({as: KIM, channel: WEB, command: '/bosun', text: 'watch'})
      .catch(() => 'not acknowledged')
    const place = await world.say('@Bosun a quick check of the gate', {as: JANE})
    await delay(GIVEN_UP_MS)
    process.kill(pid, 'SIGCONT')
    await typed
    await world.settled(place)
    expect(world.platform.threads()).toHaveLength(1)
    // They were told that it failed, and ask again.
    expect(world.slack.ephemerals(WEB, KIM)).toEqual([])
    const at = createModals(world)
    await at.command('watch', {as: KIM, channel: WEB})
    await at.hears(KIM, WEB, 'This channel now hears')
  },
)
