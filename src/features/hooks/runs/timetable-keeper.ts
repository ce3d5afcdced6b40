import {createPoller} from '../../../async/poller.ts'
import {sideBySide} from '../../../async/side-by-side.ts'
import type {ClockCheck} from '../../../inbox/clock-check.ts'
import type {PlatformClient} from '../../../platform/client.ts'
import {PlatformError, PlatformRateLimited, PlatformUnreachable} from '../../../platform/errors.ts'
import type {Thread} from '../../../platform/model.ts'
import type {BegunThread} from '../../../store/tables/hooks/runs.ts'
import type {Timetable, TimetableStore} from '../../../store/tables/hooks/timetables.ts'
import {nextMoment} from '../cron.ts'
import {
  AGAIN_MS,
  GIVE_UP_MS,
  GIVE_UP_PRIVATE_MS,
  LOOKS_MS,
  RARELY_MS,
  type RunFinder,
  projectKey,
} from './run-finder.ts'

/** Looks at each moment of a schedule of ours for what it has begun. */
interface TimetableKeeper extends AsyncDisposable {
  /** There may be another schedule. */
  wake: () => void
}

interface TimetableKeeperOptions {
  timetables: Pick<TimetableStore, 'due' | 'nextDueAtMs'>
  finder: RunFinder
  /** Its workspaces. */
  teams: () => readonly string[]
  /** What is written of one of them; `undefined` where somebody else works for it by now. */
  timetablesOf: (team: string) => TimetableStore | undefined
  clientOf: (of: {connectionId: string | undefined}) => Pick<PlatformClient, 'listAutomations'>
  isClosed: (place: {team: string; channel: string}) => Promise<boolean>
  /** There is work that may be to be followed. */
  onFound: () => void
  clock: Pick<ClockCheck, 'isOlder'>
  /** What time it is where the schedules run. */
  nowMs?: () => number
  log: {warn(details: object, message: string): void; error(details: object, message: string): void}
}

/** What the moments of the last minute have begun need not be there yet: they are looked for themselves. */
const FRESH_MS = 60_000
const TROUBLE_MS = 5000
/** Of a project so many automations are looked at. */
const MAX_LISTED = 500

/**
 * A moment is looked for until something is found that was begun since, or the next moment comes, or it is over. What is found
 * is all that was begun since, however long nobody looked, and then the next moment counts.
 */
