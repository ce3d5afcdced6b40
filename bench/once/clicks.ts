import {setTimeout as delay} from 'node:timers/promises'
import {ACTIONS} from '../../src/slack/ids.ts'
import {JANE, KIM, type Place, type World, startWorld} from '../../test/support/world.ts'
import {exactly} from '../lines.ts'
import type {Part} from './part.ts'
import {type Sender, createSender} from './sender.ts'

const THREADS = 50
const CHANNELS = ['C0WEB', 'C0GENERAL'] as const

/** Archives and unarchives with double clicks of two people, 1 ms apart, and counts what reached the platform. */
export async function measureClicks(clicks: number): Promise<Part> {
  await using world = await startWorld({delivery: 'http', pace: 0.05})
  const sender = createSender(world)
  const places: Place[] = []
  for (let index = 0; index < THREADS; index += 1) {
    const channel = CHANNELS[index % CHANNELS.length] ?? CHANNELS[0]
    places.push(await world.say('@Bosun a quick check', {channel}))
  }
  for (const place of places) await world.settled(place)
  let made = 0
  for (let round = 0; made < clicks; round += 1) {
    const action = round % 2 === 0 ? ACTIONS.archive : ACTIONS.unarchive
    const those = places.slice(0, clicks - made)
    await Promise.all(those.map((place) => doubleClick(world, sender, {place, action})))
    made += those.length
  }
  const count = (path: string): number => world.posts(`/api/v1/threads/:id/${path}`).length
  const calls = count('archive') + count('unarchive')
  return {lines: [exactly('calls of the platform: the double clicks', calls, made)], told: {}}
}

async function doubleClick(
  world: World,
  sender: Sender,
  {place, action}: {place: Place; action: string},
): Promise<void> {
  const other = action === ACTIONS.archive ? ACTIONS.unarchive : ACTIONS.archive
  const button = await world.until('the card has the button', () => find(world, place, action))
  const click = (user: string) =>
    sender.interaction({
      ...{type: 'block_actions', team: {id: world.slack.teamId}, user: {id: user}},
      ...{channel: {id: place.channel}, trigger_id: `${button.ts}.${user}`},
      container: {type: 'message', message_ts: button.ts, thread_ts: place.ts},
      actions: [{action_id: action, value: button.value, action_ts: String(Date.now() / 1000)}],
    })
  const first = click(JANE)
  await delay(1)
  const acks = await Promise.all([first, click(KIM)])
  if (acks.includes(undefined)) throw new Error('A click was not acknowledged.')
  await world.until('the card changed', () => find(world, place, other), 30_000)
}

/** As a button, or as an entry of a menu. */
function find(world: World, place: Place, action: string): {ts: string; value: string} | undefined {
  for (const {ts, blocks} of world.ours(place)) {
    const drawn = JSON.stringify(blocks ?? [])
    const button = new RegExp(`"action_id":"${action}"[^}]*?\\}[^}]*?"value":"([^"]+)"`).exec(drawn)
    const entry = new RegExp(`"value":"${action} ([^"]+)"`).exec(drawn)
    const value = entry?.[1] ?? button?.[1]
    if (value !== undefined) return {ts, value}
  }
  return undefined
}
