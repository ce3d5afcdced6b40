import {faceOf, type FollowDeps, type FollowOutcome, followThread} from '../../agents/follow.ts'
import type {PlatformClient} from '../../platform/client.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Permalinks} from '../api/permalinks.ts'
import type {Message} from '../draw/blocks.ts'
import {declinedMessage} from '../draw/declined.ts'
import {MAX_NAME, inBold} from '../markup/lines.ts'
import type {Announcer} from '../posts/announcer.ts'
import {texts} from '../texts.ts'
import type {ActResult} from './act.ts'

/** Brings a thread into a channel, below a new message of ours unless it stands there already. */
export type FollowHere = (
  ask: Omit<Parameters<typeof followThread>[1], 'client' | 'reviews'>,
  signal: AbortSignal,
) => Promise<FollowOutcome>

export function createFollowing({
  deps,
  clientOf,
  announcer,
}: {
  deps: FollowDeps & {announcements: AnnouncementStore}
  clientOf: (of: Pick<Link, 'connectionId'>) => PlatformClient
  announcer: Announcer
}): FollowHere {
  const endHead = createHeadEnding(deps, announcer)

  return async (ask, signal) => {
    const {team, channel, threadId, connectionId, askedBy} = ask
    const outcome = await followThread(
      deps,
      {...ask, client: clientOf({connectionId})},
      async (thread, id) => {
        const face = faceOf(thread) ?? ask.face
        const title = face?.name ?? thread.title
        const words = {
          askedBy,
          ...(title !== undefined && {title}),
          ...(face !== undefined && {isCaptain: true as const}),
        }
        const row = {id, team, channel, threadId, connectionId, words}
        return announcer.settle(await deps.announcements.open(row, deps.nowMs()), signal)
      },
      signal,
    )
    if (outcome.outcome === 'standing') await endHead(outcome, signal)
    return outcome
  }
}

/** Whoever was faster began in another Slack thread: this head stands for nothing. */
export function createHeadEnding(
  {announcements}: {announcements: AnnouncementStore},
  announcer: Announcer,
): (standing: {link: Link; headId: string}, signal: AbortSignal) => Promise<void> {
  return async ({link, headId}, signal) => {
    const head = await announcements.byId(headId)
    if (head === undefined || head.endedBy !== undefined || head.state === 'gone') return
    if (head.state === 'wanted') return announcements.move(headId, 'gone')
    const settled = await announcer.settle(head, signal)
    if ('code' in settled || settled.ts === link.place.slackThread) return
    await announcements.end(headId, 'over')
    announcer.wake()
  }
}

/** Where a link's Slack thread is, or the room in which it goes on, as words that lead there. */
export async function whereIs({place, room}: Link, permalinks: Permalinks): Promise<string> {
  if (room?.isMoved === true) return `<#${room.channel}>`
  const address = await permalinks.find(place)
  if (address === undefined) return texts.commands.follow.thisThread
  return `<${address}|${texts.commands.list.toThread}>`
}

/** What came of asking it, for who did that from elsewhere. */
export async function toAsked(
  {outcome}: {outcome: keyof typeof texts.talk.asked},
  link: Link,
  permalinks: Permalinks,
): Promise<Message> {
  const name = inBold(link.face?.name ?? link.title ?? texts.card.untitled, MAX_NAME)
  return {text: texts.talk.asked[outcome](name, await whereIs(link, permalinks))}
}

/** What people hear of it. */
export async function toAnswer(outcome: FollowOutcome, permalinks: Permalinks): Promise<ActResult> {
  const words = texts.commands.follow
  switch (outcome.outcome) {
    case 'followed':
      return {answer: {text: words.followed(await whereIs(outcome.link, permalinks))}}
    case 'standing':
      return {answer: {text: words.standing(await whereIs(outcome.link, permalinks))}}
    case 'no-place':
      return {answer: {text: words.noPlace(outcome.code)}, again: true}
    case 'declined':
      return {
        answer: outcome.why === 'gone' ? {text: words.gone} : declinedMessage(outcome),
        again: true,
      }
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(outcome satisfies never)}`)
  }
}
