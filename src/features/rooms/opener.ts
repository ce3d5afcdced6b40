import {createBackground} from '../../async/background.ts'
import type {Clock} from '../../async/clock.ts'
import {createMemory} from '../../async/memory.ts'
import {createRetries} from '../../async/retries.ts'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import {TryLater} from '../../inbox/try-later.ts'
import {isWorking} from '../../platform/model.ts'
import type {Log} from '../../relay/ports.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'
import type {RoomStore} from '../../store/tables/work/rooms.ts'
import {type OpenRoom, canMove} from './opening.ts'
import type {RoomSupport} from './support.ts'

/** Opens rooms by itself, where a channel is set so: at once, or for work that takes long. */
interface RoomOpener extends AsyncDisposable {
  note(link: Link): void
  /** What was due while nobody served it, and what somebody has begun to open and not ended. */
  recover(): void
}

interface RoomOpenerOptions {
  links: Pick<LinkStore, 'byId' | 'atWork'>
  rooms: Pick<RoomStore, 'unopened'>
  settingsOf: SettingsOf
  support: Pick<RoomSupport, 'hasRooms'>
  openRoom: OpenRoom
  team: string
  clock: Clock
  log: Log
}

/** Working in one go for so long, work takes long. */
export const LONG_MS = 600_000
/** Slack or somebody else did not answer. */
const AGAIN_MS = 15_000
/** A channel where Slack opens none is not asked for again in this time. */
const REFUSED_FOR_MS = 86_400_000
const MAX_REFUSED = 1000

export function createRoomOpener(options: RoomOpenerOptions): RoomOpener {
  const {links, rooms, settingsOf, support, openRoom, team, clock, log} = options
  const stop = new AbortController()
  const background = createBackground((error) => {
    if (!stop.signal.aborted) log.error({err: error}, 'A room could not be opened by itself')
  })
  const retries = createRetries((error) =>
    log.warn({err: error}, 'A room that is due could not be opened yet'),
  )
  /** Runs that are watched, by link. */
  const watched = new Map<string, {run: number; seenAtMs: number; cancel: () => void}>()
  const refusedIn = createMemory<true>({most: MAX_REFUSED, nowMs: () => clock.nowMs()})

  const watch = (link: Link, cancel: () => void): void => {
    const seenAtMs = clock.nowMs() - seenForMs(link)
    watched.set(link.id, {run: runOf(link), seenAtMs, cancel})
  }

  /** For how long this run has been watched. */
  const seenForMs = (link: Link): number => {
    const known = watched.get(link.id)
    return known?.run === runOf(link) ? clock.nowMs() - known.seenAtMs : 0
  }

  const wait = (link: Link, ms: number): void =>
    watch(
      link,
      clock.after(ms, () => background.keep(look(link))),
    )

  /** A table that could not be read is read again: of one run there is no other note. */
  const look = async (link: Link): Promise<void> => {
    const found = await read(link.id).catch((error: unknown) => {
      // Unless another run has begun since.
      if (!stop.signal.aborted && watched.get(link.id)?.run === runOf(link)) wait(link, AGAIN_MS)
      throw error
    })
    await consider(link.id, found)
  }

  const read = async (id: string) => {
    const link = await links.byId(id)
    return link && {link, settings: await settingsOf(team, link.place.channel)}
  }

  const forget = (id: string): void => {
    watched.get(id)?.cancel()
    watched.delete(id)
  }

  const consider = async (id: string, found: Awaited<ReturnType<typeof read>>): Promise<void> => {
    if (found === undefined || !mayBeDue(found.link) || stop.signal.aborted) {
      forget(id)
      return
    }
    const {link} = found
    const {values} = found.settings
    // A clock that was ahead may have said when it began.
    const ranMs = Math.max(clock.dateMs() - runOf(link), seenForMs(link))
    const leftMs = values.rooms === 'always' ? 0 : LONG_MS - ranMs
    // What a channel has chosen may be another thing by then.
    if (leftMs > 0) wait(link, leftMs)
    else if (values.rooms !== 'asked') await open(link)
  }

  const open = async (link: Link): Promise<void> => {
    try {
      await tryOpen(link)
    } catch (error) {
      if (!(error instanceof TryLater)) throw error
      if (!stop.signal.aborted) wait(link, Math.max(AGAIN_MS, error.afterMs))
    }
  }

  const tryOpen = async (link: Link): Promise<void> => {
    const {channel} = link.place
    if (refusedIn.of(channel) !== undefined) return
    if (!(await support.hasRooms(stop.signal))) return
    const opened = await openRoom(link, undefined, stop.signal)
    if (opened.outcome === 'refused') refusedIn.keep(channel, true, REFUSED_FOR_MS)
  }

  const openBegun = async (id: string): Promise<void> => {
    const link = await links.byId(id)
    if (link !== undefined && canMove(link)) await tryOpen(link)
  }

  const note: RoomOpener['note'] = (link) => {
    const isDue = mayBeDue(link)
    if (!isDue) forget(link.id)
    if (!isDue || watched.get(link.id)?.run === runOf(link)) return
    forget(link.id)
    // Noted before anything is asked: of one run there is one look.
    watch(link, () => undefined)
    background.keep(look(link))
  }

  return {
    note,
    recover: () => {
      retries.keep(async () => {
        for (const id of await rooms.unopened(team)) retries.keep(() => openBegun(id))
      })
      retries.keep(async () => {
        for (const link of await links.atWork(team)) note(link)
      })
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      for (const {cancel} of watched.values()) cancel()
      await retries[Symbol.asyncDispose]()
      await background.ended()
    },
  }
}

function mayBeDue(link: Link): boolean {
  return canMove(link) && isWorking(link.status) && link.runSinceMs !== undefined
}

function runOf({runSinceMs = 0}: Link): number {
  return runSinceMs
}
