/**
 * `found → wanted → intended → placed ⇄ over`, `intended → wanted`, from each of them `gone`, and `gone → wanted`. Or `before`.
 *
 * `found`: what it says is still being read. `wanted`: to be posted. `intended`: about to be posted; whether
 * Slack has it is known only by its answer or by looking. `placed`: it stands. `over`: it stands in its last
 * form. `gone`: Slack does not take it. `before`: it stood when the watch began, or the
 * place had work before it could be welcomed; it is not told.
 */
export type AnnouncementState =
  'before' | 'found' | 'wanted' | 'intended' | 'placed' | 'over' | 'gone'

/** A message of ours that stands in a channel: a state of a thread, or the head of a Slack thread. */
export interface Announcement {
  /** Opaque; it stands in buttons, and in the message's metadata. */
  id: string
  team: string
  channel: string
  threadId: string
  /** The key that reaches the thread; `undefined`: the one of the environment. */
  connectionId: string | undefined
  /** `undefined`: it is the head of a Slack thread that somebody asked for. */
  status: string | undefined
  words: AnnouncementWords
  state: AnnouncementState
  /** The message's, once it stands. */
  ts: string | undefined
  endedBy: Ending | undefined
  /** When it was made; of a receipt: when it is to be told, and others may join it until then. */
  madeAtMs: number
}

export interface AnnouncementWords {
  title?: string
  /** The platform's name of who the thread belongs to. */
  author?: string
  /** The agent's last words. */
  said?: string
  /** Of a head: the Slack user who asked for it. */
  askedBy?: string
  /** Of a head: what they asked for, which begins below it. */
  task?: string
  /** Of a head: it is a task's. */
  isTask?: true
  /** Of a head: it is a review's. */
  review?: ReviewWords
  /** Of a head: it is a captain's, whose name is the title. */
  isCaptain?: true
  /** Of the first message of a room: the channel that it was opened from. */
  room?: {origin: string}
  /** What somebody answered here. */
  answer?: string
  /** Of a digest; somebody's own names them in `askedBy`. */
  digest?: DigestWords
  /** Of a welcome: people of other companies read along. */
  isShared?: true
  /** Of what is told of a message that a rule matched: what, and in whose Slack thread. */
  rule?: {name: string; says: 'ask' | 'hour' | 'day'; below: string}
  /** Of a receipt: which hook took something, and how many deliveries came to what (not in those of earlier versions). */
  receipt?: {
    hookId: string
    name: string
    counts?: Readonly<Record<string, number>>
    /** What was found of the work that began. */
    runs?: readonly {id: string; threadId: string; title?: string}[]
  }
}

/** What a digest tells of. What that was is read when it is posted: by then somebody may not be where it is any more. */
export interface DigestWords {
  /** The day for which it is. */
  date: string
  sinceMs: number
  untilMs: number
  /** What the channel spent in between, in millionths of a dollar. */
  micros?: number
}

interface ReviewWords {
  repo: string
  number: number
  /** Of its page. */
  address?: string
  /** The commit. */
  headSha?: string
  /** It was over before anybody asked for it here. */
  isOver?: true
  /** It was under way, and its head says when that is over; absent in heads of earlier versions. */
  isLive?: true
}

/**
 * `over`, `answered`: elsewhere; `answered`: it goes on. `done`, `stopped`, `archived`: that has become of it. `hushed`: nobody here wants to hear of this thread any more. `unwatched`: nobody here
 * hears of it any more, and it may still be so. Else the Slack user who answered.
 */
export type Ending =
  | ('over' | 'answered' | 'done' | 'stopped' | 'archived' | 'hushed' | 'unwatched')
  | `${'U' | 'W'}${string}`

/** Slack's ids of people begin with one of two letters. */
export function toPerson(user: string): `U${string}` | `W${string}` {
  return user.startsWith('W') ? `W${user.slice(1)}` : `U${user.slice(1)}`
}

/** The status of an announcement that is about a key, and not about a thread. */
export const KEY_REFUSED = 'key-refused'

/**
 * The status of an announcement that tells what came of deliveries to a hook. It may come to tell of more until it is on its
 * way, and may be held back until the time that it bears; once it stands it changes only to name the work that began.
 */
export const HOOK_RECEIPT = 'hook-receipt'

/** The status of what a channel, or somebody in their direct messages, is told first of all: once, for good. */
export const WELCOME = 'welcome'

/**
 * The status of what is told in the Slack thread of an app's message that a rule of the channel matched: it asks whether work is
 * to start, or says that a limit is reached.
 */
export const RULE = 'rule'

/** The status of what a channel, or somebody in their direct messages, is told of what has happened since the last time. */
export const DIGEST = 'digest'

/** Those that have nothing to do with what a channel watches. */
export const APART: readonly string[] = [KEY_REFUSED, HOOK_RECEIPT, WELCOME, RULE, DIGEST]
