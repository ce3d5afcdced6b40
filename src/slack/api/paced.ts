import {toldToWait} from '../../relay/pace/told-to-wait.ts'
import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Rank} from '../../relay/post.ts'
import {callSlack} from './slack-client.ts'
import {SlackError} from '../../once/slack-error.ts'

/** What has to be known of a call before it may go. */
export interface PacedCall {
  pacer: Pacer
  team: string
  method: string
  /** Where there is none the workspace alone counts. */
  channel?: string
  rank?: Rank
  signal: AbortSignal
}

/**
 * Acts when it is this call's turn: what is to be noted in front of the call and behind it, too. `undefined`: the signal
 * came first.
 *
 * @throws what `act` throws; where Slack said "not now", the pacer knows it already.
 */
export async function paced<Answer>(
  turn: PacedCall,
  act: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const {pacer, team, method, channel = '', rank = 'final', signal} = turn
  const ask = {team, channel, method, rank, sinceMs: 0, notBeforeMs: 0}
  if ((await pacer.next([ask], signal)) === undefined) return undefined
  try {
    return await act()
  } catch (error) {
    if (isNotNow(error)) toldToWait(pacer, {team, method}, error)
    throw error
  }
}

/** The same for one plain call. @throws {SlackError} */
export function callPaced<Answer>(
  turn: PacedCall,
  call: () => Promise<Answer>,
): Promise<Answer | undefined> {
  return paced(turn, () => callSlack(call))
}

/** The same as often as Slack says "not now": a long list is not read from its beginning again. */
export async function pacedAgain<Answer>(
  turn: PacedCall,
  act: () => Promise<Answer>,
): Promise<Answer | undefined> {
  for (;;) {
    try {
      return await paced(turn, act)
    } catch (error) {
      if (!isNotNow(error)) throw error
    }
  }
}

function isNotNow(error: unknown): error is SlackError {
  return error instanceof SlackError && error.kind === 'wait'
}

/** What Slack's lists of messages have in common. */
interface Page<Message> {
  messages?: Message[]
  response_metadata?: {next_cursor?: string}
}

/** All messages of a list, page by page, until there are no more, a page leads to itself, or `read` has none. */
export async function* eachMessage<Message>(
  read: (from: {cursor?: string}) => Promise<Page<Message> | undefined>,
): AsyncGenerator<Message> {
  let cursor: string | undefined
  do {
    const page = await read(cursor === undefined ? {} : {cursor})
    if (page === undefined) return
    yield* page.messages ?? []
    const next = page.response_metadata?.next_cursor || undefined
    cursor = next === cursor ? undefined : next
  } while (cursor !== undefined)
}
