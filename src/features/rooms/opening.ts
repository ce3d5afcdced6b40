import {createHash} from 'node:crypto'
import type {WebClient} from '@slack/web-api'
import {isDirect} from '../../agents/who-may-know.ts'
import {TryLater} from '../../inbox/try-later.ts'
import {SlackError, mayPass} from '../../once/slack-error.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Membership} from '../../slack/api/membership.ts'
import {callPaced} from '../../slack/api/paced.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import type {Announcer} from '../../slack/posts/announcer.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import {FOLLOWED, type Link} from '../../store/tables/work/link.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'
import type {RoomSupport} from './support.ts'
import {roomTexts} from './texts.ts'

/** What came of opening a room; `standing`: it was there before. */
type Opened = {outcome: 'opened' | 'standing'; channel: string} | {outcome: 'refused'; code: string}

/** `user`: whoever asked for it; `undefined`: the channel is set so. */
export type OpenRoom = (
  link: Link,
  user: string | undefined,
  signal: AbortSignal,
) => Promise<Opened>

interface OpeningOptions {
  deps: {
    rooms: RoomStore
    announcements: AnnouncementStore
    show: (linkId: string) => Promise<void>
  }
  support: Pick<RoomSupport, 'refused'>
  membership: Pick<Membership, 'surelyVisibilityOf'>
  announcer: Pick<Announcer, 'settle'>
  client: WebClient
  pacer: Pacer
  nowMs: () => number
}

const METHOD = 'agents.conversations.create'
const MAX_NAME = 80

/** Work that a room can be opened for: it runs or rests here, where it was begun, and not in direct messages. */
export function canMove({state, taskId, threadId, place, requestId, room}: Link): boolean {
  const isBegunHere = !requestId.startsWith(FOLLOWED) && taskId === undefined
  const isPlain = place.isRoom !== true && room === undefined && !isDirect(place.channel)
  return state === 'open' && threadId !== undefined && isBegunHere && isPlain
}

/**
 * Gives work a channel of its own. It is written down before Slack is asked, and Slack knows it by the thread's id: whoever
 * comes again after a crash comes to the same channel and to the same first message in it.
 */
export function createOpening(options: OpeningOptions): OpenRoom {
  const {deps, support, membership, announcer, client, pacer, nowMs} = options
  const {rooms, announcements} = deps

  const make = async (
    link: Link,
    signal: AbortSignal,
  ): Promise<{channel: string} | {code: string}> => {
    const {place, threadId: session_id = '', title} = link
    const {team, channel, slackThread} = place
    const name = oneLine(title ?? roomTexts.untitled, MAX_NAME)
    const origin = {origin_channel_id: channel, origin_message_ts: slackThread}
    // As its origin is: it stays so for good.
    const is_private = (await membership.surelyVisibilityOf(channel)) !== 'public'
    try {
      const made = await callPaced({pacer, team, method: METHOD, signal}, () =>
        client.agents.conversations.create({name, session_id, ...origin, is_private}),
      )
      const id = made?.channel_id
      if (id === undefined) throw new TryLater(new SlackError('retry', 'no_answer'))
      return {channel: id}
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      if (mayPass(error)) throw new TryLater(error, error.retryAfterMs)
      await support.refused(error.code)
      return {code: error.code}
    }
  }

  return async (link, user, signal) => {
    const {place, threadId = '', connectionId} = link
    const {team} = place
    const of = {team, threadId}
    const room = await rooms.begin({...of, linkId: link.id, origin: place.channel}, nowMs())
    const isStanding = room.channel !== undefined && link.room !== undefined
    const made = room.channel === undefined ? await make(link, signal) : {channel: room.channel}
    if ('code' in made) {
      await rooms.drop(of)
      return {outcome: 'refused', code: made.code}
    }
    const {channel} = made
    await rooms.made(of, channel)
    const words = {
      ...(user !== undefined && {askedBy: user}),
      ...(link.title !== undefined && {title: link.title}),
      room: {origin: place.channel},
    }
    const head = {id: headId(of), team, channel, threadId, connectionId, words}
    const settled = await announcer.settle(await announcements.open(head, nowMs()), signal)
    if ('code' in settled) return {outcome: 'refused', code: settled.code}
    await rooms.open(of, settled.ts)
    await deps.show(link.id)
    return {outcome: isStanding ? 'standing' : 'opened', channel}
  }
}

/** The same for all who ask. */
function headId({team, threadId}: {team: string; threadId: string}): string {
  const words = JSON.stringify(['room', team, threadId])
  return createHash('sha256').update(words).digest('base64url').slice(0, 16)
}
