import {createMemory} from '../../async/memory.ts'
import type {PostStore} from '../../store/tables/work/posts.ts'

/** More than are written at once in any thread. */
const MOST_KNOWN = 64

/**
 * Whether a reply has stood in its last form since before this process heard of it. A server that tells the turn in progress from its
 * start, section 4.3, may tell what has settled in it, too; its entry lies behind the cursor and does not come again.
 */
export function createToldBefore({
  posts,
  linkId,
}: {
  posts: Pick<PostStore, 'ofDelivery'>
  linkId: string
}): (callId: string) => boolean | Promise<boolean> {
  const known = createMemory<boolean>({most: MOST_KNOWN})

  const look = async (callId: string): Promise<boolean> => {
    const rows = await posts.ofDelivery(linkId, callId)
    // What broke off still bears its draft, and may go on.
    const isWhole = rows.every(
      ({state, final, draft}) => state === 'placed' && final && draft === undefined,
    )
    const isTold = rows.length > 0 && isWhole
    known.keep(callId, isTold)
    return isTold
  }
  return (callId) => known.of(callId) ?? look(callId)
}
