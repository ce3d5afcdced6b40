import {backoffMs} from '../async/pause.ts'
import type {Link} from '../store/tables/work/link.ts'
import {waitOn} from '../async/clock.ts'
import {createRecovery} from './recovery.ts'
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
  /** How many serve a link now. */
  count(): number
  /** When the oldest text came that nobody sees yet, of all links. */
  unseenSinceMs(): number | undefined
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

/** What relays of one workspace write with. */
type Desk = Pick<RelayOptions, 'writer' | 'links' | 'posts' | 'sends' | 'notifications'>

interface FleetOptions extends Omit<RelayOptions, 'onLate' | Exclude<keyof Desk, 'links'>> {
  /** A stop came too late for this one, which is known now. */
  onLate: (link: Link, show: Fleet['serve']) => void
  /** `undefined`: the workspace is none of ours, or not any more. */
  deskOf: (team: string) => Desk | undefined
  /** Whoever works for its workspace is to serve it. */
  onElsewhere: (link: Link) => void
  onFailure?: () => void
}

export function createFleet(options: FleetOptions): Fleet {
  const {links, deskOf, clock, log} = options
  const relays = new Map<string, Promise<Relay>>()
  const running = new Set<Relay>()
  const failures = new Map<string, {count: number; atMs: number}>()
  const crews = new Map<string, Crew>()
  const background = createBackground((error) => log.error({err: error}, 'The fleet stumbled'))
  const stop = new AbortController()

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
      .then((begun) => {
        running.add(begun)
        return begun.stopped.finally(() => running.delete(begun))
      })
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
    options.onFailure?.()
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

  const recover = createRecovery({
    ...{links, serve, clock, log, signal: stop.signal},
    isUnserved: (link) => deskOf(link.place.team) !== undefined && !relays.has(link.id),
  })

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
    recover: (team) => background.keep(recover(team)),
    serve,
    leave,
    count: () => running.size,
    unseenSinceMs: () => {
      let sinceMs: number | undefined
      for (const relay of running) {
        const ofRelay = relay.unseenSinceMs()
        if (ofRelay !== undefined && ofRelay < (sinceMs ?? Infinity)) sinceMs = ofRelay
      }
      return sinceMs
    },
    [Symbol.asyncDispose]: dispose,
  }
}
