import type {PostRow, PostStore} from '../../store/tables/work/posts.ts'
import type {Clock} from '../../async/clock.ts'
import type {Said, Search} from '../ports.ts'
import {type SayPost, type WantedPost, essenceOf, hashOf} from '../post.ts'
import {isNotification} from '../posts/notification-posts.ts'

/** A post as the publisher knows it: its row, and what only this process has to remember. */
export interface KnownPost extends PostRow {
  /** Hash of what was last shown, without what is not worth an edit of its own. */
  essence: string | undefined
  /** When it was last written; 0: not by this process. */
  shownAtMs: number
  /** When an edit was last made that was worth it only for want of better things to do. */
  spareAtMs: number
  /** An edit without an answer may still be applied, over a later one, until then. */
  doubtfulUntilMs: number
  /** Since when an open intent is looked for in vain, and when next. */
  soughtSinceMs: number | undefined
  notBeforeMs: number
  /** Slack itself said that the call failed that was to make it. */
  isAnswered: boolean
  /** When its message was about to be made, by the date; not known of what an earlier process made, or removed. */
  intendedAtMs: number | undefined
  /** The look that is under way, and since when. */
  search: (Search & {beganMs: number}) | undefined
  /** Slack lets nobody change it any more. */
  isStuck: boolean
  /** What its stream says; absent when that is not known, or was edited since. */
  streamed: Streamed | undefined
  /** When this process began its stream, or met it. Absent: it is none, or Slack has shown that it is over. */
  openedAtMs: number | undefined
}

interface Streamed extends Said {
  markdown: string
}

/**
 * The posts of one link as they stand, in our table and in memory. Of a message that is being removed memory alone still says
 * where it stood, and of one that somebody deleted the table.
 */
export interface KnownPosts {
  all: ReadonlyMap<string, KnownPost>
  /** A delivery that is new to us may have posts from before a restart. */
  load(delivery: string): Promise<void>
  /** Before its message is made. A file says in its intent what it will say. */
  intend(post: WantedPost, as?: {file?: string; streaming?: true}): Promise<void>
  /** Before its message is removed: a crash in between must not look as if a person had deleted it. */
  intendRemoval(key: string): Promise<void>
  /** Slack has it as it is wanted. */
  confirm(post: WantedPost, ts: string): Promise<void>
  /** Its stream says so much of it now. */
  confirmStreamed(post: SayPost, ts: string, said: Said): Promise<void>
  /** Slack has shown that its stream is over: it can be edited from now on, and says this. */
  endStream(key: string, streamed?: Streamed): Promise<void>
  /** The message of an open intent was found. */
  adopt(key: string, ts: string): Promise<void>
  /** Its message is gone for good, or was never made. */
  forget(key: string): Promise<void>
  /** Somebody else deleted it. */
  markGone(key: string): Promise<void>
  /** What this process alone has to remember. */
  note(key: string, notes: Partial<Notes & Pick<PostRow, 'streaming'>>): void
  /** Drops what is confirmed and no longer wanted from memory; its keys. */
  release(delivery: string): ReadonlySet<string>
  /** The same of calls: those that are over do not come back, and work that stays has ever more of them. */
  releaseNotifications(wanted: readonly WantedPost[]): void
}

type Notes = Omit<KnownPost, keyof PostRow>

