import type {Clock} from '../../async/clock.ts'
import type {Rank} from '../post.ts'
import type {Backlog} from './backlog.ts'
import type {Budget} from '../../async/buckets.ts'
import {type Lane, type Scope, createLanes, keyOf} from './lanes.ts'
import {type Claim, opensAtMs, prospectOf} from './prospects.ts'

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

interface Waiting {
  team: Team
  claims: readonly WaitingClaim[]
  grant: (index: number) => void
}

interface WaitingClaim extends Claim {
  index: number
  waiter: Waiting
  /** How it looked last: before this it needs no token though its lane is open, unless it grows. */
  dueAtMs: number
  worth: number
}

/** All who ask the same of one lane: while it is closed to their rank, it is closed to each of them. */
interface Line {
  lane: Lane
  rank: Rank
  claims: Set<WaitingClaim>
}

/** Who waits in one workspace: they are looked at together, and nobody else is. */
interface Team {
  waiting: Set<Waiting>
  /** The same by what they ask for, and by rank: thousands wait, and most of them for the same. */
  lines: Map<Lane, Map<Rank, Line>>
  /** Before this nobody of them may go: what they wait for comes with time alone. */
  wakeAtMs: number
  /** Before this they are not looked at again, all together. */
  restUntilMs: number
}

/** So many who wait are looked at together once in a millisecond, and twice as many half as often. */
const WAITING_PER_MS = 40

const RANKS: Readonly<Record<Rank, number>> = {final: 0, state: 1, first: 2, preview: 3, spare: 4}

