import type {ConnectionUses} from '../../store/tables/connection-uses.ts'
import {NOBODY} from '../../store/forget/blanking.ts'
import type {Effective} from '../channel-settings.ts'

/** Work that somebody wants to begin. */
interface Beginning {
  /** The same however often it is asked for. */
  requestId: string
  team: string
  channel: string
  user: string
}

/** Where a limit counts: a person's in the channel that set it, or in the whole workspace. */
type Scope = 'person-here' | 'person-anywhere' | 'channel'

/** How much of a limit is used, and when a place becomes free. */
export interface Usage {
  scope: Scope
  limit: number
  used: number
  /** When the oldest that counts will not count any more. */
  freeAtMs: number
}

/** How often work may be begun in 24 hours. */
export interface Limits {
  /**
   * The limit that is in the way; `undefined`: it may begin, and counts from now on. Of two at once one gets the last
   * place.
   */
  admit(beginning: Beginning, settings: Effective): Promise<Usage | undefined>
  /** It did not begin after all. */
  release(requestId: string): void
  /** Of each limit that holds here. */
  usage(of: Omit<Beginning, 'requestId'>, settings: Effective): Promise<Usage[]>
}

const DAY_MS = 24 * 3_600_000
/** Until then its link stands, or it is not wanted any more. */
const RESERVED_MS = 600_000

export function createLimits({uses, nowMs}: {uses: ConnectionUses; nowMs: () => number}): Limits {
  const reserved = new Map<string, Beginning & {atMs: number}>()
  let last: Promise<unknown> = Promise.resolve()

  const usage = async (of: Omit<Beginning, 'requestId'>, settings: Effective, requestId = '') => {
    const {team, channel, user} = of
    const {startsPerPerson, startsPerChannel} = settings.values
    const isHere = settings.sources.startsPerPerson === 'channel'
    const scopes: {scope: Scope; limit: number; whose: {user?: string; channel?: string}}[] = []
    // Nobody is no person: all work of rules would share what one may begin.
    if (startsPerPerson !== undefined && user !== NOBODY) {
      const scope = isHere ? 'person-here' : 'person-anywhere'
      scopes.push({scope, limit: startsPerPerson, whose: isHere ? {user, channel} : {user}})
    }
    if (startsPerChannel !== undefined) {
      scopes.push({scope: 'channel', limit: startsPerChannel, whose: {channel}})
    }
    const sinceMs = nowMs() - DAY_MS
    const begun = await Promise.all(
      scopes.map(({whose}) => uses.begunSince({team, ...whose}, sinceMs)),
    )
    return scopes.map(({scope, limit, whose}, index): Usage => {
      const standing = (begun[index] ?? []).filter((one) => one.requestId !== requestId)
      const known = new Set(standing.map((one) => one.requestId))
      const underway = [...reserved.values()].filter(
        (one) =>
          one.team === team &&
          one.requestId !== requestId &&
          !known.has(one.requestId) &&
          (whose.user === undefined || one.user === whose.user) &&
          (whose.channel === undefined || one.channel === whose.channel),
      )
      const times = [...standing, ...underway].map(({atMs}) => atMs).toSorted((a, b) => a - b)
      const oldest = times[Math.max(0, times.length - limit)] ?? nowMs()
      return {scope, limit, used: times.length, freeAtMs: oldest + DAY_MS}
    })
  }

  const admit: Limits['admit'] = async (beginning, settings) => {
    const {requestId} = beginning
    const all = await usage(beginning, settings, requestId)
    const full = all.filter(({used, limit}) => used >= limit)
    const latest = full.toSorted((a, b) => b.freeAtMs - a.freeAtMs)[0]
    if (latest === undefined) {
      for (const [id, {atMs}] of reserved) if (nowMs() - atMs > RESERVED_MS) reserved.delete(id)
      reserved.set(requestId, {...beginning, atMs: nowMs()})
    }
    return latest
  }

  return {
    usage: (of, settings) => usage(of, settings),
    admit: (beginning, settings) => {
      // One after the other: of two who count at once, both would find the last place free.
      const next = last.then(() => admit(beginning, settings))
      last = next.then(doNothing, doNothing)
      return next
    },
    release: (requestId) => void reserved.delete(requestId),
  }
}

/** Whoever asked is told. */
function doNothing(): void {}
