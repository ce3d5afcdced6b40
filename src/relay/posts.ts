import {isWorking} from '../platform/model.ts'
import type {Link, Notice} from '../store/links.ts'
import type {Send} from '../store/sends.ts'
import {type Part, splitMarkdown} from './split.ts'
import {type Draft, type Settled, type Timeline, visibleText} from './timeline.ts'

/** What one message of ours says, in our words; `slack/` draws it. Plain data: it is hashed. */
export type PostContent = CardContent | SayContent | UnsureContent

export interface CardContent {
  kind: 'card'
  linkId: string
  state: 'starting' | 'ended' | 'archived' | 'open'
  title: string | undefined
  /** As the platform says it. */
  status: string | undefined
  sinceMs: number
  project: string
  startedBy: string
  stoppedBy: string | undefined
  /** Somebody pressed Stop, and it has not stopped yet. */
  isStopping: boolean
  threadId: string | undefined
  notice: Notice | undefined
  /** In whole cents, as they are read; `undefined` below the first. */
  credits: number | undefined
  /** While it works, these two alone are not worth an edit of their own. */
  steps: number
  tool: string | undefined
}

/** A part of a reply. */
export interface SayContent {
  kind: 'say'
  markdown: string
  /** It will not be finished; the agent does not know of it. */
  interrupted?: true
  /** Posted once more, because somebody deleted the first message. */
  again?: true
  /** Slack refused it with its formatting. */
  plain?: true
  attachments?: number
}

/** A message whose sending nobody can be sure of. */
export interface UnsureContent {
  kind: 'unsure'
  sendId: string
  sender: string
  text: string
}

/**
 * `final`: the last word of a reply, or a question. `state`: the card says something new. `first`: a
 * reply begins. `preview`: it grows. `spare`: nice to have. In this order under a rate limit.
 */
export type Rank = 'final' | 'state' | 'first' | 'preview' | 'spare'

/** One message as it should stand. The list of them is in the order in which they should stand. */
export interface WantedPost {
  /** Stable, and unique within its link. */
  key: string
  /** Of a part of a reply. */
  delivery: string | undefined
  content: PostContent
  /** It will not change any more. */
  isFinal: boolean
  /** An edit of it that is due counts as this. */
  rank: Rank
  /** False: it is changed where it stands, and not made where it does not. */
  isCreated: boolean
  /** Its place among the others matters. */
  isOrdered: boolean
  /** Of a preview: the slice of the reply that it shows. */
  draft: string | undefined
}

export interface SplitRule {
  maxCost: number
  costOf: (text: string) => number
}

/** What should stand in the link's place, given its thread and what waits for an answer. */
export function wantedPosts(
  link: Link,
  timeline: Timeline,
  unsure: readonly Send[],
  rule: SplitRule,
): WantedPost[] {
  return [
    card(link, timeline),
    ...timeline.settled.flatMap((entry) => entryPosts(entry, rule)),
    ...timeline.drafts.flatMap((draft) => draftPosts(draft, rule)),
    ...unsure.map(unsurePost),
  ]
}

function card(link: Link, timeline: Timeline): WantedPost {
  // The stream of archived work ends, and may not have said why.
  const status = link.state === 'archived' ? 'archived' : (timeline.status ?? link.status)
  const isResting = link.state === 'archived' || link.state === 'ended'
  const isAtWork = status !== undefined && isWorking(status) && link.state === 'open'
  const content: CardContent = {
    kind: 'card',
    linkId: link.id,
    state: link.state,
    title: link.title,
    status,
    sinceMs: timeline.status === undefined ? link.statusSinceMs : timeline.statusSinceMs,
    project: link.projectName ?? link.projectId,
    startedBy: link.startedBy,
    stoppedBy: isAtWork ? undefined : link.stoppedBy,
    isStopping: isAtWork && link.stoppedBy !== undefined,
    threadId: link.threadId,
    notice: link.notice,
    credits: toWholeCents(link.credits),
    steps: timeline.steps,
    tool: isAtWork ? timeline.tool : undefined,
  }
  return {
    key: 'card',
    delivery: undefined,
    content,
    isFinal: isResting,
    rank: 'state',
    isCreated: true,
    isOrdered: true,
    draft: undefined,
  }
}

