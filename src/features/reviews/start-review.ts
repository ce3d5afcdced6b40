import {createHash} from 'node:crypto'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformReviewRefused} from '../../platform/errors.ts'
import {type ReviewRound, isWorking} from '../../platform/model.ts'
import {beginIn} from '../../agents/creation.ts'
import {type FollowDeps, type FollowOutcome, followThread} from '../../agents/follow.ts'
import {type Declined, throwIfPassing, toDeclined} from '../../agents/lifecycle.ts'

/** A review that somebody asks for. */
interface ReviewAsk {
  team: string
  channel: string
  connectionId: string | undefined
  client: PlatformClient
  /** The Slack user. */
  askedBy: string
  /** The repository's full name. */
  repo: string
  number: number
  /** The same for the same interaction, however often it is handled. */
  inboxKey: string
  /** What it is counted by where it starts work; likewise. */
  requestId: string
  /** Somebody confirmed that a commit is to be reviewed once more. */
  isForced: boolean
  /** The thread that is to hear of the outcome. */
  sourceThreadId: string | undefined
}

/** What the head of its Slack thread has to say. */
export interface Reviewed {
  round: ReviewRound
  title: string | undefined
  isAtWork: boolean
}

export type ReviewOutcome =
  | {
      outcome: 'reviewed'
      round: ReviewRound
      /** Where it is shown: the platform need not say which thread it is. */
      shown: FollowOutcome | {outcome: 'nowhere'}
      isAtWork: boolean
    }
  /** The platform says why: closed, a draft, not to be read. */
  | {outcome: 'refused'; reason: string | undefined}
  /** The repository is not there, or out of the key's reach. */
  | {outcome: 'out-of-reach'}
  | Declined

/**
 * Has a pull request reviewed, and shows the review in the channel from its beginning on. Whoever comes again after a
 * crash, or asks for the same commit, comes to the same round and to the same Slack thread (sections 3.6 and 4.8).
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function reviewPullRequest(
  deps: FollowDeps,
  ask: ReviewAsk,
  makePlace: (
    reviewed: Reviewed & {threadId: string},
    headId: string,
  ) => Promise<{ts: string} | {code: string}>,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  const begun = await begin(deps, ask, signal)
  if (!('round' in begun)) return begun
  const {round, isBegunHere} = begun
  const {threadId} = round
  if (threadId === undefined) {
    return {outcome: 'reviewed', round, shown: {outcome: 'nowhere'}, isAtWork: !round.adopted}
  }
  let status: string | undefined
  const shown = await followThread(
    deps,
    {
      ...ask,
      threadId,
      reviews: `${ask.repo}#${ask.number}`,
      ...(isBegunHere && {begunAs: ask.requestId}),
    },
    async (thread, headId) => {
      ;({status} = thread)
      const isAtWork = !round.adopted || isWorking(thread.status)
      return makePlace({round, title: thread.title, isAtWork, threadId}, headId)
    },
    signal,
  )
  if (shown.outcome === 'standing') ({status} = shown.link)
  const isAtWork = !round.adopted || isWorking(status)
  return {outcome: 'reviewed', round, shown, isAtWork}
}

async function begin(
  deps: FollowDeps,
  {client, team, channel, repo, number, requestId, ...ask}: ReviewAsk,
  signal: AbortSignal,
): Promise<
  {round: ReviewRound; isBegunHere: boolean} | Exclude<ReviewOutcome, {outcome: 'reviewed'}>
> {
  const {inboxKey, isForced, sourceThreadId} = ask
  const key = createHash('sha256').update(inboxKey).digest('base64url')
  const order = {
    repo,
    prNumber: number,
    idempotencyKey: `slack:${key}`,
    ...(isForced && {forceRefresh: true}),
    ...(sourceThreadId !== undefined && {sourceThreadId}),
  }
  try {
    const {made: round, isBegunHere} = await beginIn(
      deps,
      {team, channel, requestId, projectId: undefined},
      () => client.startReview(order, signal),
      ({threadId, adopted}) => ({threadId, isAdopted: adopted}),
    )
    return {round, isBegunHere}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    if (error instanceof PlatformReviewRefused) return {outcome: 'refused', reason: error.reason}
    const isOut = error.status === 403 || error.status === 404
    return isOut ? {outcome: 'out-of-reach'} : toDeclined(error)
  }
}
