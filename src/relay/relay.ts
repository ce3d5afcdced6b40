import type {PlatformClient} from '../platform/client.ts'
import {
  PlatformError,
  PlatformNotFound,
  PlatformUnauthorized,
  reasonOf,
} from '../platform/errors.ts'
import type {Frame} from '../platform/frame.ts'
import {type Entry, isWorking} from '../platform/model.ts'
import type {Link, LinkChange, LinkStore} from '../store/links.ts'
import type {PostRow, PostStore} from '../store/posts.ts'
import type {Send, SendStore} from '../store/sends.ts'
import type {Clock} from './clock.ts'
import type {Obstacle, Obstacles} from './obstacles.ts'
import type {Pacer} from './pacer.ts'
import type {Log, PostWriter} from './ports.ts'
import type {WantedPost} from './post.ts'
import {wantedPosts} from './posts.ts'
import {createPublisher} from './publisher.ts'
import type {Shaping, SplitRule} from './reply-posts.ts'
import {type Timeline, createTimeline, fold, release} from './timeline.ts'

/** One running projection: stream → timeline → posts → publisher. */
export interface Relay {
  /** Our own tables say something new about the link. */
  refresh(): Promise<void>
  /** It has begun to stop, and heeds nothing any more. */
  isStopping(): boolean
  /** Settles when the relay has stopped; rejects with what it failed of, and then it wants to be started again. */
  stopped: Promise<void>
}

export interface RelayOptions {
  links: LinkStore
  posts: PostStore
  sends: SendStore
  writer: PostWriter
  pacer: Pacer
  obstacles: Obstacles
  /** Whoever asked for the work hears that it can't be shown where it is. */
  tellBlocked: (link: Link, obstacle: Obstacle) => void
  splitRule: SplitRule
  /** The link's thread as an endless iteration of frames. */
  follow: (link: Link & {threadId: string}, signal: AbortSignal) => AsyncIterable<Frame>
  clientOf: (link: Link) => PlatformClient
  clock: Clock
  log: Log
}

/** So many entries may wait for Slack before the stream has to wait too. */
const MAX_UNCONFIRMED = 200

/**
 * Serves one link until the signal, or until there is nothing left to show: its work is archived or
 * ended, and every post stands in its last form.
 */
