import type {Database} from '../database.ts'
import {reviewRefused} from '../edge/errors.ts'
import {createId} from '../id.ts'
import type {Principal} from '../organization/keys.ts'
import type {Conversation} from '../threads/conversation.ts'
import type {PullRequest, PullRequests} from './pull-requests.ts'
import type {Repositories} from './repositories.ts'
import type {Round, Rounds} from './rounds.ts'

interface Asked {
  repo: string
  prNumber: number
  idempotencyKey?: string | undefined
  forceRefresh?: boolean | undefined
  sourceThreadId?: string | undefined
}

interface Started {
  round: Round
  /** Whether the round was there before. */
  adopted: boolean
  /** Whether the source of this call will receive the outcome. */
  sourceRecorded: boolean
  /** Whether the call changed anything. */
  applied: boolean
}

/** Where rounds are asked for: what `POST /reviews` of section 4.8 lets a client do. */
export interface Desk {
  start(principal: Principal, asked: Asked): Started
}

interface DeskOptions {
  database: Database
  repositories: Repositories
  pullRequests: PullRequests
  rounds: Rounds
  conversation: Conversation
}

export function createDesk(options: DeskOptions): Desk {
  return {
    start: options.database.transaction((principal: Principal, asked: Asked) =>
      start(options, principal, asked),
    ),
  }
}

function start(options: DeskOptions, principal: Principal, asked: Asked): Started {
  const {conversation, rounds} = options
  const {idempotencyKey, sourceThreadId} = asked
  if (sourceThreadId !== undefined) conversation.thread(principal, sourceThreadId)
  const repeated = findRepeated(options, principal, asked)
  if (repeated !== undefined) return adopt(options, repeated, asked)
  const pullRequest = findReviewable(options, principal, asked)
  const newest = rounds.newest(pullRequest)
  const isReusable = newest?.finishedAt === null || asked.forceRefresh !== true
  const started =
    newest !== undefined && isReusable
      ? adopt(options, newest, asked)
      : open(options, principal, pullRequest, asked)
  if (idempotencyKey !== undefined) rounds.addKey(idempotencyKey, started.round.id)
  return started
}

/** Before all checks of the pull request: a repeated call answers as the first one, whatever changed since. */
function findRepeated(
  {rounds, repositories}: DeskOptions,
  principal: Principal,
  {idempotencyKey}: Asked,
): Round | undefined {
  const round = idempotencyKey === undefined ? undefined : rounds.ofKey(idempotencyKey)
  if (round !== undefined && !repositories.reaches(principal, round.repo)) throw unreadable()
  return round
}

/** Refuses with 422 what cannot be reviewed, alike what is absent, unreadable or out of reach. */
function findReviewable(
  {repositories, pullRequests}: DeskOptions,
  principal: Principal,
  {repo, prNumber}: Asked,
): PullRequest {
  const repository = repositories.find(principal, repo)
  if (repository === undefined) throw unreadable()
  if (repository.covered === 0) {
    throw reviewRefused(
      "The organization's code-hosting installation does not cover the repository.",
    )
  }
  const pullRequest = pullRequests.find(repo, prNumber)
  if (pullRequest?.readable !== 1) throw unreadable()
  if (pullRequest.state === 'open') return pullRequest
  throw reviewRefused(
    pullRequest.state === 'draft' ? 'The pull request is a draft.' : 'The pull request is closed.',
  )
}

const unreadable = (): ReturnType<typeof reviewRefused> =>
  reviewRefused(
    'The pull request does not exist, or the provider does not let the service read it.',
  )

function adopt({rounds}: DeskOptions, round: Round, {sourceThreadId}: Asked): Started {
  const isRunning = round.finishedAt === null
  // A round cannot report to itself: its outcome stands in its own thread anyway.
  const isElsewhere = sourceThreadId !== undefined && sourceThreadId !== round.threadId
  const isFree = isRunning && isElsewhere && round.sourceThreadId === null
  if (isFree) rounds.setSource(round.id, sourceThreadId)
  const isSame = sourceThreadId !== undefined && sourceThreadId === round.sourceThreadId
  return {round, adopted: true, sourceRecorded: isFree || (isRunning && isSame), applied: isFree}
}

/**
 * Opens a round in a thread of its own. The caller's transaction makes thread and round one; that the thread
 * goes live before the commit harms nobody, since nobody can know its id yet.
 */
function open(
  options: DeskOptions,
  principal: Principal,
  pullRequest: PullRequest,
  asked: Asked,
): Started {
  const {conversation, repositories, rounds} = options
  const {repo, number, headSha, baseSha} = pullRequest
  const project = repositories.home(principal, repo)
  if (project === undefined) throw reviewRefused('The repository belongs to no project.')
  const title = `Review ${repo}#${number}`
  const {thread} = conversation.create(principal, {
    projectId: project.id,
    title,
    message: `${title} at ${headSha}`,
  })
  const round: Round = {
    id: createId('review'),
    requestId: asked.idempotencyKey ?? createId('request'),
    repo,
    prNumber: number,
    headSha,
    baseSha,
    threadId: thread.id,
    sourceThreadId: asked.sourceThreadId ?? null,
    finishedAt: null,
  }
  rounds.insert(round)
  return {round, adopted: false, sourceRecorded: round.sourceThreadId !== null, applied: true}
}
