import type {Clock} from '../../async/clock.ts'
import {type Bucket, type Budget, type Wakefulness, createBucket} from '../../async/buckets.ts'
import {type Contention, createContention} from './contention.ts'
import {type Lateness, createLateness} from './lateness.ts'

/** A workspace, or what of it is meant: one channel, or one method. */
export interface Scope {
  team: string
  channel?: string
  method?: string
}

/** All asks of one method in one channel: looked up once, since thousands wait and are looked at often. */
export interface Lane {
  buckets: readonly Bucket[]
  /** Who shares the workspace's bucket of this method. */
  contention: Contention | undefined
  /** Keys of the pauses that concern it. */
  scopes: readonly string[]
}

/** How the budgets of a workspace stood when its calls became ours to make. */
interface Inheritance {
  atMs: number
  /** By method; `undefined`: nobody says, so nothing was left of any. */
  left: ReadonlyMap<string, number> | undefined
}

interface Lanes {
  of(team: string, channel: string, method: string): Lane
  /** What is known of a workspace is as it was left by somebody else. */
  inherit(team: string, inheritance: Inheritance): void
  /** The buckets of a method that Slack spoke of; none when it spoke of more than one method. */
  bucketsOf(scope: Scope): Iterable<Bucket>
  /** How unevenly this workspace's calls arrive. */
  latenessOf(team: string): Lateness
  /** The workspace's own bucket of each method that was asked for. */
  ofTeam(team: string): {method: string; bucket: Bucket}[]
}

/** Each room is a channel, with a lane for each method: so many stand before those are let go that are as they were made. */
const LANES_BEFORE_A_SWEEP = 10_000

/** What one person alone is shown, and what takes a preview back, goes also where nothing else may be written. */
const APART: ReadonlySet<string> = new Set(['chat.postEphemeral', 'chat.unfurl'])

export function createLanes(
  budgets: Readonly<Record<string, readonly Budget[]>>,
  clock: Clock,
  /** Lanes that somebody waits in. */
  awaited: () => Iterable<Lane> = () => [],
): Lanes {
  const lanes = new Map<string, Lane>()
  let sweepAt = LANES_BEFORE_A_SWEEP
  /** By workspace and method, and there by budget and channel. */
  const methods = new Map<
    string,
    {
      buckets: Map<string, Bucket>
      contention: Contention | undefined
      lateS: () => number
      latent: Wakefulness
    }
  >()

  const latenesses = new Map<string, Lateness>()
  const inheritances = new Map<string, Inheritance>()

  /** What the bucket of a workspace's method held; of those of its channels nobody says. */
  const heldIn = (team: string, method: string, isShared: boolean) => {
    const inherited = inheritances.get(team)
    if (inherited === undefined) return {}
    const {atMs, left} = inherited
    const tokens = isShared && left !== undefined ? left.get(method) : 0
    return tokens === undefined ? {} : {since: {atMs, tokens}}
  }

  /** What an earlier owner has used and this one has not, as far as it has not come back. */
  const inheritedBy = (team: string, method: string) => {
    const budget = budgets[method]?.find(({per}) => per === 'workspace')
    if (budget === undefined || !inheritances.has(team)) return undefined
    const bucket = createBucket(budget, clock, heldIn(team, method, true))
    return bucket.tokens() < bucket.burst() ? {method, bucket} : undefined
  }

  const latenessOf = (team: string): Lateness => {
    const known = latenesses.get(team) ?? createLateness()
    latenesses.set(team, known)
    return known
  }

  const methodOf = (team: string, method: string) => {
    const key = `${team}\n${method}`
    const known = methods.get(key)
    if (known !== undefined) return known
    const buckets = new Map<string, Bucket>()
    const [budget] = budgets[method] ?? []
    const isShared = budget?.per === 'workspace'
    const lateS = latenessOf(team).seconds
    const shared = isShared
      ? createBucket(budget, clock, {lateS, ...heldIn(team, method, true)})
      : undefined
    if (shared !== undefined) buckets.set('0\n', shared)
    const contention = shared === undefined ? undefined : createContention(shared, clock)
    const made = {buckets, contention, lateS, latent: {untilMs: 0}}
    methods.set(key, made)
    return made
  }

  /** What is made anew is the same as what is let go; of what a workspace's channels share nothing is. */
  const sweep = (): void => {
    const waited = new Set(awaited())
    const waitedFor = new Set([...waited].flatMap(({buckets}) => buckets))
    const used = new Set<Bucket>()
    for (const {buckets} of methods.values()) {
      for (const [place, bucket] of buckets) {
        if (place.endsWith('\n')) continue
        if (!waitedFor.has(bucket) && bucket.isAsMade()) buckets.delete(place)
        else used.add(bucket)
      }
    }
    for (const [key, lane] of lanes) {
      const isKept = waited.has(lane) || lane.buckets.some((bucket) => used.has(bucket))
      if (!isKept) lanes.delete(key)
    }
    sweepAt = Math.max(LANES_BEFORE_A_SWEEP, 2 * lanes.size)
  }

  const laneOf = (team: string, channel: string, method: string): Lane => {
    const key = `${team}\n${method}\n${channel}`
    const known = lanes.get(key)
    if (known !== undefined) return known
    if (lanes.size >= sweepAt) sweep()
    const {buckets, contention, lateS, latent} = methodOf(team, method)
    const mine = (budgets[method] ?? []).map((budget, index) => {
      const place = `${index}\n${budget.per === 'channel' ? channel : ''}`
      const held = heldIn(team, method, budget.per === 'workspace')
      const terms = budget.isLatent ? {lateS, awake: latent} : {lateS, ...held}
      const bucket = buckets.get(place) ?? createBucket(budget, clock, terms)
      buckets.set(place, bucket)
      return bucket
    })
    const ofPlace = APART.has(method) ? [] : [{team, channel}]
    const scopes = [{team}, ...ofPlace, {team, method}].map(keyOf)
    const lane = {buckets: mine, contention, scopes}
    lanes.set(key, lane)
    return lane
  }

  return {
    of: laneOf,
    latenessOf,
    inherit: (team, inheritance) => {
      inheritances.set(team, inheritance)
      for (const known of [lanes, methods]) {
        for (const key of known.keys()) if (key.startsWith(`${team}\n`)) known.delete(key)
      }
    },
    ofTeam: (team) => {
      const used = [...methods].flatMap(([key, {buckets}]) => {
        const [of, method = ''] = key.split('\n')
        const bucket = buckets.get('0\n') ?? buckets.get('1\n')
        return of === team && bucket !== undefined ? [{method, bucket}] : []
      })
      const unused = Object.keys(budgets).filter((method) => !methods.has(`${team}\n${method}`))
      return [...used, ...unused.flatMap((method) => inheritedBy(team, method) ?? [])]
    },
    bucketsOf: ({team, method}) =>
      method === undefined ? [] : methodOf(team, method).buckets.values(),
  }
}

export function keyOf({team, channel = '', method = ''}: Scope): string {
  return `${team}\n${channel}\n${method}`
}
