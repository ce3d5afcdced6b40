import type {Frame} from '../platform/frame.ts'
import type {Thread} from '../platform/model.ts'
import type {Link, Place} from '../store/link.ts'
import type {LinkStore} from '../store/links.ts'
import type {PostStore} from '../store/posts.ts'
import type {Send} from '../store/sends.ts'
import {createBookkeeping} from './bookkeeping.ts'
import {createBooks} from './books.ts'
import {visibleLength} from './drafts.ts'
import {type Follow, createFollowing} from './following.ts'
import {createBacklog} from './pace/backlog.ts'
import type {Pacer} from './pace/pacer.ts'
import {type CallingOptions, createCalling} from './pings/calling.ts'
import type {Log, PostWriter} from './ports.ts'
import type {WantedPost} from './post.ts'
import {isCutOff} from './posts/posts.ts'
import {createNaming} from './posts/pull-request.ts'
import type {Shaping, SplitRule} from './posts/reply-posts.ts'
import {isToldOut, standingPosts, toDrafts} from './posts/standing-posts.ts'
import {createProgress} from './progress.ts'
import {type Obstacle, type Obstacles, isBlocked} from './publish/obstacles.ts'
import {createPublisher} from './publish/publisher.ts'
import type {Ways} from './publish/ways.ts'
import {createRecognising} from './recognising.ts'
import {openView} from './view.ts'

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
  /** What is written in this place is nobody else's business. */
  isPrivate: (place: Pick<Place, 'team' | 'channel'>) => Promise<boolean>
  /** Whether a thread must not be shown any more where it is followed. */
  isMisplaced: (link: Link, thread: Thread) => Promise<boolean>
  /** The agent got something that waited when the work was stopped: what that began is to be interrupted. */
  onLate: (link: Link) => void
  splitRule: SplitRule
  follow: Follow
  /** What people see of the link may have changed. */
  onNews: (link: Link) => void
  log: Log
}

/** What a card says of work that is only being created would have to be edited at once. */
const CARD_WAITS_MS = 600

/**
 * Serves one link until the signal, or until there is nothing left to show: its work is archived or
 * ended, and every post stands in its last form.
 */
export async function startRelay(
  first: Link,
  options: RelayOptions,
  stop: AbortSignal,
): Promise<Relay> {
  const {links, posts, obstacles, clock, log} = options
  // One of thousands: a signal made of two others would cost several times as much.
  const ended = new AbortController()
  const {signal} = ended
  const standing = await standingPosts(posts, first.id)
  let pokes: 'growth' | 'any' | undefined
  const failures: unknown[] = []
  const backlog = createBacklog(clock)
  let isEarly = first.state === 'starting'

  const onChanged = (): void => {
    poke('any')
    options.onNews(books.link())
  }
  const books = createBooks({first, links, log, signal, onChanged})
  const isDone = isAtRest(first) && isToldOut(standing)
  const progress = createProgress({books, drafts: toDrafts(standing), isDone, clock})
  const {timeline} = progress
  const naming = createNaming(books)
  const view = await openView({...options, books, naming, timeline})
  const onCall = async (): Promise<void> => {
    await view.reload()
    onChanged()
  }
  const calling = createCalling({...options, books, timeline, signal, onChanged: onCall})
  const onRead = (): void => look()
  const bookkeeping = createBookkeeping({
    ...{...options, books, calling, naming, timeline, signal, onRead},
  })

  const end = (): void => {
    ended.abort()
    following.look()
  }

  const wanted = (shaping: Shaping): readonly WantedPost[] =>
    isEarly && books.link().state === 'starting' ? [] : view.posts(shaping)

  const onIdle = (): void => {
    if (isAtRest(books.link()) && timeline().settled.length === 0 && following.isResting()) end()
  }

  const publisher = createPublisher({
    ...options,
    linkId: first.id,
    place: first.place,
    reader: first.startedBy,
    face: () => books.link().face,
    backlog,
    standing,
    floor: () => progress.newestTs() ?? '',
    wanted,
    onDelivered: progress.advance,
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
    if (frame.type === 'disconnected') bookkeeping.silent(frame.sinceMs)
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
    const before = timeline()
    progress.fold(frame, isOurs)
    const {drafts} = timeline()
    if (frame.type === 'assistant') {
      backlog.grow(Math.max(0, visibleLength(drafts) - visibleLength(before.drafts)))
    }
    const isGrowth = frame.type === 'assistant' && drafts.length === before.drafts.length
    if (timeline() !== before) poke(isGrowth ? 'growth' : 'any')
    bookkeeping.heard(frame, threadId, before.status)
    return progress.room()
  }

  /** Whoever starts it again starts from what is confirmed. */
  const fail = (error: unknown): void => {
    if (signal.aborted) return
    failures.push(error)
    end()
  }

  /** What has not been said by now will not be, unless somebody makes it go on. */
  const onStreamEnd = (): void => {
    progress.breakOff()
    calling.look('heard')
    poke('any')
  }

  const following = createFollowing({
    ...{follow: options.follow, books, clock, log, take, onFailure: fail, onEnd: onStreamEnd},
    wanted: () => toFollow(),
    isDone: () => timeline().isDone,
    isPutAway: async (threadId) => {
      const {archived, status} = await options.clientOf(books.link()).getThread(threadId, signal)
      return archived || status === 'archived'
    },
  })

  /**
   * The stream runs while the link is open and its place can be written to. Of work that is put away, or done, the last
   * words may still be under way, or have been when we stopped: the stream says itself when it is done.
   */
  const toFollow = (): string | undefined => {
    const {state, threadId} = books.link()
    const isEnding = isAtRest(books.link()) && !isCutOff(books.link()) && !timeline().isDone
    const isWanted = state === 'open' || isEnding
    return isWanted && !signal.aborted && obstacles.at(first.place) === undefined
      ? threadId
      : undefined
  }

  /** What is followed no more has said all that it will. */
  const look = (): void => {
    following.look()
    if (isCutOff(books.link())) progress.breakOff()
  }

  /** What could not be shown comes again behind the cursor. */
  const onObstacle = (): void => {
    const obstacle = obstacles.at(first.place)
    if (obstacle !== undefined && !isBlocked(books.link())) {
      options.tellBlocked(books.link(), obstacle)
      books.note({notice: {code: 'no-place', detail: obstacle.code}})
    }
    look()
  }

  const refresh = async (): Promise<void> => {
    const isKnown = await books.reload()
    // A new thread is another story, and what was forgotten is none.
    if (!isKnown || books.link().attempt !== first.attempt) end()
    await view.reload()
    look()
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

function isAtRest({state}: Link): boolean {
  return state === 'archived' || state === 'ended'
}
