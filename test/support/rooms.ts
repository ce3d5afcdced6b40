import type {StoredMessage} from '../../local/slack/messages/messages.ts'
import {ACTIONS} from '../../src/slack/ids.ts'
import {JANE, type Place, type World} from './world.ts'

interface Row {
  block_id?: string
  text?: {text: string}
}

/** The rooms of a world, as Slack lists them. */
export function roomsOf({slack}: World) {
  return slack.channels().filter(({code}) => code !== undefined)
}

export function codeOf({slack}: World, room: string) {
  return slack.channels().find(({id}) => id === room)?.code
}

export function textsIn({slack}: World, channel: string): string[] {
  return slack.messages(channel).map(({text, blocks}) => `${text} ${JSON.stringify(blocks ?? [])}`)
}

/** Whatever was said with these words, wherever in it. */
export function saying({slack}: World, channel: string, words: string): StoredMessage[] {
  const sought = JSON.stringify(words).slice(1, -1)
  return slack.messages(channel).filter((message) => JSON.stringify(message).includes(sought))
}

export function callsOf({slack}: World, method: string) {
  return slack.ledger.calls.filter((call) => call.method === method)
}

/** Types `/bosun room`, and presses [Open a room] of the work with this title. */
export async function pressRoom(
  of: World,
  channel: string,
  title: string,
  as = JANE,
): Promise<void> {
  const {people} = of.slack
  const lists = () =>
    of.slack.ephemerals(channel, as).filter(({text}) => text.startsWith('Which work'))
  const before = lists().length
  await people.command({as, channel, command: '/bosun', text: 'room'})
  const list = await of.until('the work is listed', () => lists()[before])
  const rows = (list.blocks ?? []) as Row[]
  const row = rows.find(({text}) => text?.text.includes(title) === true)
  const blockId = row?.block_id ?? 'none'
  await people.press({as, channel, ts: list.ts, actionId: ACTIONS.roomOpen, blockId})
}

/** Opens a room of that work, and waits until it stands there; its channel. */
export async function openRoom(of: World, {channel}: Place, title: string): Promise<string> {
  const before = roomsOf(of).length
  await pressRoom(of, channel, title)
  await of.until('there is a room', () => roomsOf(of).length > before)
  return roomsOf(of).at(-1)?.id ?? ''
}

/** The card of work stands in its room. */
export async function moved(of: World, room: string): Promise<void> {
  await of.until('its card stands there', () =>
    textsIn(of, room).some((text) => text.includes('asked by')),
  )
}
