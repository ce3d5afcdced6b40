import {join} from 'node:path'
import Database from 'better-sqlite3'
import {beforeAll, expect, test} from 'vitest'
import {killAtEach, seededInstants, sightIn, undisturbed} from '../support/kills.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import type {Place, World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

// The long run of this, with many threads at work, is `bench/kills.ts`.
// Slack delivers what was not acknowledged again after a minute: too long to wait for here.
const OPTIONS = {pace: 0.15, latencyMs: 30, slackTimeFactor: 0.15}
const AT_ANY_CALL = [
  ['chat.update', 1],
  [undefined, 6],
  ['reactions.add', 1],
] as const
const AT_POSTS = [['chat.postMessage', 2]] as const

let sights: Map<string, string[]>
beforeAll(async () => {
  sights = await undisturbed(OPTIONS)
})

test.concurrent.for([
  ['at any call', 'compass', 10, AT_ANY_CALL, 'stream'],
  ['while messages are made', 'anchor', 10, AT_POSTS, 'edit'],
] as const)(
  'a bot that is killed %s shows what it would have shown (%s, %i times)',
  async ([, seed, count, kinds, writer], context) => {
    const world = await openWorld(context, {
      apart: true,
      ...OPTIONS,
      settings: {SLACK_WRITER: writer},
    })
    const asked = await killAtEach(world, seededInstants(seed, count, kinds))
    for (const {place} of asked) await world.settled(place)

    expect(world.bot.kills()).toBe(count)
    for (const {place, task} of asked) {
      expect(verdict(world, place)).toEqual(FAULTLESS)
      const sight = () => sightIn(world, place)
      await context.expect.poll(sight).toEqual(sights.get(task))
    }
  },
)

test.concurrent(
  'work that is put away while Slack is behind is told out after a kill',
  async (context) => {
    const world = await openWorld(context, {apart: true, ...OPTIONS})
    const place = await world.say('@Bosun fix the rounding of the cart')
    await world.until('it begins to answer', () => world.ours(place).length > 1)
    for (const method of ['chat.postMessage', 'chat.update']) {
      world.slack.faults.storm(method, {ms: 600_000})
    }
    const thread = () => world.threadIn(place)
    await world.until('it has ended', () => thread()?.status === 'idle')
    const {originUrl} = world.platform
    const headers = {authorization: `Bearer ${world.settings()['PLATFORM_API_KEY'] ?? ''}`}
    const url = `${originUrl}/api/v1/threads/${thread()?.id ?? ''}/archive`
    expect((await fetch(url, {method: 'POST', headers})).status).toBe(200)
    await world.until('our table says so, too', () => stateIn(world, place) === 'archived')
    await world.bot.kill()
    world.slack.faults.calm()
    await world.startBot()
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  },
)

function stateIn(world: World, {channel, ts}: Place): unknown {
  const database = new Database(join(world.folder, 'bosun.db'), {readonly: true})
  const query = 'select state from links where channel = ? and slack_thread = ?'
  const state = database.prepare(query).pluck().get(channel, ts)
  database.close()
  return state
}
