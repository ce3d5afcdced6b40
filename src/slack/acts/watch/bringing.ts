import {faceOf} from '../../../inbox/agents/captains.ts'
import {type FollowDesk, type FollowOutcome, followThread} from '../../../inbox/agents/follow.ts'
import type {PlatformClient} from '../../../platform/client.ts'
import type {AnnouncementStore} from '../../../store/announcements.ts'
import type {Link} from '../../../store/link.ts'
import type {Permalinks} from '../../api/permalinks.ts'
import type {Announcer} from '../../posts/announcer.ts'
import {texts} from '../../texts.ts'

/** Brings a thread into a channel, below a new message of ours unless it stands there already. */
export type Bring = (
  ask: Omit<Parameters<typeof followThread>[1], 'client' | 'reviews'>,
  signal: AbortSignal,
) => Promise<FollowOutcome>

export function createBringing({
  desk,
  clientOf,
  announcer,
}: {
  desk: FollowDesk & {announcements: AnnouncementStore}
  clientOf: (of: Pick<Link, 'connectionId'>) => PlatformClient
  announcer: Announcer
}): Bring {
  const endHead = createHeadEnding(desk, announcer)

  return async (ask, signal) => {
    const {team, channel, threadId, connectionId, askedBy} = ask
    const outcome = await followThread(
      desk,
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
        return announcer.settle(await desk.announcements.open(row, desk.nowMs()), signal)
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

/** Where a link's Slack thread is, as words that lead there. */
export async function whereIs({place}: Link, permalinks: Permalinks): Promise<string> {
  const address = await permalinks.find(place)
  if (address === undefined) return texts.commands.follow.thisThread
  return `<${address}|${texts.commands.list.toThread}>`
}
