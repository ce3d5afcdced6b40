import {calledBy} from './posts/called-by.ts'
import type {Frame} from '../platform/stream/frame.ts'
import {type Thread, isWorking} from '../platform/model.ts'
import type {Link, Place} from '../store/tables/work/link.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import type {PostStore} from '../store/tables/work/posts.ts'
import type {Send} from '../store/tables/work/send.ts'
import {type Activity, activityOf} from './activity.ts'
import {createBookkeeping} from './card-facts.ts'
import {createLinkKeeper} from './link-keeper.ts'
import {visibleLength} from './timeline/drafts.ts'
import {type Follow, createFollowing} from './stream-following.ts'
import {readEnd} from './thread-reading.ts'
import {createBacklog} from './pace/backlog.ts'
import type {Pacer} from './pace/pacer.ts'
import {type NotifyingOptions, createNotifying} from './notifications/notifying.ts'
import type {Log, PostWriter} from './ports.ts'
import type {WantedPost} from './post.ts'
import type {PullRequestBook} from './pull-requests.ts'
import {type Beside, isCutOff} from './posts/posts.ts'
import {createNaming} from './posts/pull-request.ts'
import type {Shaping, SplitRule} from './posts/reply-posts.ts'
import {isToldOut, standingPosts, toDrafts} from './posts/standing-posts.ts'
import {createTold} from './posts/told.ts'
import {createProgress} from './progress.ts'
import {type Obstacle, type Obstacles, isBlocked} from './publish/obstacles.ts'
import {createPublisher} from './publish/publisher.ts'
import type {WritingModes} from './publish/writing-modes.ts'
import {createRecognising} from './recognising.ts'
import {createSight} from './streams/sight.ts'
import {openView} from './view.ts'

/** One running projection: stream → timeline → posts → publisher. */
export interface Relay {
  /** Our own tables say something new about the link. */
  refresh(): Promise<void>
  /** It has begun to stop, and heeds nothing any more. */
  isStopping(): boolean
  /** When the oldest text came that nobody sees yet, where it can be shown. */
  unseenSinceMs(): number | undefined
  /** Settles when the relay has stopped; rejects with what it failed of, and then it wants to be started again. */
  stopped: Promise<void>
}

export interface RelayOptions extends NotifyingOptions {
  links: LinkStore
  posts: PostStore
  writer: PostWriter
  modes: WritingModes
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
  /** What the work may cost, and what is told of that. */
  budgetOf: (link: Link) => Promise<Beside['budget']>
  /** What it costs was read. */
  onUsage: (link: Link, usage: {credits: number | undefined; isAtWork: boolean}) => void
  /** What is known of the pull requests that it has named. */
  pullRequestBook: PullRequestBook
  splitRule: SplitRule
  follow: Follow
  /** Its conversation goes on in a room, behind this cursor. */
  move: (link: Link) => Promise<void>
  /** What people see of the link may have changed. */
  onNews: (link: Link) => void
  /** The agent rests, and all that it has said stands. */
  onSettled?: (link: Link) => void
  /** Text is seen now that had waited for so long. */
  onSeen?: (waitedMs: number) => void
  /** The agent has said something with this model. */
  onModel: (link: Link, modelId: string) => void
  /** The agent does something else now; `undefined`: it rests. */
  onActivity: (link: Link, activity: Activity | undefined) => void
  /** Slack says in this place what the agent is doing. */
  hasStatusLine: (link: Link) => boolean
  log: Log
}