const CREDITS_PER_CENT = 10

/** What would change nothing that people read must change no hash either: it would be an edit for nothing. */
function toWholeCents(credits: number | undefined): number | undefined {
  if (credits === undefined || !Number.isFinite(credits)) return credits
  const cents = Math.round(credits / CREDITS_PER_CENT)
  return cents === 0 ? undefined : cents * CREDITS_PER_CENT
}

/** The card without what is not worth an edit of its own: see {@link CardContent}. */
export function essenceOf(content: PostContent): PostContent {
  if (content.kind !== 'card') return content
  const isAtWork = content.status !== undefined && isWorking(content.status)
  // At rest the number of steps is the last word.
  return {...content, steps: isAtWork ? 0 : content.steps, tool: undefined}
}

function entryPosts(entry: Settled, rule: SplitRule): WantedPost[] {
  const {delivery, text, attachments} = entry
  if (delivery === undefined) return []
  if (text.trim() === '' && attachments === 0) return [nothingToShow(delivery)]
  const parts = visibleParts(text, rule)
  return parts.map(({shown}, part) => ({
    key: sayKey(delivery, part),
    delivery,
    content: {
      kind: 'say',
      markdown: shown,
      ...(attachments > 0 && part === parts.length - 1 && {attachments}),
    },
    isFinal: true,
    rank: 'final',
    isCreated: true,
    isOrdered: true,
    draft: undefined,
  }))
}

/** Never made: it stands for a reply that shows nothing, so that what a draft of it left goes. */
function nothingToShow(delivery: string): WantedPost {
  return {
    key: `none:${delivery}`,
    delivery,
    content: {kind: 'say', markdown: ''},
    isFinal: true,
    rank: 'final',
    isCreated: false,
    isOrdered: false,
    draft: undefined,
  }
}

function draftPosts(draft: Draft, rule: SplitRule): WantedPost[] {
  const {delivery, state} = draft
  // Half a character may be at the end: its other half is in the next fragment.
  const text = visibleText(draft).replace(/[\uD800-\uDBFF]$/, '')
  // A reply that begins with the marks of a heading would be an empty message for a moment.
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)) return []
  const isInterrupted = state === 'interrupted'
  const parts = visibleParts(text, rule)
  return parts.map(({shown, source}, part) => ({
    key: sayKey(delivery, part),
    delivery,
    content: {
      kind: 'say',
      markdown: shown,
      // Each part says so: nobody can tell here which of them came to stand before it broke off.
      ...(isInterrupted && {interrupted: true}),
    },
    isFinal: isInterrupted,
    rank: isInterrupted ? 'final' : 'preview',
    // What an earlier connection left is shown no more than it was.
    isCreated: state === 'live',
    // What does not grow stays where it broke off, whatever comes behind it, until its entry moves it.
    isOrdered: state === 'live',
    draft: source,
  }))
}

/** Slack takes no message that shows nothing: a part that is only space is left out. */
function visibleParts(text: string, {maxCost, costOf}: SplitRule): Part[] {
  const parts = splitMarkdown(text, maxCost, costOf)
  return parts.length === 1 ? parts : parts.filter(({shown}) => shown.trim() !== '')
}

function unsurePost({id, sender, text}: Send): WantedPost {
  return {
    key: `unsure:${id}`,
    delivery: undefined,
    content: {kind: 'unsure', sendId: id, sender, text},
    isFinal: false,
    rank: 'final',
    isCreated: true,
    isOrdered: false,
    draft: undefined,
  }
}

function sayKey(delivery: string, part: number): string {
  return `say:${delivery}:${part}`
}
