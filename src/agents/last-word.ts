import type {PlatformClient} from '../platform/client.ts'

/** The end of a transcript, as somebody needs it who comes late. */
interface LastWord {
  /** The agent's last words; `undefined` where it has said nothing yet. */
  text: string | undefined
  /** What was said before them. */
  earlier: number
  /** Leads to them: nothing stands between. `undefined`: they are the first entry, or there are none. */
  cursor: string | undefined
}

interface Spot {
  text: string
  earlier: number
  /** Behind which its page begins, and how far into the page it stands. */
  pageAfter: string | undefined
  offset: number
}

/**
 * Pages through the transcript to its last assistant entry. An entry's id is no cursor: what leads to it is asked
 * for with a page that ends in front of it.
 */
export async function readLastWord(
  client: PlatformClient,
  threadId: string,
  signal: AbortSignal,
): Promise<LastWord> {
  let pageAfter: string | undefined
  let next: string | undefined
  let offset = 0
  let said = 0
  let last: Spot | undefined
  const onPage = (cursor: string | null): void => {
    pageAfter = next
    next = cursor ?? undefined
    offset = 0
  }
  for await (const entry of client.listMessages(threadId, undefined, signal, {onPage})) {
    if (entry.source === 'assistant') last = {text: entry.text, earlier: said, pageAfter, offset}
    if (entry.source !== 'tool') said += 1
    offset += 1
  }
  if (last === undefined) return {text: undefined, earlier: 0, cursor: undefined}
  const {text, earlier} = last
  return {text, earlier, cursor: await cursorTo(client, threadId, last, signal)}
}

async function cursorTo(
  client: PlatformClient,
  threadId: string,
  {pageAfter, offset: limit}: Spot,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (limit === 0) return pageAfter
  let cursor: string | undefined
  const onPage = (behind: string | null): void => {
    cursor = behind ?? undefined
  }
  let entries = 0
  const paging = {limit, maxPages: 1, onPage}
  for await (const _entry of client.listMessages(threadId, pageAfter, signal, paging)) entries += 1
  // A platform that gives more than was asked for leads behind them: too much is shown rather than nothing.
  return entries > limit ? pageAfter : (cursor ?? pageAfter)
}
