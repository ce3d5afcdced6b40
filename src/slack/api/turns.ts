import type {Pacer} from '../../relay/pace/pacer.ts'
import type {Rank} from '../../relay/post.ts'
import {SlackError, callSlack} from './calls.ts'

/** What has to be known of a call before it may go. */
interface Turn {
  pacer: Pacer
  team: string
  method: string
  /** Where there is none the workspace alone counts. */
  channel?: string
  rank?: Rank
  signal: AbortSignal
}

/** Waits until the budget allows this call. False: the signal came first. */
export async function awaitTurn(turn: Turn): Promise<boolean> {
  const {pacer, team, method, channel = '', rank = 'final', signal} = turn
  const ask = {team, channel, method, rank, sinceMs: 0, notBeforeMs: 0}
  return (await pacer.next([ask], signal)) !== undefined
}

/**
 * Calls Slack when it is this call's turn. `undefined`: the signal came first.
 *
 * @throws {SlackError} where Slack said "not now", the pacer knows it already.
 */
export async function callInTurn<Answer>(
  turn: Turn,
  call: () => Promise<Answer>,
): Promise<Answer | undefined> {
  if (!(await awaitTurn(turn))) return undefined
  try {
    return await callSlack(call)
  } catch (error) {
    if (error instanceof SlackError && error.kind === 'wait') {
      turn.pacer.pause({team: turn.team, method: turn.method}, error.retryAfterMs)
    }
    throw error
  }
}
