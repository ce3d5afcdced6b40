import {expect} from 'vitest'
import {ACTIONS} from '../../../src/slack/ids.ts'
import {FAULTLESS, isComplete, verdict} from '../verdict.ts'
import {openRaw} from '../raw-database.ts'
import {startWorld} from '../world.ts'
import {type Scene, plantScene} from './scene.ts'
import {RELEASED_KEY, SCENE} from './versions.ts'

/** So many times as fast as that of the stand-ins the bot's time runs, once all has arrived. */
const HASTE = 20

/** Starts today's bot on what a released version has left, and expects it to end all that was begun, each thing once. */
export async function goesOn(
  name: string,
  databaseIn: (folder: string) => string,
  settings: Record<string, string> = {},
): Promise<void> {
  let scene: Scene | undefined
  let database = ''
  await using world = await startWorld({
    pace: 0.05,
    // Socket Mode has deadlines of its own, which would pass between two signs of life.
    ...{haste: HASTE, heartbeatMs: 15_000 / HASTE, delivery: 'http'},
    slackOnDisk: true,
    settings: {BOSUN_KEYS: `${RELEASED_KEY.id}:${RELEASED_KEY.text}`, ...settings},
    plant: async (folder) => {
      database = databaseIn(folder)
      scene = await plantScene(folder, name, database)
    },
  })
  if (scene === undefined) throw new Error('Nothing was planted.')
  const {place, second, halfTs} = scene
  // What Slack does not have at two looks, so many seconds apart, it never got.
  process.kill(world.bot.pid() ?? 0, 'SIGUSR2')
  // Nobody knows whether the message reached the agent: whoever wrote it is asked.
  await world.until('they are asked', () =>
    world.ours(place).some(({blocks}) => JSON.stringify(blocks ?? []).includes(ACTIONS.sendAgain)),
  )
  await world.settled(place)
  await world.settled(second)
  // The thread is the one of before, and one card stands: the one of which only Slack knew.
  expect(verdict(world, place)).toEqual({...FAULTLESS, creations: 0})
  expect(verdict(world, second)).toEqual(FAULTLESS)
  expect(isComplete(verdict(world, place))).toBe(true)
  const half = world.ours(place).find(({ts}) => ts === halfTs)
  expect(half?.text).toContain('Once there was')
  await using raw = await openRaw(database)
  // Of other workspaces nothing is done without their tokens.
  const intended = `select key from posts join links on links.id = link_id
    where posts.state = 'intended' and team = ?`
  expect(await raw.all(intended, SCENE.team)).toEqual([])
  const unread = "select id from inbox where state = 'open' and team = ?"
  expect(await raw.all(unread, SCENE.team)).toEqual([])
}
