import {createDice} from '../../local/platform/agent/dice.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {isQuestion} from '../../test/support/verdict.ts'
import {JANE, KIM, type Place, type World, startWorld} from '../../test/support/world.ts'
import {atLeast, never} from '../lines.ts'
import type {Part} from './part.ts'

const THREADS = 25

/**
 * Replies whose sending the platform has applied, while its answer never comes: each is settled by looking, or its
 * author is asked. Nobody presses [Send again]; [Check again] is pressed once the agent rests.
 */
export async function measureLostAnswers(times: number, seed: string): Promise<Part> {
  const dice = createDice(`${seed} lost`)
  await using world = await startWorld({proxy: true, pace: 0.15})
  const places: Place[] = []
  for (let index = 0; index < THREADS; index += 1) places.push(await world.say('@Bosun quick'))
  for (const place of places) await world.settled(place)
  let lost = 0
  const marks: {place: Place; mark: string}[] = []
  while (lost < times) {
    const those = places.slice(0, times - lost)
    for (const place of those) {
      const mark = `mark-${lost}-end`
      lost += 1
      marks.push({place, mark})
      if (dice.int(1, 3) === 1) {
        // What waits behind other work stands in no transcript yet: then its author is asked.
        await world.reply(place, `long ${mark}-first`)
        await world.until('it was sent', () => isSent(world, `${mark}-first`), 60_000)
      }
      world.proxy.swallowAnswers(/^POST .*\/message$/, 1)
      await world.reply(place, `quick ${mark}`, dice.pick([JANE, KIM] as const))
    }
    await world.until('all were sent', () => marks.every(({mark}) => isSent(world, mark)), 60_000)
    await Promise.all(those.map((place) => settle(world, place)))
  }
  const sentTimes = marks.map(({place, mark}) => countIn(world, place, mark))
  return {
    lines: [
      atLeast('answers lost', world.proxy.counts.swallowed, lost),
      never('replies that stand more than once', sentTimes.filter((count) => count > 1).length),
      never('replies that stand nowhere', sentTimes.filter((count) => count === 0).length),
    ],
    told: {'authors asked meanwhile': askedIn(world)},
  }
}

async function settle(world: World, place: Place): Promise<void> {
  await world.settled(place, 120_000)
  for (let look = 0; look < 20; look += 1) {
    if (!world.ours(place).some(isQuestion)) return
    await world.press(place, ACTIONS.checkAgain).catch(() => undefined)
    await world
      .until('it is answered', () => !world.ours(place).some(isQuestion), 10_000)
      .catch(() => undefined)
  }
}

function countIn(world: World, place: Place, mark: string): number {
  const said = world.transcriptIn(place).filter(({source}) => source === 'user')
  return said.filter(({text}) => new RegExp(`${mark}(?!-)`).test(text)).length
}

function isSent(world: World, mark: string): boolean {
  return JSON.stringify(world.posts('/api/v1/threads/:id/message')).includes(mark)
}

function askedIn({slack}: World): number {
  return slack.ledger.calls.filter(
    ({method, args, applied}) =>
      applied && method === 'chat.postMessage' && JSON.stringify(args).includes('Not sure this'),
  ).length
}
