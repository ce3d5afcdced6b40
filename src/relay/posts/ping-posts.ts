import type {Link} from '../../store/link.ts'
import type {Ping} from '../../store/pings.ts'
import type {PingContent, WantedPost} from '../post.ts'

const CALL = 'ping:'

/** Whether this is the key of a call or a reminder. */
export function isCall(key: string): boolean {
  return key.startsWith(CALL)
}

/**
 * The call and its reminders, each a message of its own: edits notify nobody. One that is over before it could be made
 * is not made any more.
 */
export function pingPosts(ping: Ping, {threadId}: Pick<Link, 'threadId'>): WantedPost[] {
  const {id, linkId, kind, person, words, state, endedBy, reminders} = ping
  // What has no buttons that go with the state stays as it was said.
  const isFixed = kind === 'done' || kind === 'review'
  return Array.from({length: reminders + 1}, (_, reminder) => {
    const content: PingContent = {
      ...{kind: 'ping', pingId: id, linkId, why: kind, person, words, threadId, reminder},
      ...{state: isFixed ? 'open' : state, endedBy},
    }
    return {
      key: reminder === 0 ? `${CALL}${id}` : `${CALL}${id}:${reminder}`,
      delivery: undefined,
      content,
      isFinal: isFixed || state !== 'open',
      rank: kind === 'needs-you' || kind === 'failed' ? 'final' : 'state',
      isCreated: state === 'open',
      isOrdered: false,
      draft: undefined,
    }
  })
}
