import {isWorking} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import {BROUGHT, FOLLOWED, type Link, canStartOver} from '../../store/tables/work/link.ts'
import type {BudgetNote} from '../../store/tables/budgets/notes.ts'
import type {Notification} from '../../store/tables/work/notifications.ts'
import {CARD} from '../../store/tables/work/posts.ts'
import {type Send, wordsOf} from '../../store/tables/work/send.ts'
import {
  type BudgetContent,
  type CardContent,
  USUAL,
  type WaitingContent,
  type WantedPost,
} from '../post.ts'
import {calledBy} from './called-by.ts'
import type {Timeline} from '../timeline/timeline.ts'
import {notificationPosts} from './notification-posts.ts'
import {type States, cardsBelow, ownCards} from './pull-request.ts'
import {type Shaping, type SplitRule, draftPosts, entryPosts} from './reply-posts.ts'
import {planPosts} from './task-plan.ts'

/** What our own tables say besides the link. */
export interface Beside {
  unsure: readonly Send[]
  /** What the agent has not got yet, oldest first. */
  waiting: readonly Send[]
  /** What a stop has held back, oldest first. */
  held: readonly Send[]
  /** Those that may still change. */
  notifications: readonly Notification[]
  /** What it may cost, if that is limited, and what is told of budgets. */
  budget: {perWorkMicros: number | undefined; notes: readonly BudgetNote[]}
  /** How the pull requests stand that it has named. */
  pullRequests: {states: States}
}

/** What should stand in the link's place, given its thread and what waits for an answer. */
export function wantedPosts(
  link: Link,
  timeline: Timeline,
  beside: Beside,
  rule: SplitRule,
  shaping: Shaping = {shapes: new Map(), noFiles: false},
  /** Slack says there what the agent is doing: the card need not. */
  hasStatusLine = false,
): WantedPost[] {
  if (link.room?.isMoved === true) {
    return [card(link, timeline, beside, hasStatusLine), ...leftBehind(link, beside)]
  }
  return [
    card(link, timeline, beside, hasStatusLine),
    ...timeline.settled.flatMap((entry) => [
      ...entryPosts(entry, rule, shaping),
      ...(entry.delivery === undefined ? [] : cardsBelow(link, entry.delivery)),
    ]),
    ...timeline.drafts.flatMap((draft) => draftPosts(draft, rule, shaping).map(cutOffBy(link))),
    ...planPosts(link),
    ...ownCards(link, beside.notifications, beside.pullRequests.states),
    ...beside.unsure.map(unsurePost),
    ...waitingPosts(link, beside),
    ...heldPosts(link, beside),
    ...beside.notifications.flatMap((notification) =>
      notificationPosts(notification, link, beside.pullRequests.states),
    ),
    ...beside.budget.notes.map((note) => budgetPost(note, link)),
  ]
}

/** What nobody stopped goes on in the archive, and is said once it is taken out again. */
function cutOffBy({state, stoppedBy}: Link): (post: WantedPost) => WantedPost {
  if (state !== 'archived' || stoppedBy !== undefined) return (post) => post
  return (post) => {
    const {content} = post
    if (content.kind !== 'say' || content.interrupted !== true) return post
    return {...post, content: {...content, isPutAway: true}}
  }
}

/** Of work that goes on in a room: what is still to be decided here, and what stands here and may change. */
function leftBehind(link: Link, beside: Beside): WantedPost[] {
  const {notifications, pullRequests, budget} = beside
  const standing = [
    ...planPosts(link),
    ...ownCards(link, notifications, pullRequests.states),
    ...notifications.flatMap((one) => notificationPosts(one, link, pullRequests.states)),
    ...budget.notes.map((note) => budgetPost(note, link)),
  ]
  return [
    ...standing.map((post) => ({...post, isCreated: false})),
    ...beside.unsure.map(unsurePost),
    ...waitingPosts(link, beside),
    ...heldPosts(link, beside),
  ]
}

