import type {KnownPost} from './known-posts.ts'
import type {SayPost, WantedPost} from './post.ts'
import type {Step} from './steps.ts'

/** Slack ends a stream about five minutes after its start, and marks its message as broken then. */
const CLOSE_AFTER_MS = 240_000
/** Between two appends. */
const APPEND_GAP_MS = 150

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
  const {key, ts = '', streamed, shownAtMs, openedAtMs} = row
  const close = {move: 'close', key, ts, stretch: undefined, sinceMs: shownAtMs} as const
  const {notBeforeMs} = row
  if (streamed === undefined || !isSay(post) || post.content.plain === true) {
    return [{...close, rank: post.rank === 'final' ? 'final' : 'state', notBeforeMs}]
  }
  const isShown = streamed.markdown === post.content.markdown
  const stretch = {sent: streamed.sent, content: post.content}
  const append = {...close, move: 'append', post, stretch, rank: post.rank} as const
  if (growth === 'grows') {
    const more = {...append, notBeforeMs: Math.max(notBeforeMs, shownAtMs + APPEND_GAP_MS)}
    const inTime = Math.max(notBeforeMs, openedAtMs + CLOSE_AFTER_MS)
    const end: Step = {...close, rank: 'state', notBeforeMs: inTime}
    return isShown ? [end] : [more, end]
  }
  // The whole text is seen: only its form is still missing.
  if (isShown) return [{...close, rank: rankOfLast(post, row), notBeforeMs}]
  return [
    {...close, stretch, rank: post.rank, notBeforeMs},
    {...append, notBeforeMs},
  ]
}

/** An edit that shows nothing new of a stream which is over: what others have to say comes first. */
export function rankOfLast(post: WantedPost, {streamed}: KnownPost): WantedPost['rank'] {
  const {content, rank} = post
  const isSeen = content.kind === 'say' && content.markdown === streamed?.markdown
  return rank === 'final' && isSeen && content.interrupted !== true ? 'state' : rank
}

function isSay(post: WantedPost): post is SayPost {
  return post.content.kind === 'say'
}
