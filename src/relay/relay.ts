import type {Frame} from '../platform/frame.ts'
import {isWorking} from '../platform/model.ts'
import type {Link} from '../store/link.ts'
import type {LinkStore} from '../store/links.ts'
import type {PostStore} from '../store/posts.ts'
import type {Send} from '../store/sends.ts'
import {createBacklog} from './backlog.ts'
import {createBooks} from './books.ts'
import {type CallingOptions, createCalling} from './calling.ts'
import {visibleLength} from './drafts.ts'
import {type Follow, createFollowing} from './following.ts'
import type {Obstacle, Obstacles} from './obstacles.ts'
import type {Pacer} from './pacer.ts'
import type {Log, PostWriter} from './ports.ts'
import type {WantedPost} from './post.ts'
import {type Beside, wantedPosts} from './posts.ts'
import {createPublisher} from './publisher.ts'
import {createRecognising} from './recognising.ts'
import {createNaming} from './pull-request.ts'
import type {Shaping, SplitRule} from './reply-posts.ts'
import {standingPosts, toDrafts} from './standing-posts.ts'
import {createTaskReading} from './task-reading.ts'
import {createThreadReading} from './thread-reading.ts'
import type {Ways} from './ways.ts'
import {type Timeline, breakOff, createTimeline, fold, release} from './timeline.ts'

/** One running projection: stream → timeline → posts → publisher. */
export interface Relay {
  /** Our own tables say something new about the link. */
  refresh(): Promise<void>
  /** It has begun to stop, and heeds nothing any more. */
  isStopping(): boolean
  /** Settles when the relay has stopped; rejects with what it failed of, and then it wants to be started again. */
  stopped: Promise<void>
}

export interface RelayOptions extends CallingOptions {
  links: LinkStore
  posts: PostStore
  writer: PostWriter
  ways: Ways
  pacer: Pacer
  obstacles: Obstacles
  /** Whoever asked for the work hears that it can't be shown where it is. */
  tellBlocked: (link: Link, obstacle: Obstacle) => void
  /** A message that waited, or that nobody was sure of, has reached the agent. */
  tellArrived: (link: Link, send: Send) => void
  splitRule: SplitRule
  follow: Follow
  /** What people see of the link may have changed. */
  onNews: (link: Link) => void
  log: Log
}

/** So many entries may wait for Slack before the stream has to wait too. */
const MAX_UNCONFIRMED = 200
/** What a card says of work that is only being created would have to be edited at once. */
const CARD_WAITS_MS = 600
/** A stream that is silent for so long is told of on the card. */
const TELL_AFTER_MS = 300_000

/**
 * Serves one link until the signal, or until there is nothing left to show: its work is archived or
 * ended, and every post stands in its last form.
 */