function card(
  link: Link,
  timeline: Timeline,
  {budget: {perWorkMicros}, pullRequests: {states}}: Beside,
  hasStatusLine: boolean,
): WantedPost {
  const now = timeline.status ?? link.status
  // The stream of archived work ends, and may not have said why.
  const archived = link.state === 'archived'
  const needsYou = link.state === 'open' && link.needsYou
  const status = shownStatus({status: now, needsYou, archived})
  const isResting = archived || link.state === 'ended'
  // Whoever is needed meanwhile may still stop it.
  const isAtWork = isWorking(now) && link.state === 'open'
  const pullRequestState = states.get(link.pullRequest ?? '')
  const content: CardContent = {
    kind: 'card',
    linkId: link.id,
    turn: link.turn,
    state: link.state,
    title: link.title,
    status,
    ...(isAtWork && status === 'pending_user' && {isAtWork: true as const}),
    sinceMs: toWholeMinutes(
      timeline.status === undefined ? link.statusSinceMs : timeline.statusSinceMs,
    ),
    project: link.projectName ?? link.projectId,
    model: modelOf(link),
    pullRequest: link.pullRequest,
    ...(pullRequestState !== undefined && {pullRequestState}),
    notes: link.notes,
    startedBy: link.startedBy,
    ...(link.rule !== undefined && {rule: link.rule.name}),
    ...(link.rule?.isWorkflow === true && {isWorkflow: true as const}),
    ...(isFollowed(link) && {isFollowed: true as const}),
    ...(canStartOver(link) && {canTryAgain: true}),
    stoppedBy: isAtWork ? undefined : link.stoppedBy,
    isStopping: isAtWork && link.stoppedBy !== undefined,
    isMuted: link.muted,
    threadId: link.threadId,
    // Where it would say so, it can't be said.
    notice: link.notice?.code === 'no-place' ? undefined : link.notice,
    credits: toWholeCents(link.credits),
    ...(perWorkMicros !== undefined && {budgetMicros: perWorkMicros}),
    earlier: link.notes?.earlier,
    ...(link.taskId !== undefined && {isTask: true}),
    ...(link.room !== undefined && {room: link.room.channel}),
    steps: timeline.steps,
    tool: isAtWork && !hasStatusLine ? timeline.tool?.text : undefined,
  }
  return {
    ...USUAL,
    key: CARD,
    content,
    // Behind the last word: who starts again looks here whether there was more to come.
    isFinal: isResting && (timeline.isDone || isCutOff(link)) && isEmpty(timeline),
    rank: 'state',
    isOrdered: true,
  }
}

/** What messages go with, what it was begun with, or else what ran last; by its name, if it was chosen by that. */
function modelOf({model, ask, lastModelId}: Link): string | undefined {
  return model?.alias ?? model?.modelId ?? ask?.alias ?? ask?.modelId ?? lastModelId
}

/** Refused, gone, or let go: nothing more comes of it. Of work that is put away, or done, the last words may. */
export function isCutOff({state, notice}: Link): boolean {
  return state === 'ended' && notice !== undefined && notice.code !== 'no-place'
}

function isEmpty({settled, drafts}: Timeline): boolean {
  return settled.length === 0 && drafts.length === 0
}

/** Whoever asks for a review begins it. */
function isFollowed({place, requestId, notes}: Link): boolean {
  const isFromElsewhere = requestId.startsWith(FOLLOWED) || requestId.startsWith(BROUGHT)
  return place.isRoom !== true && isFromElsewhere && notes?.reviews === undefined
}

// What would change nothing that people read must change no hash either: it would be an edit for nothing.

function toWholeMinutes(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000
}

const CREDITS_PER_CENT = 10

function toWholeCents(credits: number | undefined): number | undefined {
  if (credits === undefined || !Number.isFinite(credits)) return credits
  const cents = Math.round(credits / CREDITS_PER_CENT)
  return cents === 0 ? undefined : cents * CREDITS_PER_CENT
}

function unsurePost({id, sender, text}: Send): WantedPost {
  return {
    ...USUAL,
    key: `unsure:${id}`,
    content: {kind: 'unsure', sendId: id, sender, text},
    isFinal: false,
    rank: 'final',
  }
}

/** Edits notify nobody: each is a message of its own, and says in place what became of it. */
function budgetPost(note: BudgetNote, link: Link): WantedPost {
  const {id, kind, budget, subject, period, limitMicros, moreMicros, isLoud} = note
  const {state, endedBy, raisedMicros} = note
  const content: BudgetContent = {
    kind: 'budget',
    ...{noteId: id, why: kind === 'near' ? 'near' : 'stop'},
    ...{budget, subject, period, limitMicros, moreMicros, isLoud},
    ...{person: calledBy(link), endedBy, raisedMicros},
  }
  const isFinal = kind === 'near' || state === 'raised'
  return {...USUAL, key: `budget:${id}`, content, isFinal, rank: isFinal ? 'state' : 'final'}
}

/** Slack takes 50 blocks; a row is two of them. */
const MAX_ROWS = 20
/** More than a row shows. */
const MAX_WORDS = 400

/** One message lists all that waits; of archived work nothing is delivered that we would hear of. */
function waitingPosts({state}: Link, {waiting}: Beside): WantedPost[] {
  return state === 'open' ? listPosts('waiting', 'waiting', waiting) : []
}

/** What was held back can still be sent once the work is archived, but not where there is none any more. */
function heldPosts({state}: Link, {held}: Beside): WantedPost[] {
  if (state !== 'open' && state !== 'archived') return []
  const kind = state === 'open' ? 'held' : 'held-archived'
  const isFinal = state === 'archived'
  return listPosts('held', kind, held).map((post) => ({...post, isFinal}))
}

function listPosts(
  key: string,
  kind: WaitingContent['kind'],
  sends: readonly Send[],
): WantedPost[] {
  if (sends.length === 0) return []
  const rows = sends.slice(0, MAX_ROWS).map(({id: sendId, sender, text}) => {
    return {sendId, sender, words: wordsOf({text}).slice(0, MAX_WORDS)}
  })
  const content = {kind, rows, more: sends.length - rows.length}
  return [{...USUAL, key, content, isFinal: false, rank: 'final'}]
}
