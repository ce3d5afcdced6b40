import type {Clock} from '../../async/clock.ts'
import type {Rank} from '../post.ts'
import type {Backlog} from './backlog.ts'
import type {Budget} from '../../async/buckets.ts'
import {type Lane, type Scope, createLanes, keyOf} from './lanes.ts'
import {type Prospect, type Claim, prospectOf} from './prospects.ts'

export interface Ask {
  team: string
  channel: string
  method: string
  rank: Rank
  /** Among equals, who has waited longest is next. */
  sinceMs: number
  notBeforeMs: number
  /** Of a reply that begins or grows: what this would show. With its last word: what has ended. */
  backlog?: Backlog
  /** Of a reply that begins: the method that it will grow by. */
  growsBy?: string
}

/**
 * Owns the rate budget: nothing is written to Slack that was not granted here. A bucket per
 * workspace and method, so that no workspace and no method delays another; finals before previews;
 * silence for a method after Slack said so.
 */
export interface Pacer {
  /** The best of the asks, once it may go, as its index; `undefined` when the signal ended the wait. */
  next(asks: readonly Ask[], signal: AbortSignal): Promise<number | undefined>
  /** The same for who ends the wait itself. */
  queue(asks: readonly Ask[]): Queued
  /** What was granted was answered after so long: how unevenly that goes says how much of a burst is safe. */
  took(ask: Ask, ms: number): void
  /** A grant that was not used. */
  giveBack(ask: Ask): void
  /** Slack said "not now", or "not here": nothing in this scope is granted for so long. */
  pause(scope: Scope, forMs: number): void
  /** The same for a reason that is ours: it says nothing of Slack's rates. */
  hold(scope: Scope, forMs: number): void
  resume(scope: Scope): void
  /** Whether that was said since this was granted. */
  isPaused(ask: Ask): boolean
  /**
   * The calls of a workspace were somebody else's until so long ago, and so much was left of each method then;
   * `undefined`: nothing of any.
   */
  inherit(
    team: string,
    inheritance: {agoMs: number; left: ReadonlyMap<string, number> | undefined},
  ): void
  /** What is left to a workspace, by method. */
  left(team: string): Left[]
}

export interface Left {
  method: string
  /** Calls that may go at once, and how many that can be at most. */
  tokens: number
  burst: number
  /** How long Slack wants silence. */
  pausedMs: number
}

interface Queued {
  granted: Promise<number | undefined>
  /** What it would show has grown: it may be worth a token now. */
  grown: () => void
  /** Ends the wait, unless it was granted already. */
  leave: () => void
}

interface IndexedClaim extends Claim {
  index: number
}

interface Waiting {
  team: Team
  claims: readonly IndexedClaim[]
  grant: (index: number) => void
}

interface Candidate extends Prospect {
  waiter: Waiting
  claim: IndexedClaim
}

/** Who waits in one workspace: they are looked at together, and nobody else is. */
interface Team {
  waiting: Set<Waiting>
  /** Before this nobody of them may go: what they wait for comes with time alone. */
  wakeAtMs: number
}

const RANKS: Readonly<Record<Rank, number>> = {final: 0, state: 1, first: 2, preview: 3, spare: 4}

