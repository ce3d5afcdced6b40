import type {Rank} from '../post.ts'
import type {Backlog} from './backlog.ts'
import type {Contention} from './contention.ts'
import type {Lane} from './lanes.ts'

/** One ask of somebody who waits, and what it leads to. */
export interface Claim {
  ask: {rank: Rank; notBeforeMs: number; sinceMs: number; backlog?: Backlog}
  lane: Lane
  /** Where it will ask for its growth. */
  grow: Lane | undefined
}

/** When an ask may go as far as is known now, and what it is worth among those of its rank. */
interface Prospect {
  atMs: number
  worth: number
}

/**
 * Looked at again this soon: by waiting alone it becomes worth more. What is worth little for long is not looked at
 * for a tenth of that.
 */
const POLL_MS = {least: 20, most: 100}
const POLL_PART = 0.1

/** A pause lasts about so long. */
const PAUSE_S = 0.2

/** What has waited for longer than this counts ever more, so that nothing waits for ever. */
const STALE_S = 30

/** Replies that would be shown at least this often begin at once. */
const AT_ONCE_S = 2.8
/** Where not all can be shown while they are written, those that can begin after so long. */
const CROWDED_WAIT_S = 8.6

/** Of one whose lane is open to its rank. */
export function prospectOf({ask, lane, grow}: Claim, nowMs: number): Prospect {
  const {rank, backlog} = ask
  const atMs = Math.max(ask.notBeforeMs, nowMs)
  // Where not all last words can be said at once, the most text goes first, and what is no text before that.
  if (rank === 'final') return {atMs, worth: lastWorthOf(backlog)}
  // What changed without growing has nothing to wait for.
  if (backlog === undefined || backlog.chars() === 0 || atMs > nowMs) return {atMs, worth: 0}
  if (rank === 'preview') {
    const price = lane.contention?.price() ?? 0
    return {atMs: nowMs + msUntil(backlog, price), worth: worthOf(backlog)}
  }
  if (rank !== 'first' || grow?.contention === undefined) return {atMs, worth: 0}
  const {price, worth} = beginningOf(backlog, grow.contention)
  return {atMs: nowMs + msUntil(backlog, price), worth}
}

/** When there are as many tokens as this rank needs, as far as is known now. */
export function opensAtMs({buckets, contention}: Lane, rank: Rank, nowMs: number): number {
  let waitMs = 0
  for (const bucket of buckets) {
    const left = leftBy(rank, bucket.burst(), contention?.reserve() ?? 0)
    waitMs = Math.max(waitMs, bucket.waitMs(1 + left))
  }
  return nowMs + waitMs
}

/** How many tokens this rank leaves to those above it. */
function leftBy(rank: Rank, burst: number, reserve: number): number {
  switch (rank) {
    case 'final':
    case 'first':
      return 0
    case 'state':
      return Math.max(0, reserve - 1)
    case 'preview':
      return Math.max(reserve, Math.min(1, (burst - 1) / 4))
    case 'spare':
      return (burst - 1) * 0.75
    default:
      throw new Error(`Unknown rank: ${String(rank satisfies never)}`)
  }
}

/**
 * To begin costs little by itself, but what has begun needs an edit at its end, while a reply that is
 * complete before it is first shown needs none. So a reply begins when it has waited for as long as it would wait
 * between two showings, and much longer when more have begun than there will be edits for. Where more want to begin than
 * that, each waits for the same time: half a reply that is seen early is worth more than a third of it. Of two ways the one that shows it more
 * often is worth more.
 */
function beginningOf(backlog: Backlog, contention: Contention): {price: number; worth: number} {
  const intervalS = contention.intervalFor(backlog)
  const load = contention.load()
  const usualS = Math.max(0, intervalS * Math.max(1, load) ** 4 - AT_ONCE_S)
  const waitS = contention.isCrowded() && load <= 1 ? CROWDED_WAIT_S : usualS
  return {price: (backlog.perSecond() * waitS ** 2) / 2, worth: 1 / intervalS}
}

/** Every call takes one token: what shows the most ends the most waiting. */
function lastWorthOf(backlog: Backlog | undefined): number {
  const chars = backlog?.chars() ?? 0
  if (backlog === undefined || chars === 0) return Infinity
  return chars * (1 + (backlog.waited() / chars / STALE_S) ** 2)
}

/** What it has gathered; a few characters that would gather the price in hours only count for more before that. */
function worthOf(backlog: Backlog): number {
  const [chars, waited] = [backlog.chars(), backlog.waited()]
  return waited * (1 + (waited / chars / STALE_S) ** 2)
}

/** How long until what waits is worth so much, unless more comes first. */
function msUntil(backlog: Backlog, price: number): number {
  const chars = backlog.chars()
  const missing = price - worthOf(backlog)
  if (!(missing > 0)) return 0
  // What would be worth it before more comes had better be shown at once: until then it would wait for nothing.
  const untilPauseMs = backlog.untilPauseMs()
  const silenceS = untilPauseMs > 0 ? backlog.usualGapMs() / 1000 : PAUSE_S
  if (chars * silenceS >= missing) return 0
  if (chars * PAUSE_S >= missing) return Math.max(POLL_MS.least, untilPauseMs)
  const growth = backlog.perSecond()
  const seconds = (2 * missing) / (chars + Math.sqrt(chars * chars + 2 * growth * missing))
  const waitMs = seconds * 1000
  return Math.min(Math.max(POLL_MS.most, waitMs * POLL_PART), Math.max(POLL_MS.least, waitMs))
}
