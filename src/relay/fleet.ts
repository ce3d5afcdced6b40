import {setImmediate as breathe} from 'node:timers/promises'
import {backoffMs} from '../async/pause.ts'
import type {Link} from '../store/tables/work/link.ts'
import {waitOn} from '../async/clock.ts'
import {type Relay, type RelayOptions, startRelay} from './relay.ts'
import {createBackground} from '../async/background.ts'

/** All relays of this process. A failing one never takes another with it, and is started again. */
interface Fleet extends AsyncDisposable {
  /** Starts a relay for every link of a workspace that needs one, a few at a time, while new work is served at once. */
  recover(team: string): void
  /** This link is new, or our tables say something new about it. What fails is tried again, and never thrown. */
  serve(linkId: string): Promise<void>
  /** Ends all relays of a workspace, and resolves when they have. */
  leave(team: string): Promise<void>
}

/** The relays of one workspace. */
interface Crew {
  stop: AbortController
  running: Set<Promise<void>>
}

/** Between a relay's failures. */
const RETRY = {baseMs: 1000, maxMs: 60_000}
/** Who ran for so long before it failed starts to count anew. */
const WELL_AFTER_MS = 120_000
/** So many relays start at once after a start of the process. */
const STARTING_AT_ONCE = 4

/** What relays of one workspace write with. */
type Desk = Pick<RelayOptions, 'writer' | 'links' | 'posts' | 'sends' | 'notifications'>

interface FleetOptions extends Omit<RelayOptions, 'onLate' | Exclude<keyof Desk, 'links'>> {
  /** A stop came too late for this one, which is known now. */
  onLate: (link: Link, show: Fleet['serve']) => void
  /** `undefined`: the workspace is none of ours, or not any more. */
  deskOf: (team: string) => Desk | undefined
  /** Whoever works for its workspace is to serve it. */
  onElsewhere: (link: Link) => void
}

export function createFleet(options: FleetOptions): Fleet {
  const {links, deskOf, clock, log} = options
  const relays = new Map<string, Promise<Relay>>()
  const failures = new Map<string, {count: number; atMs: number}>()
  const crews = new Map<string, Crew>()
  const background = createBackground((error) => log.error({err: error}, 'The fleet stumbled'))
  const stop = new AbortController()
  const toRecover = new Set<string>()
  let recovering: Promise<void> | undefined

  const isStopped = (): boolean => stop.signal.aborted

  const crewOf = (team: string): Crew => {
    const crew = crews.get(team) ?? {stop: new AbortController(), running: new Set()}
    crews.set(team, crew)
    return crew
  }

  const start = async (link: Link): Promise<void> => {
    const desk = deskOf(link.place.team)
    if (desk === undefined) {
      options.onElsewhere(link)
      return
    }
    const crew = crewOf(link.place.team)
    const onLate = (late: Link): void => options.onLate(late, serve)
    const relay = startRelay(link, {...options, ...desk, onLate}, crew.stop.signal)
    relays.set(link.id, relay)
    const over = relay
      .then(({stopped}) => stopped)
      .then(() => void failures.delete(link.id))
      .finally(() => {
        relays.delete(link.id)
        crew.running.delete(over)
      })
    crew.running.add(over)
    background.keep(
      over.catch(async (error: unknown) => {
        // Of a workspace that was left somebody else takes care.
        if (!crew.stop.signal.aborted) await retry(link.id, error)
      }),
    )
    await relay.catch(() => undefined) // it is told above
  }

  const retry = async (linkId: string, error: unknown): Promise<void> => {
    if (isStopped()) return
    const before = failures.get(linkId)
    const isFresh = before === undefined || clock.nowMs() - before.atMs > WELL_AFTER_MS
    const count = isFresh ? 1 : before.count + 1
    failures.set(linkId, {count, atMs: clock.nowMs()})
    const waitMs = RETRY.baseMs + backoffMs(count, RETRY)
    log.error({err: error, linkId, failures: count, waitMs}, 'A relay failed')
    await waitOn(clock, waitMs, stop.signal)
    // Whoever works in between has started it already: then it is only told to look.
    await serve(linkId)
  }

  const serve = async (linkId: string): Promise<void> => {
    try {
      await serveOnce(linkId)
    } catch (error) {
      background.keep(retry(linkId, error))
    }
  }

  const serveOnce = async (linkId: string): Promise<void> => {
    if (isStopped()) return
    const relay = await relays.get(linkId)?.catch(() => undefined)
    if (relay !== undefined && !relay.isStopping()) {
      await relay.refresh()
      if (!relay.isStopping()) return
    }
    await relay?.stopped.catch(() => undefined)
    const link = await links.byId(linkId)
    if (link === undefined || isStopped()) return
    // Somebody else may have started it while we read.
    await (relays.has(linkId) ? serveOnce(linkId) : start(link))
  }

  const recover = async (): Promise<void> => {
    while (toRecover.size > 0 && !isStopped()) {
      const teams = [...toRecover]
      toRecover.clear()
      await startAll((await readLive(teams)).values())
    }
    recovering = undefined
  }

  const startAll = async (waiting: Iterator<Link> & Iterable<Link>): Promise<void> => {
    const lane = async (): Promise<void> => {
      for (const link of waiting) {
        if (isStopped()) return
        // It may have ended since all were read, and its workspace be somebody else's.
        const isOurs = deskOf(link.place.team) !== undefined
        if (isOurs && !relays.has(link.id)) await serve(link.id)
        await breathe()
      }
    }
    await Promise.all(Array.from({length: STARTING_AT_ONCE}, lane))
  }

  /** Nothing is served without them, so they are asked for until they come. */
  const readLive = async (teams: readonly string[]): Promise<Link[]> => {
    for (let attempt = 0; !isStopped(); attempt += 1) {
      try {
        return await links.live(teams)
      } catch (error) {
        log.error({err: error}, 'The links could not be read; trying again')
        await waitOn(clock, backoffMs(attempt, RETRY), stop.signal)
      }
    }
    return []
  }

  const leave = async (team: string): Promise<void> => {
    const crew = crews.get(team)
    crews.delete(team)
    crew?.stop.abort()
    await Promise.allSettled([...(crew?.running ?? [])])
  }

  const dispose = async (): Promise<void> => {
    stop.abort()
    for (const crew of crews.values()) crew.stop.abort()
    await background.ended()
  }
  return {
    recover: (team) => {
      toRecover.add(team)
      recovering ??= recover()
      background.keep(recovering)
    },
    serve,
    leave,
    [Symbol.asyncDispose]: dispose,
  }
}
