import type {Link} from '../../store/tables/work/link.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import {type NotificationContent, USUAL, type WantedPost} from '../post.ts'
import type {States} from './pull-request.ts'

const CALL = 'ping:'

/** Whether this is the key of a call or a reminder. */
export function isNotification(key: string): boolean {
  return key.startsWith(CALL)
}

/**
 * The call and its reminders, each a message of its own: edits notify nobody. One that is over before it could be made, or
 * that another one has followed by then, is not made any more, unless it bears what stands nowhere else.
 */
export function notificationPosts(
  notification: Notification,
  {threadId}: Pick<Link, 'threadId'>,
  states: States = new Map(),
): WantedPost[] {
  const {id, linkId, kind, person, words, state, endedBy, reminders} = notification
  const {cards} = words
  // Nobody answers it. What earlier versions said for a review stays as they said it.
  const isFixed = kind === 'done' || (kind === 'review' && cards === undefined)
  const bearsCards = cards !== undefined && cards.length > 0
  return Array.from({length: reminders + 1}, (_, reminder) => {
    const content: NotificationContent = {
      kind: 'ping',
      pingId: id,
      linkId,
      why: kind,
      person,
      words,
      threadId,
      reminder,
      ...(cards?.some((address) => states.has(address)) === true && {
        pullRequestStates: cards.map((address) => states.get(address) ?? null),
      }),
      state: isFixed ? 'open' : state,
      // By a hash with that what stands from an earlier version is known.
      endedBy: isFixed && cards !== undefined ? undefined : endedBy,
    }
    return {
      ...USUAL,
      key: reminder === 0 ? `${CALL}${id}` : `${CALL}${id}:${reminder}`,
      content,
      isFinal: isFixed || state !== 'open',
      rank: kind === 'needs-you' || kind === 'failed' ? 'final' : 'state',
      isCreated: (state === 'open' && reminder === reminders) || (reminder === 0 && bearsCards),
    }
  })
}
