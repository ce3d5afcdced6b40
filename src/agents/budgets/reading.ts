import {createBackground} from '../../async/background.ts'
import {isNotOurs} from '../../async/fence.ts'
import {createPoller} from '../../async/poller.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformRateLimited} from '../../platform/errors.ts'
import {isWorking} from '../../platform/model.ts'
import type {Link, Place} from '../../store/tables/work/link.ts'
import type {CountReading, UsageReading} from './counting.ts'

/** Reads what work costs while it works. */
interface UsageReader extends AsyncDisposable {
  /** Somebody else has read it. */
  heard(link: Link, reading: UsageReading): void
}

interface UsageReaderOptions {
  teams: () => readonly string[]
  /** All work of these workspaces that may be costing something. */
  costing: (teams: readonly string[]) => Promise<Link[]>
  /** Whether there are budgets in this channel. */
  isLimited: (channel: Pick<Place, 'team' | 'channel'>) => Promise<boolean>
  /** `undefined`: its workspace is somebody else's by now. */
  clientOf: (link: Link) => PlatformClient | undefined
  /** `undefined`, likewise. */
  countOf: (team: string) => CountReading | undefined
  /** What a card may show has changed. */
  onFigure: (link: Link, credits: number) => Promise<void>
  /** Between two readings of one thread. */
  everyMs: number
  log: {error(details: object, message: string): void}
}

/** Which work there is, and what concerns it, is looked up so often. */
const LIST_EVERY_MS = 5000
/** Readings that may be under way at once. */
const AT_ONCE = 16
const RETRY_MS = 5000
/** Between two readings. */
const LEAST_GAP_MS = 20
/** Due since ever. */
const NEVER_READ = 0
/** Before one of what was not read here yet. */
const FRESH_GAP_MS = 100

/**
 * Each thread every so often, one after the other at even distances, so that they are no burst; whose key is told to wait
 * waits. What was not read here yet comes first and fast: whoever had its workspace before may have read it long ago.
 */
export function createUsageReader(options: UsageReaderOptions): UsageReader {
  const {teams, costing, isLimited, clientOf, countOf, onFigure, everyMs, log} = options
  const stop = new AbortController()
  const {signal} = stop
  const background = createBackground((error) => {
    if (!signal.aborted && !isNotOurs(error)) {
      log.error({err: error}, 'The cost of work could not be counted')
    }
  })
  const dueAtMs = new Map<string, number>()
  const underway = new Set<string>()
  const silentUntilMs = new Map<string, number>()
  let known: {links: readonly Link[]; atMs: number} = {links: [], atMs: -Infinity}

  const list = async (nowMs: number): Promise<readonly Link[]> => {
    if (nowMs - known.atMs < Math.min(LIST_EVERY_MS, everyMs)) return known.links
    const channels = Map.groupBy(
      await costing(teams()),
      ({place}) => `${place.team} ${place.channel}`,
    )
    const links: Link[] = []
    for (const those of channels.values()) {
      const [first] = those
      if (first !== undefined && (await isLimited(first.place))) links.push(...those)
    }
    known = {links, atMs: nowMs}
    const ids = new Set(links.map(({id}) => id))
    for (const id of dueAtMs.keys()) if (!ids.has(id)) dueAtMs.delete(id)
    for (const id of ids) if (!dueAtMs.has(id)) dueAtMs.set(id, NEVER_READ)
    return links
  }

  const dueOf = ({id, connectionId = ''}: Link): number =>
    Math.max(dueAtMs.get(id) ?? 0, silentUntilMs.get(connectionId) ?? 0)

  const read = async (link: Link): Promise<void> => {
    const {threadId = '', connectionId = ''} = link
    try {
      const thread = await clientOf(link)?.getThread(threadId, signal)
      if (thread === undefined) return
      const credits = thread.usage?.totalCredits
      const isAtWork = isWorking(thread.status)
      await countOf(link.place.team)?.(link, {credits, isAtWork})
      if (isAtWork && credits !== undefined && Number.isFinite(credits)) {
        await onFigure(link, credits)
      }
    } catch (error) {
      if (error instanceof PlatformRateLimited) {
        silentUntilMs.set(connectionId, performance.now() + error.retryAfterMs)
      }
      // It is asked again before long.
      if (!(error instanceof PlatformError)) throw error
    }
  }

  const look = async (): Promise<number> => {
    const nowMs = performance.now()
    const links = await list(nowMs)
    const waiting = links
      .filter(({id}) => !underway.has(id))
      .toSorted((a, b) => dueOf(a) - dueOf(b))
    const [first, second] = waiting
    let next = first
    if (first !== undefined && dueOf(first) <= nowMs && underway.size < AT_ONCE) {
      dueAtMs.set(first.id, nowMs + everyMs)
      underway.add(first.id)
      background.keep(read(first).finally(() => underway.delete(first.id)))
      next = second
    }
    const evenMs = everyMs / (links.length + 1)
    const isFresh = next !== undefined && dueAtMs.get(next.id) === NEVER_READ
    const gapMs = Math.max(LEAST_GAP_MS, isFresh ? Math.min(FRESH_GAP_MS, evenMs) : evenMs)
    const nextMs = next === undefined ? Infinity : dueOf(next) - nowMs
    return Math.min(Math.max(nextMs, gapMs), LIST_EVERY_MS, everyMs)
  }

  const poller = createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'Work that costs could not be listed'),
    retryMs: RETRY_MS,
  })
  poller.wake()

  return {
    heard: (link, reading) => {
      const count = countOf(link.place.team)
      if (count === undefined || signal.aborted) return
      if (dueAtMs.has(link.id)) dueAtMs.set(link.id, performance.now() + everyMs)
      background.keep(count(link, reading))
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await poller[Symbol.asyncDispose]()
      await background.ended()
    },
  }
}