export function createKnownPosts(options: {
  linkId: string
  standing: readonly PostRow[]
  posts: PostStore
  clock: Clock
}): KnownPosts {
  const {linkId, posts, clock} = options
  const all = new Map(options.standing.map((row) => [row.key, toKnown(row, clock.nowMs())]))
  const loaded = new Set(options.standing.flatMap(({delivery}) => delivery ?? []))

  const load = async (delivery: string): Promise<void> => {
    if (loaded.has(delivery)) return
    const rows = await posts.ofDelivery(linkId, delivery)
    loaded.add(delivery)
    for (const row of rows) all.set(row.key, toKnown(row, clock.nowMs()))
  }

  const intend: KnownPosts['intend'] = async ({key, delivery, draft, content}, as = {}) => {
    const {file, streaming = false} = as
    const hash = file === undefined ? undefined : hashOf(content)
    const row = {key, delivery, draft, file, hash, streaming}
    const intendedAtMs = clock.dateMs()
    await posts.intend(linkId, row, intendedAtMs)
    const known = {...row, state: 'intended', ts: undefined, final: false} as const
    all.set(key, {...toKnown(known, clock.nowMs()), intendedAtMs})
  }

  const intendRemoval = async (key: string): Promise<void> => {
    const row = all.get(key)
    if (row === undefined) return
    const {delivery, draft, file} = row
    // Of a message it is not known what it says, should it stay; of a file it is.
    const hash = file === undefined ? undefined : row.hash
    const streaming = row.openedAtMs !== undefined
    await posts.intend(linkId, {key, delivery, draft, file, hash, streaming}, clock.dateMs())
  }

  const confirm = async (post: WantedPost, ts: string): Promise<void> => {
    const {key, isFinal: final, draft} = post
    const now = {ts, hash: hashOf(post.content), final, draft}
    await posts.confirm(linkId, {key, ...now})
    const essence = hashOf(essenceOf(post.content))
    const before = all.get(key) ?? toKnown(placed(post, ts), 0)
    const nowMs = clock.nowMs()
    all.set(key, {
      ...before,
      ...now,
      state: 'placed',
      essence,
      streamed: undefined,
      shownAtMs: nowMs,
      spareAtMs: before.essence === essence ? nowMs : before.spareAtMs,
      doubtfulUntilMs: before.doubtfulUntilMs > nowMs ? before.doubtfulUntilMs : 0,
      notBeforeMs: 0,
    })
  }

  const confirmStreamed: KnownPosts['confirmStreamed'] = async (post, ts, said) => {
    const {key, draft, content} = post
    // Whatever a stream says is written once more when it is over.
    const now = {ts, hash: undefined, final: false, draft}
    const nowMs = clock.nowMs()
    const before = all.get(key) ?? toKnown(placed(post, ts), nowMs)
    const openedAtMs = (before.state === 'placed' ? before.openedAtMs : undefined) ?? nowMs
    const streamed = {markdown: content.markdown, ...said}
    // Whatever becomes of our table: it must not be sent a second time.
    all.set(key, {
      ...before,
      ...now,
      state: 'placed',
      streaming: true,
      streamed,
      openedAtMs,
      shownAtMs: nowMs,
      notBeforeMs: 0,
    })
    await posts.confirm(linkId, {key, ...now})
  }

  const endStream: KnownPosts['endStream'] = async (key, streamed) => {
    await posts.endStream(linkId, key)
    const row = all.get(key)
    if (row === undefined) return
    all.set(key, {...row, streaming: false, openedAtMs: undefined, streamed, notBeforeMs: 0})
  }

  const adopt = async (key: string, ts: string): Promise<void> => {
    const row = all.get(key)
    if (row === undefined) return
    const {file, hash, draft} = row
    const openedAtMs = row.openedAtMs === undefined ? undefined : clock.nowMs()
    // What a message says is not known, so it is written once more if it is still wanted.
    const final = file !== undefined
    await posts.confirm(linkId, {key, ts, hash, final, draft})
    const placed = {state: 'placed', ts, final, openedAtMs} as const
    all.set(key, {...row, ...placed, essence: undefined, notBeforeMs: 0, search: undefined})
  }

  const forget = async (key: string): Promise<void> => {
    await posts.forget(linkId, key)
    all.delete(key)
  }

  const note: KnownPosts['note'] = (key, notes) => {
    const row = all.get(key)
    if (row !== undefined) all.set(key, {...row, ...notes})
  }

  const markGone = async (key: string): Promise<void> => {
    await posts.markGone(linkId, key)
    const row = all.get(key)
    if (row !== undefined) all.set(key, {...row, state: 'gone', ts: undefined})
  }

  const release = (delivery: string): ReadonlySet<string> => {
    loaded.delete(delivery)
    const rows = [...all.values()].filter((row) => row.delivery === delivery)
    for (const {key} of rows) all.delete(key)
    return new Set(rows.map(({key}) => key))
  }

  const releaseNotifications: KnownPosts['releaseNotifications'] = (wanted) => {
    for (const {key, final} of all.values()) {
      const isOver = final && isNotification(key) && !wanted.some((post) => post.key === key)
      if (isOver) all.delete(key)
    }
  }
  return {
    all,
    load,
    intend,
    intendRemoval,
    confirm,
    confirmStreamed,
    endStream,
    adopt,
    forget,
    markGone,
    note,
    release,
    releaseNotifications,
  }
}

function placed({key, delivery, draft}: WantedPost, ts: string): PostRow {
  const row = {key, delivery, draft, ts, state: 'placed' as const, final: false}
  return {...row, hash: undefined, file: undefined, streaming: false}
}

function toKnown(row: PostRow, nowMs: number): KnownPost {
  return {
    ...row,
    essence: undefined,
    shownAtMs: 0,
    spareAtMs: 0,
    doubtfulUntilMs: 0,
    soughtSinceMs: undefined,
    notBeforeMs: 0,
    isAnswered: false,
    intendedAtMs: undefined,
    search: undefined,
    isStuck: false,
    streamed: undefined,
    openedAtMs: row.streaming ? nowMs : undefined,
  }
}