type EntryFrame = Extract<Frame, {type: 'transcript'}>

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
  const isRoom = first.place.isRoom === true
  let isEarly = first.state === 'starting'
  /** Somebody has been told that nobody can write in its Slack thread. */
  let isClosed = false

  const onChanged = (): void => {
    poke('any')
    options.onNews(keeper.link())
    showActivity()
  }
  const showActivity = (): void =>
    options.onActivity(keeper.link(), activityOf(keeper.link(), timeline()))
  const keeper = createLinkKeeper({first, links, log, signal, onChanged})
  const isDone = isAtRest(first) && isToldOut(standing)
  const progress = createProgress({keeper, drafts: toDrafts(standing), isDone, clock})
  const {timeline} = progress
  const naming = createNaming(keeper)
  const view = await openView({...options, keeper, naming, timeline})
  const onCall = async (): Promise<void> => {
    await view.reload()
    onChanged()
  }
  const calling = createNotifying({...options, keeper, naming, timeline, signal, onChanged: onCall})
  const onRead = (): void => look()
  const bookkeeping = createBookkeeping({
    ...options,
    keeper,
    calling,
    naming,
    timeline,
    signal,
    onRead,
  })

  const told = createTold({...options, linkId: first.id, isRoom})
  const sight = createSight({...options, keeper, signal, onEnded: onRead})

  const end = (): void => {
    ended.abort()
    following.look()
  }

  const wanted = (shaping: Shaping): readonly WantedPost[] =>
    isEarly && keeper.link().state === 'starting' ? [] : view.posts(shaping, calling.isSure())

  const onIdle = (): void => {
    moveOnceQuiet()
    const told = view.toldOf()
    if (told.length > 0) keeper.keep(options.pullRequestBook.shown(keeper.link(), told))
    const {status, settled, drafts} = timeline()
    const isAllTold = settled.length === 0 && drafts.length === 0
    if (isAllTold && status !== undefined && !isWorking(status)) options.onSettled?.(keeper.link())
    if (!isAtRest(keeper.link()) || timeline().settled.length > 0 || !following.isResting()) return
    // Its end is shown first, and nobody but this relay shows it.
    if (view.hasOpenCall()) calling.look('heard')
    else end()
  }

  const publisher = createPublisher({
    ...options,
    linkId: first.id,
    place: first.place,
    reader: calledBy(first),
    face: () => keeper.link().face,
    backlog,
    standing,
    floor: () => progress.newestTs() ?? '',
    wanted,
    onDelivered: progress.advance,
    onClosed: (code) => onClosed(code),
    onIdle,
    hasStatusLine: () => options.hasStatusLine(keeper.link()),
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

  let moving: Promise<void> | undefined
  /** What has begun to stand here ends here; what is said after that is said in the room alone. */
  const moveOnceQuiet = (): void => {
    const {room} = keeper.link()
    const {settled, drafts} = timeline()
    const isQuiet = settled.length === 0 && drafts.length === 0
    if (room === undefined || room.isMoved || moving !== undefined || !isQuiet) return
    moving = move().finally(() => (moving = undefined))
  }

  const move = async (): Promise<void> => {
    try {
      // Behind all that is being written of it: the cursor among that.
      await keeper.change({projectName: keeper.link().projectName})
      await options.move(keeper.link())
      await keeper.reload()
      onChanged()
    } catch (error) {
      fail(error)
    }
  }

  const take = (frame: Frame, threadId: string): Promise<void> | undefined => {
    const looking = sight(frame, threadId)
    if (looking === undefined) return takeSeen(frame, threadId)
    return looking.then(() => (isCutOff(keeper.link()) ? undefined : takeSeen(frame, threadId)))
  }

  const takeSeen = (frame: Frame, threadId: string): Promise<void> | undefined => {
    // Nobody knows yet where it is to be shown.
    if (moving !== undefined) return moving.then(() => takeSeen(frame, threadId))
    if (frame.type === 'disconnected') bookkeeping.silent(frame.sinceMs)
    else if (frame.type === 'assistant' && isUnknown(frame.callId)) {
      const isTold = told.before(frame.callId)
      if (typeof isTold === 'boolean') return isTold ? undefined : takeKnown(frame, threadId, false)
      return isTold.then((isOver) => (isOver ? undefined : takeKnown(frame, threadId, false)))
    } else if (frame.type === 'transcript' && frame.entry.source === 'user') {
      return takeSaid(frame, threadId)
    } else if (frame.type === 'transcript' && isRoom && frame.entry.source === 'assistant') {
      return told.inOrigin(frame.entry).then((isTold) => takeKnown(frame, threadId, false, isTold))
    } else return takeKnown(frame, threadId, false)
    return undefined
  }

  const takeSaid = async (frame: EntryFrame, threadId: string): Promise<void> => {
    const {isOurs, entry} = await recognise(frame.entry)
    // Also what was quoted where the room was opened from.
    await takeKnown({...frame, entry}, threadId, isOurs || (await told.inOrigin(entry)))
  }

  const isUnknown = (callId: string): boolean =>
    timeline().drafts.every(({delivery}) => delivery !== callId)

  const takeKnown = (
    frame: Frame,
    threadId: string,
    isOurs: boolean,
    isTold = false,
  ): Promise<void> | undefined => {
    const before = timeline()
    progress.fold(frame, isOurs, isTold)
    const {drafts} = timeline()
    if (frame.type === 'assistant') {
      backlog.grow(Math.max(0, visibleLength(drafts) - visibleLength(before.drafts)))
    }
    const {tool, doing, status} = timeline()
    const isSame = tool === before.tool && doing === before.doing && status === before.status
    if (!isSame) showActivity()
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
    follow: options.follow,
    keeper,
    clock,
    log,
    take,
    onFailure: fail,
    onEnd: onStreamEnd,
    wanted: () => toFollow(),
    isDone: () => timeline().isDone,
    endOf: (threadId) =>
      readEnd(options.clientOf(keeper.link()), {...keeper.link(), threadId}, signal),
  })

  /**
   * The stream runs while the link is open and its place can be written to. Of work that is put away, or done, the last
   * words may still be under way, or have been when we stopped: the stream says itself when it is done.
   */
  const toFollow = (): string | undefined => {
    const {state, threadId} = keeper.link()
    const isEnding = isAtRest(keeper.link()) && !isCutOff(keeper.link()) && !timeline().isDone
    const isWanted = state === 'open' || isEnding
    return isWanted && !signal.aborted && obstacles.at(first.place) === undefined
      ? threadId
      : undefined
  }

  /** What is followed no more has said all that it will. */
  const look = (): void => {
    following.look()
    if (isCutOff(keeper.link())) progress.breakOff()
  }

  const tellBlocked = (obstacle: Obstacle): void => {
    if (isBlocked(keeper.link())) return
    options.tellBlocked(keeper.link(), obstacle)
    keeper.note({notice: {code: 'no-place', detail: obstacle.code}})
  }

  /** Only work that goes on is missed, and what else is known of it says more. */
  const onClosed = (code: string): void => {
    const {state, notice} = keeper.link()
    if (isClosed || state !== 'open' || notice !== undefined) return
    isClosed = true
    const {team, channel} = first.place
    tellBlocked({scope: {team, channel}, code})
  }

  /** What could not be shown comes again behind the cursor. */
  const onObstacle = (): void => {
    const obstacle = obstacles.at(first.place)
    if (obstacle !== undefined) calling.doubt()
    if (obstacle !== undefined) tellBlocked(obstacle)
    look()
  }

  const refresh = async (): Promise<void> => {
    const isKnown = await keeper.reload()
    // A new thread is another story, and what was forgotten is none.
    if (!isKnown || keeper.link().attempt !== first.attempt) end()
    await view.reload()
    look()
    calling.look('heard')
    onChanged()
  }

  const recognise = createRecognising({...options, keeper, refresh})

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
    await keeper.closed()
    // Nobody hears what it does before it is served again.
    if (!stop.aborted) options.onActivity(keeper.link(), undefined)
    if (failures.length > 0) throw failures[0]
  }
  const unseenSinceMs = (): number | undefined => {
    // What nobody can be shown is told elsewhere.
    if (signal.aborted || obstacles.at(first.place) !== undefined) return undefined
    const since = [backlog.unseenSinceMs(), progress.waitingSinceMs()]
    const known = since.filter((atMs) => atMs !== undefined)
    return known.length === 0 ? undefined : Math.min(...known)
  }
  return {refresh, isStopping: () => signal.aborted, unseenSinceMs, stopped: run()}
}

function isAtRest({state}: Link): boolean {
  return state === 'archived' || state === 'ended'
}
