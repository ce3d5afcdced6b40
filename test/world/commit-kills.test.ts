import {join} from 'node:path'
import {expect, test} from 'vitest'
import {COMMITS} from '../support/killing-store.ts'
import {die} from '../support/kill-ways.ts'
import {type Talk, judgeTalks, settleTalks} from '../support/talks.ts'
import {openWorld} from './open-world.ts'

// The long run of this, with many threads at work, is `bench/kills.ts`.
test('a bot that dies before or after any of its commits shows and sends everything once', async (context) => {
  const botMain = join(import.meta.dirname, '..', 'support', 'killing-main.ts')
  const world = await openWorld(context, {pace: 0.2, slackTimeFactor: 0.15, proxy: true, botMain})
  const talks: Talk[] = []
  const deaths: string[] = []
  for (const [index, commit] of COMMITS.entries()) {
    if (!world.bot.isRunning()) await world.startBot()
    const request = {commit, when: index % 2 === 0 ? 'before' : 'after', nth: 1} as const
    const [first] = talks
    const disturb = async (): Promise<void> => {
      if (commit === 'send' && first !== undefined) {
        first.added.push('the other one')
        await world.reply(first.place, 'and the other one')
        return
      }
      const mark = 'fix the rounding of the cart'
      talks.push({place: await world.say(`@Bosun ${mark}`), mark, added: []})
    }
    deaths.push(await die(world, {kind: 'commit', request, isFromStart: false}, disturb))
  }
  await world.startBot()
  const unsettled = await settleTalks(world, talks, () => undefined)
  const {wrongs, details} = judgeTalks(world, talks, {removed: [], unsettled})
  expect(details).toEqual([])
  expect(Object.values(wrongs).every((count) => count === 0)).toBe(true)
  // What it is sent just after its start may come too late for that: then it dies of something else.
  const missed = deaths.filter((death) => death.startsWith('at any time'))
  expect(missed.length).toBeLessThan(COMMITS.length / 2)
})
