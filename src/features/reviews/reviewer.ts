import type {FollowDeps} from '../../agents/follow.ts'
import type {Usage} from '../../agents/budgets/limits.ts'
import {type ReviewOutcome, type Reviewed, reviewPullRequest} from './start-review.ts'
import type {Handling} from '../../inbox/worker.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {Link} from '../../store/tables/work/link.ts'
import {button, section} from '../../slack/draw/blocks.ts'
import {inTheWayText} from '../../slack/draw/budget.ts'
import {declinedMessage} from '../../slack/draw/declined.ts'
import {nameOf} from '../../slack/draw/pull-request.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {moment, reasonLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {type PullRequest, addressOf} from '../../slack/markup/pull-requests.ts'
import {texts} from '../../slack/texts.ts'
import type {ActResult} from '../../slack/gate/act.ts'
import {telling} from '../../slack/gate/asking.ts'
import {createHeadEnding, toAnswer, whereIs} from '../../slack/gate/following.ts'
import {requestIdOf} from '../../slack/gate/start-request.ts'
import {createReviewReach} from './reach.ts'
import {reviewTexts} from './texts.ts'
import type {Tools} from '../../slack/gate/tools.ts'

/** Who asks for a review, and where. */
interface Asked {
  team: string
  channel: string
  user: string
  connectionId: string | undefined
  pullRequest: PullRequest
  /** A commit that has been reviewed is reviewed once more. */
  isForced: boolean
  /** The work in whose Slack thread it was asked for: its agent hears of the outcome. */
  source: Link | undefined
}

/** Has a pull request reviewed; what the person is told. */
export type Reviewer = (asked: Asked, handling: Handling) => Promise<ActResult>

interface ReviewerOptions extends Pick<
  Tools,
  | 'access'
  | 'announcer'
  | 'budgets'
  | 'catalogue'
  | 'clientOf'
  | 'limits'
  | 'permalinks'
  | 'presence'
  | 'settingsOf'
> {
  deps: FollowDeps & {announcements: AnnouncementStore}
}

export function createReviewer(options: ReviewerOptions): Reviewer {
  const {deps, budgets, clientOf, announcer, presence, permalinks, settingsOf, limits} = options
  const endHead = createHeadEnding(deps, announcer)
  const mayHave = createReviewReach(options)
  const words = reviewTexts

  const review = (
    asked: Asked,
    {row, signal}: Handling,
    sourceThreadId: string | undefined,
  ): Promise<ReviewOutcome> => {
    const {team, channel, user, connectionId, pullRequest, isForced} = asked
    const {repo, number} = pullRequest
    return reviewPullRequest(
      deps,
      {
        team,
        channel,
        connectionId,
        client: clientOf({connectionId}),
        askedBy: user,
        repo,
        number,
        inboxKey: row.key,
        isForced,
        sourceThreadId,
        requestId: requestIdOf(team, row),
      },
      async (reviewed, id) => {
        const {threadId} = reviewed
        const said = toHeadWords(asked, reviewed)
        const head = {id, team, channel, threadId, connectionId, words: said}
        return announcer.settle(await deps.announcements.open(head, deps.nowMs()), signal)
      },
      signal,
    )
  }

  /** Whether it will start work is known only by asking for it: it takes a place of the limits, and gives back what it needs not. */
  const withinLimits = async (
    {team, channel, user}: Asked,
    {row}: Handling,
    begin: () => Promise<ReviewOutcome>,
  ): Promise<ReviewOutcome | Usage> => {
    const requestId = requestIdOf(team, row)
    const beginning = {requestId, team, channel, user}
    const full = await limits.admit(beginning, await settingsOf(team, channel))
    if (full !== undefined) return full
    let isStarted = false
    try {
      const outcome = await begin()
      isStarted = outcome.outcome === 'reviewed' && !outcome.round.adopted
      return outcome
    } finally {
      if (!isStarted) limits.release(requestId)
    }
  }

  const ask: Reviewer = async (asked, handling) => {
    const {channel, pullRequest, source} = asked
    // A review costs: none begins that nobody would see.
    if ((await presence(channel)) === 'outside') return {answer: {text: words.notIn}, again: true}
    const {team, user} = asked
    const settings = await settingsOf(team, channel)
    // A channel's key says what may be read there: that of work from before may reach more.
    if (!settings.isConnected || settings.values.connectionId !== asked.connectionId) {
      return {answer: {text: words.otherKey}}
    }
    if (!(await mayHave(asked, settings.values, handling.signal))) {
      return {answer: {text: words.ofOtherProject}, again: true}
    }
    const used = await budgets.inTheWay({team, channel, user}, settings)
    if (used !== undefined) return {answer: {text: inTheWayText(used)}, again: true}
    // What is archived is not woken by a review.
    const sourceThreadId = source?.state === 'open' ? source.threadId : undefined
    const outcome = await withinLimits(asked, handling, () =>
      review(asked, handling, sourceThreadId),
    )
    if ('scope' in outcome) {
      return {answer: {text: texts.talk.limit(outcome, moment(outcome.freeAtMs))}, again: true}
    }
    if (outcome.outcome !== 'reviewed') return toRefusal(outcome, pullRequest)
    const {shown} = outcome
    if (shown.outcome === 'standing') await endHead(shown, handling.signal)
    if (shown.outcome === 'no-place') {
      return {answer: {text: words.noPlace(shown.code)}, again: true}
    }
    if (shown.outcome === 'declined') {
      const {answer} = await toAnswer(shown, permalinks)
      return {answer: {text: words.notShown(nameOf(pullRequest), answer?.text ?? '')}, again: true}
    }
    // Its head has just come into the channel, and says so; who asked in a Slack thread does not see that.
    if (shown.outcome === 'followed' && !outcome.round.adopted && source === undefined) return {}
    const where = shown.outcome === 'nowhere' ? undefined : await whereIs(shown.link, permalinks)
    return {answer: toMessage(asked, outcome, where, sourceThreadId)}
  }

  return (asked, handling) => telling(() => ask(asked, handling))
}

