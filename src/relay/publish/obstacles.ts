import {backoffMs} from '../../async/pause.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import type {Clock} from '../../async/clock.ts'
import {type Scope, keyOf} from '../pace/lanes.ts'
import type {Pacer} from '../pace/pacer.ts'

/** Why nothing can be written in a whole scope for now: one object for as long as it stands. */
export interface Obstacle {
  scope: Scope
  /** In Slack's words: `not_in_channel`, `token_revoked`. */
  code: string
}

/**
 * What keeps us from writing, beyond a single message: a channel without us, a workspace that refused
 * the token, a method without its scope. Whoever meets one silences the scope for everybody, for ever
 * longer while it is met again; a call that Slack takes, or a sign that something has changed, ends it.
 */
export interface Obstacles {
  meet(obstacle: Obstacle): void
  /** Slack took a call here: nothing stands in its way. */
  pass(call: Required<Scope>): void
  /** Something has changed here: worth trying at once. `codes`: only what these stood for. */
  retry(scope: Scope, codes?: readonly string[]): void
  /** Somebody else works for this workspace from now on. */
  forget(team: string): void
  /** What keeps all messages from this place just now. */
  at(place: Pick<Place, 'team' | 'channel'>): Obstacle | undefined
  all(): readonly Obstacle[]
  /** Calls back when an obstacle came, went, or is worth another try; until the returned function is called. */
  watch(listener: () => void): () => void
}

const AGAIN = {baseMs: 30_000, maxMs: 600_000}

interface Met extends Obstacle {
  times: number
  untilMs: number
}

export function createObstacles({pacer, clock}: {pacer: Pacer; clock: Clock}): Obstacles {
  const met = new Map<string, Met>()
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }

  const meet = ({scope, code}: Obstacle): void => {
    const before = met.get(keyOf(scope))
    // Those who were on their way already meet the same one.
    if (before !== undefined && before.untilMs > clock.nowMs()) return
    const obstacle = before?.code === code ? before : {scope, code, times: 0, untilMs: 0}
    const waitMs = AGAIN.baseMs + backoffMs(obstacle.times, AGAIN)
    obstacle.times += 1
    obstacle.untilMs = clock.nowMs() + waitMs
    met.set(keyOf(scope), obstacle)
    pacer.hold(scope, waitMs)
    clock.after(waitMs, tell)
    tell()
  }

  const clear = (obstacle: Obstacle | undefined): void => {
    if (obstacle === undefined) return
    met.delete(keyOf(obstacle.scope))
    pacer.resume(obstacle.scope)
    tell()
  }

  const pass = ({team, channel, method}: Required<Scope>): void => {
    if (met.size === 0) return
    for (const scope of [{team}, {team, channel}, {team, method}]) clear(met.get(keyOf(scope)))
  }

  const retry = (scope: Scope, codes?: readonly string[]): void => {
    const obstacle = met.get(keyOf(scope))
    if (obstacle !== undefined && codes?.includes(obstacle.code) !== false) clear(obstacle)
  }

  return {
    meet,
    pass,
    retry,
    forget: (team) => {
      for (const obstacle of [...met.values()]) if (obstacle.scope.team === team) clear(obstacle)
    },
    at: ({team, channel}) =>
      [met.get(keyOf({team})), met.get(keyOf({team, channel}))].find(
        (obstacle) => obstacle !== undefined && obstacle.untilMs > clock.nowMs(),
      ),
    all: () => [...met.values()],
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Somebody has been told that the place can't be written to: once is enough, also across restarts. */
export function isBlocked({notice}: Pick<Link, 'notice'>): boolean {
  return notice?.code === 'no-place'
}
