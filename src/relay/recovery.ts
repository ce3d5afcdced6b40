import {setImmediate as breathe} from 'node:timers/promises'
import {backoffMs} from '../async/pause.ts'
import {type Clock, waitOn} from '../async/clock.ts'
import type {Link} from '../store/tables/work/link.ts'
import type {LinkStore} from '../store/tables/work/links.ts'
import type {Log} from './ports.ts'

interface RecoveryOptions {
  links: Pick<LinkStore, 'live'>
  /** Starts one, and never throws. */
  serve: (linkId: string) => Promise<void>
  /** Nobody serves it, and it is for us to do so. Its workspace may be somebody else's since all were read. */
  isUnserved: (link: Link) => boolean
  clock: Clock
  log: Log
  /** All ends with it. */
  signal: AbortSignal
}

/** So many links start at once, so that new work is served meanwhile. */
const STARTING_AT_ONCE = 4
/** Between two attempts to read the links. */
const RETRY = {baseMs: 1000, maxMs: 60_000}

/**
 * Serves every link of a workspace that needs it. Workspaces take turns, each with what moved last: where many are
 * taken over at once, none waits for the old work of another.
 */
export function createRecovery(options: RecoveryOptions): (team: string) => Promise<void> {
  const {links, serve, isUnserved, clock, log, signal} = options
  const unread = new Set<string>()
  /** What moved last stands last. */
  const waiting = new Map<string, Link[]>()
  let reading: Promise<void> | undefined
  let lanes = 0

  /** Whoever comes meanwhile is read next. */
  const read = async (): Promise<void> => {
    const teams = [...unread]
    unread.clear()
    const live = await readLive(teams)
    live.sort((one, other) => one.statusSinceMs - other.statusSinceMs)
    for (const [team, ofTeam] of Map.groupBy(live, ({place}) => place.team)) {
      waiting.set(team, ofTeam)
    }
    reading = undefined
  }

  /** Nothing is served without them, so they are asked for until they come. */
  const readLive = async (teams: readonly string[]): Promise<Link[]> => {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await links.live(teams, clock.dateMs())
      } catch (error) {
        log.error({err: error}, 'The links could not be read; trying again')
        await waitOn(clock, backoffMs(attempt, RETRY), signal)
      }
    }
    return []
  }

  const next = (): Link | undefined => {
    const [turn] = waiting
    if (turn === undefined) return undefined
    const [team, ofTeam] = turn
    const link = ofTeam.pop()
    waiting.delete(team)
    if (ofTeam.length > 0) waiting.set(team, ofTeam)
    return link
  }

  const lane = async (): Promise<void> => {
    lanes += 1
    for (let link = next(); link !== undefined && !signal.aborted; link = next()) {
      if (isUnserved(link)) await serve(link.id)
      await breathe()
    }
    lanes -= 1
  }

  return async (team) => {
    unread.add(team)
    while (unread.has(team) && !signal.aborted) await (reading ??= read())
    await Promise.all(Array.from({length: STARTING_AT_ONCE - lanes}, lane))
  }
}
