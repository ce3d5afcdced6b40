import {createMemory} from '../../async/memory.ts'
import type {Entry} from '../../platform/model.ts'
import type {PostRow, PostStore} from '../../store/tables/work/posts.ts'
import {hashOf} from '../post.ts'
import {toAttachments} from '../timeline/attachments.ts'
import {quoteOf} from '../timeline/timeline.ts'
import {type SplitRule, entryPosts} from './reply-posts.ts'

interface ToldOptions {
  posts: Pick<PostStore, 'ofDelivery' | 'ofOrigin'>
  linkId: string
  /** It was opened from another link of the same work. */
  isRoom: boolean
  splitRule: SplitRule
}

/** What stands in Slack already, whatever the platform tells of it. */
interface Told {
  /**
   * Whether a reply has stood in its last form since before this process heard of it. A server that tells the turn in progress from
   * its start, section 4.3, may tell what has settled in it, too; its entry lies behind the cursor and does not come again.
   */
  before(callId: string): boolean | Promise<boolean>
  /**
   * Whether an entry stands, as it is, where this room was opened from: a cursor may be older than what was shown there, or be
   * refused, and then all of it comes again.
   */
  inOrigin(entry: Entry): Promise<boolean>
}

/** More than are written at once in any thread. */
const MOST_KNOWN = 64
const UNSHAPED = {shapes: new Map(), noFiles: false}

export function createTold({posts, linkId, isRoom, splitRule}: ToldOptions): Told {
  const known = createMemory<boolean>({most: MOST_KNOWN})

  const look = async (callId: string): Promise<boolean> => {
    const isTold =
      isWhole(await posts.ofDelivery(linkId, callId)) ||
      (isRoom && isWhole(await posts.ofOrigin(linkId, callId)))
    known.keep(callId, isTold)
    return isTold
  }

  const stands = async (entry: Entry, delivery: string): Promise<boolean> => {
    const {id: entryId, source, text, authorName = ''} = entry
    const author = source === 'user' ? authorName : undefined
    const shown = {
      text,
      attachments: toAttachments(entry.attachments ?? []),
      cursor: undefined,
      steps: 0,
    }
    const rows = await posts.ofOrigin(linkId, delivery)
    if (!isWhole(rows)) return false
    // Two entries may bear one call, and only the first of them stand there.
    const wanted = entryPosts({entryId, delivery, author, ...shown}, splitRule, UNSHAPED)
    return wanted.every(({key, content}) => {
      const row = rows.find((one) => one.key === key)
      return row !== undefined && row.hash === hashOf(content)
    })
  }

  return {
    before: (callId) => known.of(callId) ?? look(callId),
    inOrigin: async (entry) => {
      if (!isRoom) return false
      for (const delivery of deliveriesOf(entry)) if (await stands(entry, delivery)) return true
      return false
    },
  }
}

function deliveriesOf(entry: Entry): string[] {
  if (entry.source === 'user') return [quoteOf(entry)]
  return entry.callId === undefined ? [entry.id] : [entry.callId, entry.id]
}

/** What broke off still bears its draft, and may go on. */
function isWhole(rows: readonly PostRow[]): boolean {
  const isLast = ({state, final, draft}: PostRow) =>
    state === 'placed' && final && draft === undefined
  return rows.length > 0 && rows.every(isLast)
}
