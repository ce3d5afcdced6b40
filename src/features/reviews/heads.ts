import {createBackground} from '../../async/background.ts'
import {createMemory} from '../../async/memory.ts'
import {isWorking} from '../../platform/model.ts'
import type {Announcer} from '../../slack/posts/announcer.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {Link} from '../../store/tables/work/link.ts'

/** Says at the head of a review, once, that it is not under way any more: below it stands a card that says so, too. */
interface ReviewHeads extends AsyncDisposable {
  /** What people see of the link may have changed. */
  note(link: Link): void
}

/** Reviews whose heads were looked at. */
const MOST = 1000

export function createReviewHeads({
  announcements,
  announcer,
  log,
}: {
  announcements: AnnouncementStore
  announcer: Announcer
  log: {error(details: object, message: string): void}
}): ReviewHeads {
  const seen = createMemory<true>({most: MOST})
  const background = createBackground((error) =>
    log.error({err: error}, 'The head of a review could not be changed'),
  )

  const end = async ({id, place: {team, channel, slackThread: ts}}: Link): Promise<void> => {
    const head = await announcements.headAt({team, channel, ts})
    // What earlier versions have written stays as it is.
    if (head?.words.review?.isLive === true && head.endedBy === undefined) {
      await announcements.end(head.id, 'done')
      announcer.wake()
    }
    seen.keep(id, true)
  }

  return {
    note: (link) => {
      const isReview = link.notes?.reviews !== undefined
      if (isReview && isOver(link) && seen.of(link.id) === undefined) background.keep(end(link))
    },
    [Symbol.asyncDispose]: () => background.ended(),
  }
}

function isOver({state, status}: Link): boolean {
  if (state === 'archived' || state === 'ended') return true
  return state === 'open' && status !== undefined && !isWorking(status)
}