export function createPacer({
  budgets,
  clock,
}: {
  budgets: Readonly<Record<string, readonly Budget[]>>
  clock: Clock
}): Pacer {
  const teams = new Map<string, Team>()
  const lanes = createLanes(budgets, clock, () =>
    [...teams.values()].flatMap(({lines}) => [...lines.keys()]),
  )
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

  const openMsOf = (lane: Lane, rank: Rank, nowMs: number): number =>
    Math.max(pausedUntilMs(lane), opensAtMs(lane, rank, nowMs))

  /** When it may go, as far as is known now. */
  const lookAt = (claim: WaitingClaim, nowMs: number): number => {
    const openMs = openMsOf(claim.lane, claim.ask.rank, nowMs)
    if (openMs > nowMs) return openMs
    const {atMs, worth} = prospectOf(claim, nowMs)
    claim.dueAtMs = atMs
    claim.worth = worth
    return atMs
  }

  /** Those of all whose lane is open, and who are worth another look. */
  const dueOf = (team: Team, nowMs: number): WaitingClaim[] => {
    const due: WaitingClaim[] = []
    for (const ranks of team.lines.values()) {
      for (const {lane, rank, claims} of ranks.values()) {
        const openMs = openMsOf(lane, rank, nowMs)
        if (openMs > nowMs) wakeBy(team, openMs)
        else {
          for (const claim of claims) {
            if (claim.dueAtMs > nowMs) wakeBy(team, claim.dueAtMs)
            else due.push(claim)
          }
        }
      }
    }
    return due
  }

  /** Whoever may go of these goes, in order. */
  const grantTo = (team: Team, claims: readonly WaitingClaim[], nowMs: number): void => {
    const mayGo = (claim: WaitingClaim): boolean => {
      const atMs = lookAt(claim, nowMs)
      if (atMs > nowMs) wakeBy(team, atMs)
      return atMs <= nowMs
    }
    for (const claim of claims.filter(mayGo).sort(inOrder)) {
      if (!team.waiting.has(claim.waiter)) continue // another ask of it was granted
      if (mayGo(claim)) grant(claim) // the one before it may have had the last token
    }
  }

  const grant = ({waiter, ask, index, lane, grow}: WaitingClaim): void => {
    for (const bucket of lane.buckets) bucket.take(1)
    const isGrowth = ask.rank === 'first' || ask.rank === 'preview' || ask.rank === 'spare'
    if (!isGrowth) lane.contention?.spend()
    if (ask.backlog !== undefined && ask.rank === 'first') grow?.contention?.join(ask.backlog)
    if (ask.backlog !== undefined && ask.rank === 'final') lane.contention?.leave(ask.backlog)
    endWait(waiter)
    waiter.grant(index)
  }

  /** Whoever wanted to begin has, or does not any more. */
  const endWait = (waiter: Waiting): void => {
    if (!waiter.team.waiting.delete(waiter)) return
    for (const claim of waiter.claims) {
      const {ask, grow} = claim
      leaveLine(waiter.team, claim)
      if (ask.backlog !== undefined) grow?.contention?.waitNoMore(ask.backlog)
    }
  }

  const pump = (team: Team): void => {
    const nowMs = clock.nowMs()
    team.wakeAtMs = Infinity
    team.restUntilMs = nowMs + team.waiting.size / WAITING_PER_MS
    grantTo(team, dueOf(team, nowMs), nowMs)
  }

  const setTimer = (): void => {
    let atMs = Infinity
    for (const team of teams.values()) {
      if (team.waiting.size > 0) atMs = Math.min(atMs, pumpAtMs(team))
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
    for (const team of teams.values()) if (pumpAtMs(team) <= nowMs) pump(team)
    setTimer()
  }

  /** At this one alone, unless others are due too: then the timer is about to look at all. */
  const look = (waiter: Waiting): void => {
    const {team, claims} = waiter
    const nowMs = clock.nowMs()
    for (const claim of claims) claim.dueAtMs = 0
    if (team.waiting.size === 1) team.wakeAtMs = Infinity
    if (team.wakeAtMs > nowMs) grantTo(team, claims, nowMs)
    setTimer()
  }

  const teamOf = (name: string): Team => {
    const known = teams.get(name)
    if (known !== undefined) return known
    const team = {waiting: new Set<Waiting>(), lines: new Map(), wakeAtMs: Infinity, restUntilMs: 0}
    teams.set(name, team)
    return team
  }

  const claim = (waiter: Waiting, ask: Ask, index: number): WaitingClaim => {
    const to = (method: string) => lanes.of(ask.team, ask.channel, method)
    const lane = to(ask.method)
    if (ask.rank === 'preview' && ask.backlog !== undefined) lane.contention?.join(ask.backlog)
    const {growsBy} = ask
    const grow = growsBy === undefined ? undefined : to(growsBy)
    if (ask.rank === 'first' && ask.backlog !== undefined) grow?.contention?.wait(ask.backlog)
    return {waiter, ask, index, lane, grow, dueAtMs: 0, worth: 0}
  }

  const queue = (asks: readonly Ask[]): Queued => {
    const {promise: granted, resolve} = Promise.withResolvers<number | undefined>()
    const team = teamOf(asks[0]?.team ?? '')
    const waiter: Waiting = {team, claims: [], grant: resolve}
    waiter.claims = asks.map((ask, index) => claim(waiter, ask, index))
    for (const it of waiter.claims) joinLine(team, it)
    team.waiting.add(waiter)
    look(waiter)
    const grown = (): void => {
      if (team.waiting.has(waiter)) look(waiter)
    }
    const leave = (): void => {
      endWait(waiter)
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

  /** What all of them wait for has changed. */
  const pumpSoon = (name: string): void => {
    teamOf(name).wakeAtMs = 0
    setTimer()
  }

  return {
    next,
    queue,
    took: ({team}, ms) => lanes.latenessOf(team).took(ms),
    giveBack: ({team, channel, method}) => {
      for (const bucket of lanes.of(team, channel, method).buckets) bucket.take(-1)
      pumpSoon(team)
    },
    hold,
    pause: (scope, forMs) => {
      hold(scope, forMs)
      for (const bucket of lanes.bucketsOf(scope)) bucket.learn(forMs)
    },
    resume: (scope) => {
      if (!pauses.delete(keyOf(scope))) return
      for (const bucket of lanes.bucketsOf(scope)) bucket.unlearn()
      pumpSoon(scope.team)
    },
    isPaused: ({team, channel, method}) =>
      pausedUntilMs(lanes.of(team, channel, method)) > clock.nowMs(),
    inherit: (team, {agoMs, left}) => {
      lanes.inherit(team, {atMs: clock.nowMs() - agoMs, left})
      pumpSoon(team)
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

function joinLine({lines}: Team, claim: WaitingClaim): void {
  const {
    lane,
    ask: {rank},
  } = claim
  const ranks = lines.get(lane) ?? new Map<Rank, Line>()
  lines.set(lane, ranks)
  const line = ranks.get(rank) ?? {lane, rank, claims: new Set()}
  ranks.set(rank, line)
  line.claims.add(claim)
}

function leaveLine({lines}: Team, claim: WaitingClaim): void {
  const ranks = lines.get(claim.lane)
  const line = ranks?.get(claim.ask.rank)
  line?.claims.delete(claim)
  if (line?.claims.size === 0) ranks?.delete(claim.ask.rank)
  if (ranks?.size === 0) lines.delete(claim.lane)
}

function wakeBy(team: Team, atMs: number): void {
  team.wakeAtMs = Math.min(team.wakeAtMs, atMs)
}

function pumpAtMs({wakeAtMs, restUntilMs}: Team): number {
  return Math.max(wakeAtMs, restUntilMs)
}

function inOrder(a: WaitingClaim, b: WaitingClaim): number {
  return RANKS[a.ask.rank] - RANKS[b.ask.rank] || b.worth - a.worth || a.ask.sinceMs - b.ask.sinceMs
}