function toHeadWords({user, pullRequest}: Asked, {round, title, isAtWork}: Reviewed) {
  const {repo, number} = pullRequest
  const address = addressOf(pullRequest)
  const review = {
    repo,
    number,
    ...(address !== undefined && {address}),
    ...(round.headSha !== undefined && {headSha: round.headSha}),
    ...(isAtWork ? {isLive: true as const} : {isOver: true as const}),
  }
  return {askedBy: user, review, ...(title !== undefined && {title})}
}

function toMessage(
  {pullRequest, isForced, source}: Asked,
  {round, isAtWork}: Extract<ReviewOutcome, {outcome: 'reviewed'}>,
  where: string | undefined,
  sourceThreadId: string | undefined,
) {
  const {begun, running, already, recorded, notRecorded, again} = reviewTexts
  const name = nameOf(pullRequest)
  const said = !round.adopted ? begun : isAtWork ? running : already
  const heard = round.sourceRecorded ? recorded : notRecorded
  const lines = [said(name, where), ...(sourceThreadId === undefined ? [] : [heard])]
  const text = lines.join('\n')
  // What is under way can't be run again, and who has asked for just that has got what there is.
  if (!round.adopted || isAtWork || isForced) return {text}
  const value = `${source?.id ?? ''}.${pullRequest.address ?? toShort(pullRequest)}`
  const elements = [button(ACTIONS.reviewAgain, again, value)]
  return {text, blocks: [section(text), {type: 'actions' as const, elements}]}
}

export function toShort({repo, number}: PullRequest): string {
  return `${repo}#${number}`
}

function toRefusal(
  outcome: Exclude<ReviewOutcome, {outcome: 'reviewed'}>,
  pullRequest: PullRequest,
): ActResult {
  const {refused, noReason, outOfReach} = reviewTexts
  switch (outcome.outcome) {
    case 'refused': {
      const words = reasonLine(outcome.reason) || noReason
      return {answer: {text: refused(nameOf(pullRequest), words)}, again: true}
    }
    case 'out-of-reach':
      return {answer: {text: outOfReach(escapeMrkdwn(pullRequest.repo))}, again: true}
    case 'declined':
      return {answer: declinedMessage(outcome), again: true}
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(outcome satisfies never)}`)
  }
}
