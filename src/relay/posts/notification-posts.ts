import type {Link} from '../../store/tables/work/link.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import {type NotificationContent, USUAL, type WantedPost} from '../post.ts'

const CALL = 'ping:'

/** Whether this is the key of a call or a reminder. */
export function isNotification(key: string): boolean {
  return key.startsWith(CALL)
}

/**
 * The call and its reminders, each a message of its own: edits notify nobody. One that is over before it could be made
 * is not made any more.
 */
export function notificationPosts(
  notification: Notification,
  {threadId}: Pick<Link, 'threadId'>,
): WantedPost[] {
  const {id, linkId, kind, person, words, state, endedBy, reminders} = notification
  // What has no buttons that go with the state stays as it was said.
  const isFixed = kind === 'done' || kind === 'review'
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
      state: isFixed ? 'open' : state,
      endedBy,
    }
    return {
      ...USUAL,
      key: reminder === 0 ? `${CALL}${id}` : `${CALL}${id}:${reminder}`,
      content,
      isFinal: isFixed || state !== 'open',
      rank: kind === 'needs-you' || kind === 'failed' ? 'final' : 'state',
      isCreated: state === 'open',
    }
  })
}
