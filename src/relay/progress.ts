import type {Frame} from '../platform/stream/frame.ts'
import type {LinkKeeper} from './link-keeper.ts'
import type {Clock} from '../async/clock.ts'
import {isBlocked} from './publish/obstacles.ts'
import {
  type SettledEntry,
  type Timeline,
  breakOff,
  createTimeline,
  fold,
  release,
} from './timeline/timeline.ts'

/** A link's timeline, and the cursor behind it, which moves last: when every post that depends on an entry stands. */
interface Progress {
  timeline: () => Timeline
  fold(frame: Frame, isOurs: boolean, isTold?: boolean): void
  /** What has not been said by now will not be. */
  breakOff(): void
  /** These deliveries stand in their last form, with the newest `ts` of those that are not broken off. */
  advance: (deliveries: ReadonlyMap<string, string | undefined>) => void
  /** When the oldest entry came that is to be shown and is not confirmed. */
  waitingSinceMs(): number | undefined
  /** The newest `ts` of what the cursor is behind. */
  newestTs(): string | undefined
  /** Settles when Slack has caught up; `undefined`: too little waits for it to make the stream wait, too. */
  room(): Promise<void> | undefined
}

interface ProgressOptions {
  keeper: LinkKeeper
  /** What stands without its entry. */
  drafts: {delivery: string; text: string}[]
  /** All that it had to say was heard before. */
  isDone: boolean
  clock: Clock
}

/** So much may wait for Slack before the stream has to wait too: what is not read is kept by the platform. */
const MAX_UNCONFIRMED = {entries: 200, chars: 256 * 1024}

export function createProgress({keeper, drafts, isDone, clock}: ProgressOptions): Progress {
  let timeline = createTimeline({...keeper.link(), drafts, isDone})
  let {newestTs} = keeper.link()
  let drained: (() => void) | undefined
  /** Of what is to be shown, oldest first. */
  let arrivals: readonly {entryId: string; atMs: number}[] = []

  const noteArrival = (before: Timeline): void => {
    const newest = timeline.settled.at(-1)
    if (newest?.delivery === undefined || newest.entryId === before.settled.at(-1)?.entryId) return
    arrivals = [...arrivals, {entryId: newest.entryId, atMs: clock.nowMs()}]
  }

  /** What is said now is shown in its room: here nobody shows it, and nothing waits for that. */
  const isElsewhere = (): boolean => keeper.link().room?.isMoved === true

  const advance: Progress['advance'] = (deliveries) => {
    const released = release(timeline, (delivery) => isElsewhere() || deliveries.has(delivery))
    if (released === undefined) return
    timeline = released.timeline
    if (arrivals.length > 0) {
      const waiting = new Set(timeline.settled.map(({entryId}) => entryId))
      arrivals = arrivals.filter(({entryId}) => waiting.has(entryId))
    }
    const held = new Set(timeline.settled.map(({delivery}) => delivery))
    for (const [delivery, ts = ''] of deliveries) {
      if (!held.has(delivery) && ts > (newestTs ?? '')) newestTs = ts
    }
    if (isBlocked(keeper.link()) && deliveries.size > 0) keeper.note({notice: undefined})
    const {cursor, steps} = released
    if (cursor !== undefined) keeper.note({cursor, steps, newestTs})
    if (!isFull(timeline)) drained?.()
  }

  return {
    timeline: () => timeline,
    fold: (frame, isOurs, isTold = false) => {
      const before = timeline
      timeline = fold(timeline, frame, {nowMs: clock.dateMs(), isOurs, isTold})
      noteArrival(before)
      // An entry that no post shows is passed at once.
      if (frame.type === 'transcript' || isElsewhere()) advance(NOTHING_DELIVERED)
    },
    breakOff: () => {
      timeline = breakOff(timeline)
      if (isElsewhere()) advance(NOTHING_DELIVERED)
    },
    advance,
    waitingSinceMs: () => arrivals[0]?.atMs,
    newestTs: () => newestTs,
    room: () => (isFull(timeline) ? new Promise((resolve) => (drained = resolve)) : undefined),
  }
}

function isFull({settled}: Timeline): boolean {
  if (settled.length >= MAX_UNCONFIRMED.entries) return true
  return settled.reduce((sum, entry) => sum + charsOf(entry), 0) >= MAX_UNCONFIRMED.chars
}

function charsOf({text, attachments, cursor = ''}: SettledEntry): number {
  const names = attachments === undefined ? 0 : attachments.names.join('').length
  return text.length + names + cursor.length
}

const NOTHING_DELIVERED: ReadonlyMap<string, undefined> = new Map()