export async function startRelay(
  first: Link,
  options: RelayOptions,
  stop: AbortSignal,
): Promise<Relay> {
  const {links, posts, sends, obstacles, clock, log} = options
  const ended = new AbortController()
  const signal = AbortSignal.any([stop, ended.signal])
  const background = new Set<Promise<void>>()
  const standing = await standingPosts(posts, first.id)
  let link = first
  let unsure: Send[] = await sends.unsure(first.id)
  let timeline: Timeline = createTimeline({...first, drafts: toDrafts(standing)})
  let cached: {posts: WantedPost[]; of: unknown[]} | undefined
  let following: AbortController | undefined
  let newestTs = first.newestTs
  let drained: (() => void) | undefined
  let pokes: 'growth' | 'any' | undefined
  let reading: Reading = 'no'
  const failures: unknown[] = []

  const wanted = (shaping: Shaping): readonly WantedPost[] => {
    const of = [link, timeline, unsure, shaping]
    if (cached?.of.every((part, index) => part === of[index]) !== true) {
      cached = {of, posts: wantedPosts(link, timeline, unsure, options.splitRule, shaping)}
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
    if (isBlocked(link) && deliveries.size > 0) runInBackground(change({notice: undefined}))
    const {cursor, steps} = released
    if (cursor !== undefined) runInBackground(change({cursor, steps, newestTs}))
    if (timeline.settled.length < MAX_UNCONFIRMED) drained?.()
  }

  const onIdle = (): void => {
    const isResting = link.state === 'archived' || link.state === 'ended'
    if (isResting && timeline.settled.length === 0) ended.abort()
  }

  const publisher = createPublisher({
    ...options,
    linkId: first.id,
    place: first.place,
    standing,
    floor: () => newestTs ?? '',
    wanted,
    onDelivered: advance,
    onIdle,
  })

  /** Many frames arrive in one chunk; the publisher looks once they are all folded. */
  const poke = (change: 'growth' | 'any'): void => {
    if (pokes === undefined) {
      setImmediate(() => {
        const strongest = pokes ?? 'any'
        pokes = undefined
        publisher.poke(strongest)
      })
    }
    pokes = pokes === 'any' ? 'any' : change
  }

  const runInBackground = (work: Promise<void>): void => {
    const guarded = work
      .catch((error: unknown) => {
        if (!signal.aborted)
          log.error({err: error, linkId: first.id}, 'A relay could not keep its books')
      })
      .finally(() => background.delete(guarded))
    background.add(guarded)
  }

  const change = async (values: LinkChange): Promise<void> => {
    link = (await links.change(first.id, values)) ?? link
    poke('any')
  }

  /** What the stream does not say: title, cost. */
  const readThread = async (threadId: string): Promise<void> => {
    if (reading !== 'no') {
      reading = 'again'
      return
    }
    try {
      do {
        reading = 'yes'
        const thread = await options.clientOf(link).getThread(threadId, signal)
        const credits = thread.usage?.totalCredits ?? link.credits
        await change({title: thread.title ?? link.title, credits})
      } while (wasAsked(reading))
    } finally {
      reading = 'no'
    }
  }

  /** Whether we sent this. A message that nobody could be sure of stands in the transcript after all. */
  const recognise = async (entry: Entry): Promise<boolean> => {
    const send = await sends.ofEntry(first.id, entry)
    if (send?.state === 'unsure') {
      runInBackground(sends.move(send.id, ['unsure'], 'sent').then(refresh))
    }
    return send !== undefined
  }

  const take = async (frame: Frame, threadId: string): Promise<void> => {
    const isSaid = frame.type === 'transcript' && frame.entry.source === 'user'
    const isOurs = isSaid && (await recognise(frame.entry))
    const before = timeline
    timeline = fold(timeline, frame, {nowMs: clock.nowMs(), isOurs})
    if (frame.type === 'transcript') advance(new Map())
    const isGrowth = frame.type === 'assistant' && timeline.drafts.length === before.drafts.length
    poke(isGrowth ? 'growth' : 'any')
    const {status, statusSinceMs} = timeline
    const isNews = status !== before.status || (frame.type === 'status' && link.status !== status)
    if (isNews) runInBackground(change({status, statusSinceMs}))
    const isRest = frame.type === 'status' && !isWorking(frame.status)
    const runEnded = frame.type === 'run' && frame.phase === 'end'
    // In the table too: a stop may stand there of which this relay has not been told yet.
    if (frame.type === 'run' && frame.phase === 'start')
      runInBackground(change({stoppedBy: undefined}))
    if (isRest || runEnded || (link.title === undefined && isNews)) {
      runInBackground(readThread(threadId))
    }
    if (frame.type === 'connected' && link.notice !== undefined && !isBlocked(link)) {
      runInBackground(change({notice: undefined}))
    }
    if (timeline.settled.length >= MAX_UNCONFIRMED) await room()
  }

  const room = (): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', go)
        resolve()
      }
      drained = go
      if (signal.aborted) go()
      else signal.addEventListener('abort', go)
    })

  const follow = async (threadId: string, until: AbortSignal): Promise<void> => {
    try {
      for await (const frame of options.follow({...link, threadId}, until))
        await take(frame, threadId)
      if (timeline.isDone && !until.aborted) await change({state: 'archived', status: 'archived'})
    } catch (error) {
      if (until.aborted) return
      log.warn({err: error, linkId: first.id}, 'A stream ended for good')
      await change(toEnd(error))
    }
  }

  /** Nothing that is known to happen: whoever starts it again starts from what is confirmed. */
  const fail = (error: unknown): void => {
    if (signal.aborted) return
    failures.push(error)
    ended.abort()
  }

  /** The stream runs exactly while the link is open and its place can be written to. */
  const followIfOpen = (): void => {
    const {state, threadId} = link
    const isWritable = obstacles.at(first.place) === undefined
    const isWanted = state === 'open' && isWritable
    if (isWanted && threadId !== undefined && following === undefined) {
      const controller = new AbortController()
      following = controller
      const until = AbortSignal.any([signal, controller.signal])
      const work = follow(threadId, until).catch(fail)
      runInBackground(work.finally(() => (following = undefined)))
    } else if (!isWanted) {
      following?.abort()
    }
  }

  /** What could not be shown comes again behind the cursor. */
  const onObstacle = (): void => {
    const obstacle = obstacles.at(first.place)
    if (obstacle !== undefined && !isBlocked(link)) {
      options.tellBlocked(link, obstacle)
      runInBackground(change({notice: {code: 'no-place', detail: obstacle.code}}))
    }
    followIfOpen()
  }

  const refresh = async (): Promise<void> => {
    link = (await links.byId(first.id)) ?? link
    unsure = await sends.unsure(first.id)
    followIfOpen()
    poke('any')
  }

  const run = async (): Promise<void> => {
    const leave = obstacles.watch(onObstacle)
    onObstacle()
    await publisher.run(signal)
    leave()
    ended.abort()
    while (background.size > 0) await Promise.all(background)
    if (failures.length > 0) throw failures[0]
  }
  return {refresh, isStopping: () => signal.aborted, stopped: run()}
}

/** Somebody has been told that the place can't be written to: once is enough, also across restarts. */
function isBlocked({notice}: Link): boolean {
  return notice?.code === 'no-place'
}

type Reading = 'no' | 'yes' | 'again'

function wasAsked(reading: Reading): boolean {
  return reading === 'again'
}

/** A refused key may be replaced, so the link stays open: the next message or the next start tries again. */
function toEnd(error: unknown): LinkChange {
  if (error instanceof PlatformNotFound) return {state: 'ended', notice: {code: 'gone'}}
  if (error instanceof PlatformUnauthorized) return {notice: {code: 'key-refused'}}
  if (error instanceof PlatformError) return {notice: {code: 'refused', detail: reasonOf(error)}}
  throw error
}

/** The posts that may still change, and whatever else stands of the same replies. */
async function standingPosts(posts: PostStore, linkId: string): Promise<PostRow[]> {
  const unsettled = await posts.unsettled(linkId)
  const deliveries = new Set(unsettled.flatMap(({delivery}) => delivery ?? []))
  const replies = await Promise.all(
    [...deliveries].map((delivery) => posts.ofDelivery(linkId, delivery)),
  )
  return [...unsettled.filter(({delivery}) => delivery === undefined), ...replies.flat()]
}

/** A part without a draft shows its entry: that entry comes again, and the reply waits for it as it stands. */
function toDrafts(standing: readonly PostRow[]): {delivery: string; text: string}[] {
  const texts = new Map<string, (string | undefined)[]>()
  for (const {delivery, key, draft} of standing) {
    if (delivery === undefined) continue
    const part = Number(key.slice(key.lastIndexOf(':') + 1))
    const parts = texts.get(delivery) ?? []
    parts[part] = draft
    texts.set(delivery, parts)
  }
  return [...texts].flatMap(([delivery, parts]) =>
    parts.includes(undefined) ? [] : {delivery, text: parts.join('')},
  )
}