export function createPacer({
  budgets,
  clock,
}: {
  budgets: Readonly<Record<string, readonly Budget[]>>
  clock: Clock
}): Pacer {
  const lanes = createLanes(budgets, clock)
  const teams = new Map<string, Team>()
  const pauses = new Map<string, number>()
  let cancelTimer: (() => void) | undefined
  let timerAtMs = Infinity

  const hold: Pacer['hold'] = (scope, forMs) => {
    const key = keyOf(scope)
    pauses.set(key, Math.max(clock.nowMs() + forMs, pauses.get(key) ?? 0))
  }

  const pausedUntilMs = ({scopes}: Lane): number => {
    let untilMs = 0
    if (pauses.size > 0) {
      for (const scope of scopes) untilMs = Math.max(untilMs, pauses.get(scope) ?? 0)
    }
    return untilMs
  }

  const lookAt = (claim: Claim, nowMs: number): Prospect =>
    prospectOf(claim, Math.max(nowMs, pausedUntilMs(claim.lane)), nowMs)

  /** Whoever may go of these goes, in order. */
  const grantTo = (team: Team, waiters: Iterable<Waiting>): void => {
    const nowMs = clock.nowMs()
    const ready: Candidate[] = []
    for (const waiter of waiters) {
      for (const claim of waiter.claims) {
        const prospect = lookAt(claim, nowMs)
        if (prospect.atMs <= nowMs) ready.push({waiter, claim, ...prospect})
        else team.wakeAtMs = Math.min(team.wakeAtMs, prospect.atMs)
      }
    }
    for (const {waiter, claim} of ready.sort(inOrder)) {
      if (!team.waiting.has(waiter)) continue // another ask of it was granted
      const {atMs} = lookAt(claim, nowMs) // the one before it may have had the last token
      if (atMs > nowMs) team.wakeAtMs = Math.min(team.wakeAtMs, atMs)
      else grant(waiter, claim)
    }
  }

  const grant = (waiter: Waiting, {ask, index, lane, grow}: IndexedClaim): void => {
    for (const bucket of lane.buckets) bucket.take(1)
    const isGrowth = ask.rank === 'first' || ask.rank === 'preview' || ask.rank === 'spare'
    if (!isGrowth) lane.contention?.spend()
    if (ask.backlog !== undefined && ask.rank === 'first') grow?.contention?.join(ask.backlog)
    if (ask.backlog !== undefined && ask.rank === 'final') lane.contention?.leave(ask.backlog)
    waiter.team.waiting.delete(waiter)
    endWait(waiter)
    waiter.grant(index)
  }

  /** Whoever wanted to begin has, or does not any more. */
  const endWait = ({claims}: Waiting): void => {
    for (const {ask, grow} of claims) {
      if (ask.backlog !== undefined) grow?.contention?.waitNoMore(ask.backlog)
    }
  }

  const pump = (team: Team): void => {
    team.wakeAtMs = Infinity
    grantTo(team, team.waiting)
  }

  const setTimer = (): void => {
    let atMs = Infinity
    for (const {waiting, wakeAtMs} of teams.values()) {
      if (waiting.size > 0) atMs = Math.min(atMs, wakeAtMs)
    }
    if (atMs === timerAtMs) return
    cancelTimer?.()
    cancelTimer = undefined
    timerAtMs = atMs
    if (atMs < Infinity) cancelTimer = clock.after(Math.max(1, atMs - clock.nowMs()), wake)
  }

  const wake = (): void => {
    timerAtMs = Infinity
    const nowMs = clock.nowMs()
    for (const team of teams.values()) if (team.wakeAtMs <= nowMs) pump(team)
    setTimer()
  }

  /** At this one alone, unless others are due too: then the timer is about to look at all. */
  const look = (waiter: Waiting): void => {
    const {team} = waiter
    if (team.waiting.size === 1) pump(team)
    else if (team.wakeAtMs > clock.nowMs()) grantTo(team, [waiter])
    setTimer()
  }

  const teamOf = (name: string): Team => {
    const team = teams.get(name) ?? {waiting: new Set(), wakeAtMs: Infinity}
    teams.set(name, team)
    return team
  }

  const toWish = (ask: Ask, index: number): IndexedClaim => {
    const to = (method: string) => lanes.of(ask.team, ask.channel, method)
    const lane = to(ask.method)
    if (ask.rank === 'preview' && ask.backlog !== undefined) lane.contention?.join(ask.backlog)
    const {growsBy} = ask
    const grow = growsBy === undefined ? undefined : to(growsBy)
    if (ask.rank === 'first' && ask.backlog !== undefined) grow?.contention?.wait(ask.backlog)
    return {ask, index, lane, grow}
  }

  const queue = (asks: readonly Ask[]): Queued => {
    const {promise: granted, resolve} = Promise.withResolvers<number | undefined>()
    const team = teamOf(asks[0]?.team ?? '')
    const waiter: Waiting = {team, claims: asks.map(toWish), grant: resolve}
    team.waiting.add(waiter)
    look(waiter)
    const grown = (): void => {
      if (team.waiting.has(waiter)) look(waiter)
    }
    const leave = (): void => {
      if (team.waiting.delete(waiter)) endWait(waiter)
      if (team.waiting.size === 0) setTimer()
      resolve(undefined)
    }
    return {granted, grown, leave}
  }

  const next = async (asks: readonly Ask[], signal: AbortSignal): Promise<number | undefined> => {
    if (signal.aborted) return undefined
    const {granted, leave} = queue(asks)
    signal.addEventListener('abort', leave, {once: true})
    const index = await granted
    signal.removeEventListener('abort', leave)
    return index
  }

  const pumpAll = (name: string): void => {
    pump(teamOf(name))
    setTimer()
  }

  return {
    next,
    queue,
    took: ({team}, ms) => lanes.latenessOf(team).took(ms),
    giveBack: ({team, channel, method}) => {
      for (const bucket of lanes.of(team, channel, method).buckets) bucket.take(-1)
      pumpAll(team)
    },
    hold,
    pause: (scope, forMs) => {
      hold(scope, forMs)
      for (const bucket of lanes.bucketsOf(scope)) bucket.learn(forMs)
    },
    resume: (scope) => {
      if (!pauses.delete(keyOf(scope))) return
      for (const bucket of lanes.bucketsOf(scope)) bucket.unlearn()
      pumpAll(scope.team)
    },
    isPaused: ({team, channel, method}) =>
      pausedUntilMs(lanes.of(team, channel, method)) > clock.nowMs(),
    inherit: (team, {agoMs, left}) => {
      lanes.inherit(team, {atMs: clock.nowMs() - agoMs, left})
      pumpAll(team)
    },
    left: (team) =>
      lanes.ofTeam(team).map(({method, bucket}) => {
        const untilMs = Math.max(
          ...[{team}, {team, method}].map((scope) => pauses.get(keyOf(scope)) ?? 0),
        )
        const pausedMs = Math.max(0, untilMs - clock.nowMs())
        return {method, tokens: bucket.tokens(), burst: bucket.burst(), pausedMs}
      }),
  }
}

function inOrder(a: Candidate, b: Candidate): number {
  return (
    RANKS[a.claim.ask.rank] - RANKS[b.claim.ask.rank] ||
    b.worth - a.worth ||
    a.claim.ask.sinceMs - b.claim.ask.sinceMs
  )
}
