import type {Entry} from '../platform/model.ts'
import type {Link} from '../store/link.ts'
import type {Send, SendStore} from '../store/sends.ts'
import type {Books} from './books.ts'

interface RecognisingOptions {
  sends: SendStore
  books: Books
  tellArrived: (link: Link, send: Send) => void
  /** What stands beside the timeline has changed. */
  refresh: () => Promise<void>
}

/** Whether we sent what somebody said. Wherever its sending stood: now the agent has it. */
export function createRecognising(options: RecognisingOptions): (entry: Entry) => Promise<boolean> {
  const {sends, books, tellArrived, refresh} = options
  return async (entry) => {
    const link = books.link()
    const send = await sends.ofEntry(link.id, entry)
    if (send !== undefined && send.state !== 'sent') {
      tellArrived(link, send)
      books.keep(sends.arrive(send.id).then(refresh))
    }
    return send !== undefined
  }
}
