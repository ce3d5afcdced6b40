import type {Pacer} from '../../relay/pace/pacer.ts'
import {WriteError} from '../../relay/ports.ts'
import type {Rank} from '../../relay/post.ts'
import {SlackError, callSlack} from './calls.ts'

/** What has to be known of a call before it may go. */
export interface Turn {
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
export async function inTurn<Answer>(
  turn: Turn,
  act: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const {pacer, team, method, channel = '', rank = 'final', signal} = turn
  const ask = {team, channel, method, rank, sinceMs: 0, notBeforeMs: 0}
  if ((await pacer.next([ask], signal)) === undefined) return undefined
  try {
    return await act()
  } catch (error) {
    if (isNotNow(error)) pacer.pause({team, method}, error.retryAfterMs)
    throw error
  }
}

/** The same for one plain call. @throws {SlackError} */
export function callInTurn<Answer>(
  turn: Turn,
  call: () => Promise<Answer>,
): Promise<Answer | undefined> {
  return inTurn(turn, () => callSlack(call))
}

/** The same as often as Slack says "not now": a long list is not read from its beginning again. */
export async function inTurns<Answer>(
  turn: Turn,
  act: () => Promise<Answer>,
): Promise<Answer | undefined> {
  for (;;) {
    try {
      return await inTurn(turn, act)
    } catch (error) {
      if (!isNotNow(error)) throw error
    }
  }
}

function isNotNow(error: unknown): error is SlackError | WriteError {
  return (error instanceof SlackError || error instanceof WriteError) && error.kind === 'wait'
}
