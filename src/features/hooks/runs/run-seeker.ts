import {createPoller} from '../../../async/poller.ts'
import {sideBySide} from '../../../async/side-by-side.ts'
import type {FollowOutcome} from '../../../agents/follow.ts'
import type {ClockCheck} from '../../../inbox/clock-check.ts'
import {TryLater} from '../../../inbox/try-later.ts'
import {PlatformRateLimited, PlatformUnreachable} from '../../../platform/errors.ts'
import type {Thread} from '../../../platform/model.ts'
import type {HookStore} from '../../../store/tables/hooks/hooks.ts'
import type {Run, RunStore} from '../../../store/tables/hooks/runs.ts'
import type {TimetableStore} from '../../../store/tables/hooks/timetables.ts'
import {
  AGAIN_MS,
  GIVE_UP_MS,
  GIVE_UP_PRIVATE_MS,
  LOOKS_MS,
  RARELY_MS,
  type RunFinder,
  projectKey,
} from './run-finder.ts'

/** Finds the work that deliveries have begun, and follows it and that of schedules where somebody wants it. */
interface RunSeeker extends AsyncDisposable {
  /** There may be something to look for, or to follow. */
  wake: () => void
}

interface RunSeekerOptions {
  runs: RunStore
  hooks: Pick<HookStore, 'byId'>
  timetables: Pick<TimetableStore, 'of'>
  finder: RunFinder
  /** Its workspaces. */
  teams: () => readonly string[]
  /** What is written of one of them; `undefined` where somebody else works for it by now. */
  runsOf: (team: string) => RunStore | undefined
  /** Brings work into its channel, as somebody wishes; `undefined` while the workspace is not open here. */
  follow: (run: Run, askedBy: string, signal: AbortSignal) => Promise<FollowOutcome | undefined>
  /** A receipt says more. */
  onFound: (team: string) => void
  clock: Pick<ClockCheck, 'isOlder'>
  nowMs?: () => number
  log: {warn(details: object, message: string): void; error(details: object, message: string): void}
}

/** While a receipt is on its way. */
const SOON_MS = 2000
const TROUBLE_MS = 5000

export function createRunSeeker(options: RunSeekerOptions): RunSeeker {
  const {runs, hooks, timetables, finder, teams, follow, onFound, nowMs = Date.now, log} = options

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const asOfMs = nowMs()
    const due = await runs.due(teams(), asOfMs)
    // Those of one project in their order; no project waits for another one.
    await sideBySide(Map.groupBy(due, projectKey).values(), async (some) => {
      for (const run of some) if (run.threadId !== undefined) await finish(run, signal)
      const sought = some.filter(({threadId}) => threadId === undefined)
      if (sought.length > 0) await seek(sought, signal)
    })
    const atMs = await runs.nextDueAtMs(teams(), asOfMs)
    return atMs === undefined ? undefined : Math.max(0, atMs - nowMs())
  }

  const poller = createPoller({
    look,
    onFailure: (error) => log.error({err: error}, 'What hooks began could not be looked for'),
    retryMs: TROUBLE_MS,
  })

  const seek = async (some: readonly Run[], signal: AbortSignal): Promise<void> => {
    try {
      const {found, isAll} = await find(some, signal)
      for (const run of some) {
        const thread = found.get(run.reference)
        // What was not found may stand in what could not be read.
        if (thread !== undefined) await note(run, thread)
        else await (isAll ? missed(run) : waitFor(run, AGAIN_MS))
      }
    } catch (error) {
      if (signal.aborted) throw error
      const isPassing = error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
      if (!isPassing) log.warn({err: error}, 'What a hook began could not be looked for')
      for (const run of some) await waitFor(run, isPassing ? AGAIN_MS : RARELY_MS)
    }
  }

  /** By reference. */
  const find = async (
    some: readonly Run[],
    signal: AbortSignal,
  ): Promise<{found: ReadonlyMap<string, Thread>; isAll: boolean}> => {
    const [{projectId, connectionId} = {projectId: undefined, connectionId: undefined}] = some
    const wanted = new Set(some.map(({reference}) => reference))
    const sinceMs = Math.min(...some.map(({begunAtMs}) => begunAtMs))
    const where = {projectId, connectionId, sinceMs, most: wanted.size}
    const {found, isAll} = await finder.find(where, wanted, signal)
    const threads = found.flatMap(({thread, references}) =>
      references.map((one) => [one, thread] as const),
    )
    return {found: new Map(threads), isAll}
  }

  const note = async (run: Run, {id, title, projectId}: Thread): Promise<void> => {
    const own = options.runsOf(run.team)
    const isNoted = await own?.found(run.id, {id, title, projectId}, nowMs())
    if (isNoted === false) return own?.later(run.id, nowMs() + SOON_MS, false)
    onFound(run.team)
    poller.wake()
  }

  const missed = async (run: Run): Promise<void> => {
    const own = options.runsOf(run.team)
    const waitMs = LOOKS_MS[run.looks]
    if (waitMs === undefined) return own?.drop(run.id)
    await own?.later(run.id, nowMs() + waitMs, true)
  }

  /** Nobody could look. */
  const waitFor = async (run: Run, waitMs: number): Promise<void> => {
    const own = options.runsOf(run.team)
    const {id, begunAtMs, isPrivate} = run
    const giveUpMs = isPrivate ? GIVE_UP_PRIVATE_MS : GIVE_UP_MS
    if (await options.clock.isOlder(begunAtMs, giveUpMs)) return own?.drop(id)
    await own?.later(id, nowMs() + waitMs, false)
  }

  /** Who wants it to be followed. */
  const followerOf = async (run: Run): Promise<string | undefined> => {
    const {team, channel, hookId, automationId = ''} = run
    if (nowMs() - run.begunAtMs > GIVE_UP_MS) return undefined
    if (hookId === '') return (await timetables.of({team, channel, automationId}))?.followedBy
    const hook = await hooks.byId(hookId)
    return hook?.follows === true ? hook.madeBy : undefined
  }

  const finish = async (run: Run, signal: AbortSignal): Promise<void> => {
    const own = options.runsOf(run.team)
    const askedBy = await followerOf(run)
    if (askedBy === undefined) return own?.later(run.id, undefined, false)
    try {
      const outcome = await follow(run, askedBy, signal)
      const atMs = outcome === undefined ? nowMs() + AGAIN_MS : undefined
      await own?.later(run.id, atMs, false)
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof TryLater)) log.error({err: error}, 'A run could not be followed')
      await own?.later(run.id, nowMs() + AGAIN_MS, false)
    }
  }

  return {wake: poller.wake, [Symbol.asyncDispose]: () => poller[Symbol.asyncDispose]()}
}
