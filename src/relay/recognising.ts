import type {Entry} from '../platform/model.ts'
import type {Link} from '../store/link.ts'
import {type Send, type SendStore, tokenMark, wordsOf} from '../store/sends.ts'
import type {Books} from './books.ts'

interface RecognisingOptions {
  sends: SendStore
  books: Books
  tellArrived: (link: Link, send: Send) => void
  /** What stands beside the timeline has changed. */
  refresh: () => Promise<void>
}

/**
 * Whether we sent what somebody said. Wherever its sending stood: now the agent has it. What nobody has seen in the
 * Slack thread is shown there like what was said elsewhere, in the name of who said it.
 */
export function createRecognising(
  options: RecognisingOptions,
): (entry: Entry) => Promise<{isOurs: boolean; entry: Entry}> {
  const {sends, books, tellArrived, refresh} = options
  return async (entry) => {
    const link = books.link()
    const send = await sends.ofEntry(link.id, entry)
    if (send !== undefined && send.state !== 'sent') {
      tellArrived(link, send)
      books.keep(sends.arrive(send.id).then(refresh))
    }
    if (send?.isQuoted !== true) return {isOurs: send !== undefined, entry}
    return {isOurs: false, entry: {...entry, authorName: senderOf(send), text: wordsOf(send)}}
  }
}

/** The first line in front of the token. */
function senderOf({text, token}: Send): string {
  const [line = ''] = text.split('\n', 1)
  return line.replace(tokenMark(token), '').trim()
}
