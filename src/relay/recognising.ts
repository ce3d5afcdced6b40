import type {Entry} from '../platform/model.ts'
import type {Link, Place} from '../store/tables/work/link.ts'
import {type Send, tokenMark, wordsOf} from '../store/tables/work/send.ts'
import {isSaidBy} from '../store/tables/work/send-lists.ts'
import type {SendStore} from '../store/tables/work/sends.ts'
import type {LinkKeeper} from './link-keeper.ts'

interface RecognisingOptions {
  sends: SendStore
  keeper: LinkKeeper
  tellArrived: (link: Link, send: Send) => void
  /** What is written in this place is nobody else's business. */
  isPrivate: (place: Pick<Place, 'team' | 'channel'>) => Promise<boolean>
  /** What stands beside the timeline has changed. */
  refresh: () => Promise<void>
}

/**
 * Whether we sent what somebody said. Wherever its sending stood: now the agent has it. What nobody has seen in the
 * Slack thread is shown there like what was said elsewhere, in the name of who said it. What was said in a private place of
 * ours is passed over in others. What bears our token and says something else is somebody else's.
 */
export function createRecognising(
  options: RecognisingOptions,
): (entry: Entry) => Promise<{isOurs: boolean; entry: Entry}> {
  const {sends, keeper, tellArrived, isPrivate, refresh} = options
  return async (entry) => {
    const link = keeper.link()
    const send = await sends.ofEntry(link.id, entry)
    if (send !== undefined && send.state !== 'sent' && send.state !== 'late') {
      tellArrived(link, send)
      keeper.keep(sends.arrive(send.id).then(refresh))
    }
    const other = send === undefined ? await sends.ofEntryElsewhere(link, entry) : undefined
    const sent = send ?? other?.send
    const from = other?.place
    const isElsewhere =
      from !== undefined && (from.team !== link.place.team || from.channel !== link.place.channel)
    // Whatever it says: the platform may have other words for the same.
    if (isElsewhere && (await isPrivate(from))) return {isOurs: true, entry}
    if (sent === undefined || !isSaidBy(sent, entry)) return {isOurs: false, entry}
    // Written there before the work had moved: it stands there.
    const isInRoom = from?.isRoom === true && from.channel === link.place.channel
    if (isInRoom) return {isOurs: true, entry}
    if (send?.isQuoted === false) return {isOurs: true, entry}
    return {isOurs: false, entry: {...entry, authorName: senderOf(sent), text: wordsOf(sent)}}
  }
}

/** The first line in front of the token. */
function senderOf({text, token}: Send): string {
  const [line = ''] = text.split('\n', 1)
  return line.replace(tokenMark(token), '').trim()
}