export function createTimetableKeeper(options: TimetableKeeperOptions): TimetableKeeper {
  const {timetables, finder, teams, timetablesOf, clientOf, nowMs = Date.now, log} = options

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const due = await timetables.due(teams(), nowMs())
    await sideBySide(Map.groupBy(due, projectKey).values(), (some) => seek(some, signal))
    const atMs = await timetables.nextDueAtMs(teams())
    return atMs === undefined ? undefined : Math.max(0, atMs - nowMs())
  }

  const poller = createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'What schedules began could not be looked for'),
    retryMs: TROUBLE_MS,
  })

  /** Those of one project, with one look. */
  const seek = async (some: readonly Timetable[], signal: AbortSignal): Promise<void> => {
    try {
      const {missed, isAll} = await find(some, signal)
      // It may stand in what could not be read.
      if (!isAll) {
        for (const one of missed) await unseen(one, AGAIN_MS)
        return
      }
      // Asked at the first look for a moment: what does not run at all is not looked for again.
      const running = missed.some(({looks}) => looks === 0) && (await runningOf(missed, signal))
      for (const one of missed) await miss(one, !running || running.has(one.automationId))
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError)) throw error
      const isPassing = error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
      if (!isPassing) log.warn({err: error}, 'What a schedule began could not be looked for')
      for (const one of some) await unseen(one, isPassing ? AGAIN_MS : RARELY_MS)
    }
  }

  /** Writes down what they have begun. Missed: those of which nothing was found. */
  const find = async (
    some: readonly Timetable[],
    signal: AbortSignal,
  ): Promise<{missed: Timetable[]; isAll: boolean}> => {
    const [{projectId, connectionId} = {projectId: '', connectionId: undefined}] = some
    const sinceMs = Math.min(...some.map(({momentMs}) => momentMs))
    const wanted = new Set(some.map(({reference}) => reference))
    const where = {projectId, connectionId, sinceMs, most: Infinity}
    const {found, isAll} = await finder.find(where, wanted, signal)
    // What bears another reference, too, was begun by a delivery to the same automation.
    const own = found.filter(({references}) => references.length === 1)
    const begun = Map.groupBy(own, ({references}) => references[0])
    for (const one of some) {
      const its = begun.get(one.reference)
      const threads = its?.map(({thread}) => toBegun(thread, one)) ?? []
      if (threads.length === 0) continue
      const newestMs = Math.max(...threads.map(({begunAtMs}) => begunAtMs))
      await advance(one, threads, isAll ? momentAfter(one, newestMs) : one.momentMs)
    }
    return {missed: some.filter(({reference}) => !begun.has(reference)), isAll}
  }

  /** The platform has nothing that it has begun. */
  const miss = async (one: Timetable, isRunning: boolean): Promise<void> => {
    // By the clock of the platform, which has answered since, its moment is still to come.
    const isEarly = one.momentMs > nowMs()
    if (isEarly) {
      await timetablesOf(one.team)?.later(one.id, one.momentMs, false)
      return
    }
    const waitMs = isRunning ? LOOKS_MS[one.looks] : undefined
    const next = momentAfter(one)
    const atMs = nowMs() + (waitMs ?? 0)
    // The look at the next moment finds what is late.
    const isOver = waitMs === undefined || (next !== undefined && next <= atMs)
    if (isOver) await advance(one, [], next)
    else await timetablesOf(one.team)?.later(one.id, atMs, true)
  }

  /** Nobody could look: what it has begun meanwhile is all found by the next look. */
  const unseen = async (one: Timetable, waitMs: number): Promise<void> => {
    const giveUpMs = one.isPrivate ? GIVE_UP_PRIVATE_MS : GIVE_UP_MS
    const isOver = await options.clock.isOlder(one.momentMs, giveUpMs)
    if (isOver) return advance(one, [], momentAfter(one))
    const isLong = nowMs() - one.momentMs > GIVE_UP_MS
    const atMs = nowMs() + (isLong ? RARELY_MS : waitMs)
    await timetablesOf(one.team)?.later(one.id, atMs, false)
  }

  const advance = async (
    one: Timetable,
    threads: readonly BegunThread[],
    momentMs: number | undefined,
  ): Promise<void> => {
    const now = {...one, isPrivate: await options.isClosed(one)}
    await timetablesOf(one.team)?.advance(now, threads, momentMs, nowMs())
    if (threads.length > 0) options.onFound()
  }

  /** The next one of which nothing was found. */
  const momentAfter = ({schedules, momentMs}: Timetable, foundMs = 0): number | undefined => {
    const atMs = nowMs()
    return nextMoment(schedules, Math.max(momentMs, atMs - FRESH_MS, Math.min(foundMs, atMs)))
  }

  /** The automations of their project that run; `undefined`: nobody says. */
  const runningOf = async (
    [one]: readonly Timetable[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string> | undefined> => {
    if (one === undefined) return undefined
    const {projectId, connectionId} = one
    const running = new Set<string>()
    let left = MAX_LISTED
    try {
      for await (const automation of clientOf({connectionId}).listAutomations(
        {projectId},
        signal,
      )) {
        const {id, enabled, deleted} = automation
        if (enabled !== false && !deleted) running.add(id)
        left -= 1
        if (left === 0) return undefined
      }
      return running
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError)) throw error
      return undefined
    }
  }

  return {wake: poller.wake, [Symbol.asyncDispose]: () => poller[Symbol.asyncDispose]()}
}

function toBegun({id, title, createdAt}: Thread, {momentMs}: Timetable): BegunThread {
  const createdMs = Date.parse(createdAt ?? '')
  return {threadId: id, title, begunAtMs: Number.isNaN(createdMs) ? momentMs : createdMs}
}