export async function startRelay(
  first: Link,
  options: RelayOptions,
  stop: AbortSignal,
): Promise<Relay> {
  const {links, posts, sends, pings, obstacles, clock, log} = options
  // One of thousands: a signal made of two others would cost several times as much.
  const ended = new AbortController()
  const {signal} = ended
  const standing = await standingPosts(posts, first.id)
  const readBeside = async (): Promise<Beside> => {
    const [unsure, waiting, called] = await Promise.all([
      ...([sends.unsure(first.id), sends.waiting(first.id)] as const),
      pings.ofLink(first.id),
    ])
    return {unsure, waiting, pings: called}
  }
  let beside = await readBeside()
  let timeline: Timeline = createTimeline({...first, drafts: toDrafts(standing)})
  let cached: {posts: WantedPost[]; of: unknown[]} | undefined
  let newestTs = first.newestTs
  let drained: (() => void) | undefined
  let pokes: 'growth' | 'any' | undefined
  const failures: unknown[] = []
  const backlog = createBacklog(clock)
  let isEarly = first.state === 'starting'

  const onChanged = (): void => {
    poke('any')
    options.onNews(books.link())
  }
  const books = createBooks({first, links, log, signal, onChanged})
  const calling = createCalling({
    ...{...options, books, signal},
    timeline: () => timeline,
    onChanged: async () => {
      beside = await readBeside()
      onChanged()
    },
  })
  const onRead = (): void => calling.look('read')
  const readThread = createThreadReading({books, clientOf: options.clientOf, signal, onRead})
  const naming = createNaming(books)
  const readTasks = createTaskReading({books, clientOf: options.clientOf, log, signal})

  const end = (): void => {
    ended.abort()
    following.look()
  }

  const wanted = (shaping: Shaping): readonly WantedPost[] => {
    if (isEarly && books.link().state === 'starting') return []
    const pullRequests = naming.named()
    const of = [books.link(), timeline, beside, shaping, pullRequests]
    if (cached?.of.every((part, index) => part === of[index]) !== true) {
      const all = wantedPosts(
        {...books.link(), pullRequests},
        timeline,
        beside,
        options.splitRule,
        shaping,
      )
      cached = {of, posts: all}
    }
    return cached.posts
  }

  /** The cursor moves last: behind the posts that depend on it. */
  const advance = (deliveries: ReadonlyMap<string, string | undefined>): void => {
    const released = release(timeline, (delivery) => deliveries.has(delivery))
    if (released === undefined) return
    timeline = released.timeline
    const held = new Set(timeline.settled.map(({delivery}) => delivery))
    for (const [delivery, ts = ''] of deliveries) {
      if (!held.has(delivery) && ts > (newestTs ?? '')) newestTs = ts
    }
    if (isBlocked(books.link()) && deliveries.size > 0) books.note({notice: undefined})
    const {cursor, steps} = released
    if (cursor !== undefined) books.note({cursor, steps, newestTs})
    if (timeline.settled.length < MAX_UNCONFIRMED) drained?.()
  }

  const onIdle = (): void => {
    const {state} = books.link()
    const isOver = state === 'archived' || state === 'ended'
    if (isOver && timeline.settled.length === 0 && following.isResting()) end()
  }

  const publisher = createPublisher({
    ...options,
    linkId: first.id,
    place: first.place,
    reader: first.startedBy,
    face: () => books.link().face,
    backlog,
    standing,
    floor: () => newestTs ?? '',
    wanted,
    onDelivered: advance,
    onIdle,
  })

  const onPokes = (): void => {
    const strongest = pokes ?? 'any'
    pokes = undefined
    publisher.poke(strongest)
  }

  /** Many frames arrive in one chunk; the publisher looks once they are all folded. */
  const poke = (change: 'growth' | 'any'): void => {
    if (pokes === undefined) setImmediate(onPokes)
    pokes = pokes === 'any' ? 'any' : change
  }

  const take = (frame: Frame, threadId: string): Promise<void> | undefined => {
    if (frame.type === 'disconnected') tellSilence(frame.sinceMs)
    else if (frame.type !== 'transcript' || frame.entry.source !== 'user') {
      return takeKnown(frame, threadId, false)
    } else {
      return recognise(frame.entry).then(({isOurs, entry}) =>
        takeKnown({...frame, entry}, threadId, isOurs),
      )
    }
    return undefined
  }

  const takeKnown = (
    frame: Frame,
    threadId: string,
    isOurs: boolean,
  ): Promise<void> | undefined => {
    const before = timeline
    timeline = fold(timeline, frame, {nowMs: clock.dateMs(), isOurs})
    if (frame.type === 'transcript') advance(NOTHING_DELIVERED)
    if (frame.type === 'assistant')
      backlog.grow(Math.max(0, visibleLength(timeline.drafts) - visibleLength(before.drafts)))
    const isGrowth = frame.type === 'assistant' && timeline.drafts.length === before.drafts.length
    poke(isGrowth ? 'growth' : 'any')
    keepBooks(frame, before.status, threadId)
    return timeline.settled.length >= MAX_UNCONFIRMED ? room() : undefined
  }

  /** What the card and the table have to know of a frame. */
  const keepBooks = (frame: Frame, statusBefore: string | undefined, threadId: string): void => {
    const {status, statusSinceMs} = timeline
    const link = books.link()
    const isNews = status !== statusBefore || (frame.type === 'status' && link.status !== status)
    if (isNews) books.note({status, statusSinceMs})
    // In the table too: a stop may stand there of which this relay has not been told yet.
    if (frame.type === 'run' && frame.phase === 'start') books.note({stoppedBy: undefined})
    if (frame.type === 'transcript' && frame.entry.source === 'assistant') {
      naming.note(frame.entry, timeline)
    }
    calling.hear(frame, {isNews, statusBefore})
    const isRest = frame.type === 'status' && !isWorking(frame.status)
    const runEnded = frame.type === 'run' && frame.phase === 'end'
    if (isRest || runEnded || (link.title === undefined && isNews)) {
      books.keep(readThread(threadId))
    }
    const tasks = readTasks(frame, threadId)
    if (tasks !== undefined) books.keep(tasks)
    const isHeard = frame.type !== 'connected' && frame.type !== 'rewound'
    // Why it was ended is no trouble that passes, whatever was under way still.
    const isTrouble = link.notice !== undefined && link.state !== 'ended' && !isBlocked(link)
    if (isHeard && isTrouble) books.note({notice: undefined})
  }

  const tellSilence = (sinceMs: number): void => {
    const isLong = clock.dateMs() - sinceMs >= TELL_AFTER_MS
    if (isLong && books.link().notice === undefined) books.note({notice: {code: 'unreachable'}})
  }

  const room = (): Promise<void> => new Promise((resolve) => (drained = resolve))

  /** Whoever starts it again starts from what is confirmed. */
  const fail = (error: unknown): void => {
    if (signal.aborted) return
    failures.push(error)
    end()
  }

  /** What has not been said by now will not be, unless somebody makes it go on. */
  const onStreamEnd = (): void => {
    timeline = breakOff(timeline)
    calling.look('heard')
    poke('any')
  }

  const following = createFollowing({
    ...{follow: options.follow, books, log, take, onFailure: fail, onEnd: onStreamEnd},
    wanted: () => toFollow(),
    isDone: () => timeline.isDone,
  })

  /**
   * The stream runs while the link is open and its place can be written to. Of work that is archived its last
   * words may still be under way: the stream says itself when it is done.
   */
  const toFollow = (): string | undefined => {
    const {state, threadId} = books.link()
    const isEnding = state === 'archived' && !following.isResting() && !timeline.isDone
    const isWanted = state === 'open' || isEnding
    return isWanted && !signal.aborted && obstacles.at(first.place) === undefined
      ? threadId
      : undefined
  }

  /** What could not be shown comes again behind the cursor. */
  const onObstacle = (): void => {
    const obstacle = obstacles.at(first.place)
    if (obstacle !== undefined && !isBlocked(books.link())) {
      options.tellBlocked(books.link(), obstacle)
      books.note({notice: {code: 'no-place', detail: obstacle.code}})
    }
    following.look()
  }

  const refresh = async (): Promise<void> => {
    const isKnown = await books.reload()
    // A new thread is another story, and what was forgotten is none.
    if (!isKnown || books.link().attempt !== first.attempt) end()
    beside = await readBeside()
    following.look()
    calling.look('heard')
    onChanged()
  }

  const recognise = createRecognising({...options, books, refresh})

  const endWait = (): void => {
    isEarly = false
    poke('any')
  }

  const run = async (): Promise<void> => {
    const leave = obstacles.watch(onObstacle)
    const cancelWait = isEarly ? clock.after(CARD_WAITS_MS, endWait) : undefined
    stop.addEventListener('abort', end, {once: true})
    if (stop.aborted) end()
    onObstacle()
    // What was over when nobody listened is.
    calling.look('heard')
    await publisher.run(signal)
    leave()
    cancelWait?.()
    stop.removeEventListener('abort', end)
    end()
    await books.closed()
    if (failures.length > 0) throw failures[0]
  }
  return {refresh, isStopping: () => signal.aborted, stopped: run()}
}

const NOTHING_DELIVERED: ReadonlyMap<string, undefined> = new Map()

/** Somebody has been told that the place can't be written to: once is enough, also across restarts. */
function isBlocked({notice}: Link): boolean {
  return notice?.code === 'no-place'
}
