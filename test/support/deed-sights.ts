import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {isWorking} from '../../src/platform/model.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import type {Place, World} from './world.ts'

/** Where people talk with an agent. */
interface Spot {
  place: Place
}

export function isAtWork(world: World, {place}: Spot): boolean {
  return isWorking(world.threadIn(place)?.status ?? '')
}

export function isToldOf(world: World, {place}: Spot, mark: string): boolean {
  return world
    .transcriptIn(place)
    .some(({source, text}) => source === 'user' && text.includes(mark))
}

export function isListed(world: World, talk: Spot, mark: string): boolean {
  return rowOf(world, talk, mark) !== undefined
}

/** The buttons of what waits, or is held, stand below its words. */
export function rowOf(
  world: World,
  {place}: Spot,
  mark: string,
  action: string = ACTIONS.cancel,
): {ts: string; blockId: string} | undefined {
  const list = world.ours(place).find((message) => drawn(message).includes(action))
  const blocks = list?.blocks ?? []
  const at = blocks.findIndex((block) => JSON.stringify(block['text'] ?? '').includes(mark))
  const blockId = at === -1 ? undefined : blocks[at + 1]?.['block_id']
  return list === undefined || typeof blockId !== 'string' ? undefined : {ts: list.ts, blockId}
}

export function has(world: World, {place}: Spot, action: string): boolean {
  return world.ours(place).some((message) => drawn(message).includes(action))
}

export function drawn({blocks}: Pick<StoredMessage, 'blocks'>): string {
  return JSON.stringify(blocks ?? [])
}
