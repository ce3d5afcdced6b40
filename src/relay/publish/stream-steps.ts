import type {SayPost, WantedPost} from '../post.ts'
import type {KnownPost} from './known-posts.ts'
import type {Step} from './steps.ts'

/** Slack ends a stream about five minutes after its start, and marks its message as broken then. */
const CLOSE_AFTER_MS = 240_000
const OVER_AFTER_MS = 310_000

/** A reply that begins to grow may begin as a stream; what is complete, or was refused so, may not. */
export function canStream(post: WantedPost): post is SayPost {
  const isGrowing = !post.isFinal && post.draft !== undefined
  return isGrowing && isSay(post) && post.content.plain !== true
}

/**
 * What a message needs that Slack still streams. While it grows: more text, and an end in time. Then its
 * last words, by whichever call may go first, and the end of its stream; all else is an edit after that.
 */
export function streamSteps(post: WantedPost, row: KnownPost, growth: 'grows' | 'ends'): Step[] {
  const {key, ts = '', streamed, shownAtMs: sinceMs, openedAtMs = 0, notBeforeMs} = row
  const close = {move: 'close', key, ts, stretch: undefined, sinceMs, notBeforeMs} as const
  // What waits only to be whole must not look like growth, which would cover that of the next part.
  const rank = post.rank === 'final' ? 'final' : 'state'
  if (streamed === undefined || !isSay(post) || post.content.plain === true) {
    return [{...close, rank}]
  }
  const {sent, isAll, markdown} = streamed
  const isSame = markdown === post.content.markdown
  const toSay = {sent, content: post.content}
  const append = {...close, move: 'append', post} as const
  if (growth === 'grows') {
    const stretch = {...toSay, until: 'word'} as const
    const more: Step = {...append, stretch, rank: post.rank}
    const inTime = Math.max(notBeforeMs, openedAtMs + CLOSE_AFTER_MS)
    const end: Step = {...close, rank: 'state', notBeforeMs: inTime}
    return isSame ? [end] : [more, end]
  }
  // The whole text is seen: only its form is still missing.
  if (isSame && isAll) return [{...close, rank: rank === 'final' ? rankOfLast(post, row) : rank}]
  const stretch = {...toSay, until: 'end'} as const
  return [
    {...close, stretch, rank},
    {...append, stretch, rank},
  ]
}

/** Slack has ended a stream by then, whoever was asked to: what is due needs no close any more. */
export function isOverAtMs({openedAtMs}: KnownPost): number {
  return openedAtMs === undefined ? 0 : openedAtMs + OVER_AFTER_MS
}

/** An edit that shows nothing new of a stream which is over: what others have to say comes first. */
export function rankOfLast(post: WantedPost, {streamed}: KnownPost): WantedPost['rank'] {
  const {content, rank} = post
  const isSeen = content.kind === 'say' && content.markdown === streamed?.markdown && streamed.isAll
  return rank === 'final' && isSeen && content.interrupted !== true ? 'state' : rank
}

function isSay(post: WantedPost): post is SayPost {
  return post.content.kind === 'say'
}
