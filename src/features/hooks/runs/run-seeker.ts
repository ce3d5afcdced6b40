import {createHash} from 'node:crypto'
import {createMemory} from '../../../async/memory.ts'
import {createPoller} from '../../../async/poller.ts'
import type {FollowOutcome} from '../../../agents/follow.ts'
import {TryLater} from '../../../inbox/try-later.ts'
import type {PlatformClient} from '../../../platform/client.ts'
import {PlatformError, PlatformRateLimited, PlatformUnreachable} from '../../../platform/errors.ts'
import type {Thread} from '../../../platform/model.ts'
import type {Hook, HookStore} from '../../../store/tables/hooks/hooks.ts'
import type {Run, RunStore} from '../../../store/tables/hooks/runs.ts'
import type {OriginStore} from '../../../store/tables/work/origins.ts'
import {nextMoment} from '../cron.ts'
import {referencesIn} from './run-reference.ts'

/** Finds the work that deliveries and schedules have begun, and follows it where the hook says so. */
interface RunSeeker extends AsyncDisposable {
  /** There may be something to look for. */
  wake: () => void
}

interface RunSeekerOptions {
  runs: RunStore
  hooks: Pick<HookStore, 'byId'>
  origins: Pick<OriginStore, 'begin' | 'of' | 'settle'>
  /** Its workspaces. */
  teams: () => readonly string[]
  /** What is written of one of them; `undefined` where somebody else works for it by now. */
  runsOf: (team: string) => RunStore | undefined
  clientOf: (of: {connectionId: string | undefined}) => PlatformClient
  /** Brings work into its channel; `undefined` while the workspace is not open here. */
  follow: (run: Run, hook: Hook, signal: AbortSignal) => Promise<FollowOutcome | undefined>
  /** A receipt says more. */
  onFound: (team: string) => void
  nowMs?: () => number
  log: {warn(details: object, message: string): void; error(details: object, message: string): void}
}

/** From one look in vain to the next; after the last of them it is not looked for any more: ten minutes, all in all. */
const LOOKS_MS = [2000, 5000, 15_000, 30_000, 60_000, 180_000, 300_000]
/** While the platform does not answer, or a receipt is on its way. */
/** Of a schedule, before its time: that it is private has to stand by then. */
export const EARLIER_MS = 20_000
const AGAIN_MS = 15_000
const SOON_MS = 2000
/** What could not be looked for that long is not looked for any more. */
const GIVE_UP_MS = 24 * 3_600_000
const TROUBLE_MS = 5000
/** Of a project so many threads are looked at in one look, and so many of them read. */
const MAX_LISTED = 200
const MAX_READ = 50
/** What an agent was told first stands in front. */
const FIRST_ENTRIES = 5
/** The clocks of two machines. */
const SKEW_MS = 300_000
const MAX_KNOWN = 2000

export function createRunSeeker(options: RunSeekerOptions): RunSeeker {
  const {runs, hooks, origins, teams, clientOf, follow, onFound, nowMs = Date.now, log} = options
  /** What stands in the first words of threads that were read, by project and thread: those never change. */
  const read = createMemory<readonly string[]>({most: MAX_KNOWN})
  const ownOf = (run: Run): RunStore => options.runsOf(run.team) ?? runs

  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const asOfMs = nowMs()
    const due = await runs.due(teams(), asOfMs)
    for (const run of due) if (run.threadId !== undefined) await finish(run, signal)
    for (const run of due) if (run.looks < 0) await prepare(run, signal)
    const sought = due.filter(({threadId, looks}) => threadId === undefined && looks >= 0)
    for (const some of Map.groupBy(sought, projectKey).values()) await seek(some, signal)
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
      const found = await find(some, signal)
      for (const run of some) {
        const thread = found.get(run.reference)
        await (thread === undefined ? missed(run) : note(run, thread))
      }
    } catch (error) {
      if (signal.aborted) throw error
      const isPassing = error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
      if (!isPassing) log.warn({err: error}, 'What a hook began could not be looked for')
      for (const run of some) await (isPassing ? waitFor(run) : missed(run))
    }
  }

  /** By reference, among what was begun since and nobody has begun in Slack. */
  const find = async (
    some: readonly Run[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Thread>> => {
    const [{projectId, connectionId} = {projectId: undefined, connectionId: undefined}] = some
    const client = clientOf({connectionId})
    const sinceMs = Math.min(...some.map(({begunAtMs}) => begunAtMs)) - SKEW_MS
    const wanted = new Map(some.map((run) => [run.reference, run]))
    const listed: Thread[] = []
    const filter = projectId === undefined ? {} : {projectId}
    for await (const thread of client.listThreads(filter, signal)) {
      listed.push(thread)
      if (listed.length >= MAX_LISTED) break
    }
    const fresh = listed.filter(({createdAt}) => !(Date.parse(createdAt ?? '') < sinceMs))
    const known = await origins.of(fresh.map(({id}) => id))
    const found = new Map<string, Thread>()
    let left = MAX_READ
    for (const thread of fresh) {
      if (found.size === wanted.size || left === 0) break
      if (known.has(thread.id)) continue
      const before = read.of(thread.id)
      if (before === undefined) left -= 1
      const references = before ?? (await readFirst(client, thread, signal))
      for (const one of references) {
        const run = wanted.get(one)
        // What bears another reference, too, was begun by a delivery to the same automation.
        const isIts = run !== undefined && (run.hookId !== '' || references.length === 1)
        if (isIts) found.set(one, thread)
      }
    }
    return found
  }

  const readFirst = async (
    client: PlatformClient,
    {id, title}: Thread,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    let entries = 0
    let isTold = false
    const references = referencesIn(title ?? '')
    for await (const {source, text} of client.listMessages(id, undefined, signal, {
      limit: FIRST_ENTRIES,
    })) {
      entries += 1
      if (source === 'user') {
        isTold = true
        references.push(...referencesIn(text))
      }
      if (isTold || entries >= FIRST_ENTRIES) break
    }
    // Of one that was told nothing yet, the first words are still to come.
    if (isTold) read.keep(id, references)
    return references
  }

  const note = async (run: Run, {id, title}: Thread): Promise<void> => {
    const own = ownOf(run)
    const isNoted = await own.found(run.id, {id, title}, nowMs())
    if (!isNoted) return own.later(run.id, nowMs() + SOON_MS, false)
    onFound(run.team)
    poller.wake()
  }

  /** A little before its time: that it is private stands then, and one that does not run is not looked for. */
  const prepare = async (run: Run, signal: AbortSignal): Promise<void> => {
    const own = ownOf(run)
    const {id, projectId, begunAtMs, isPrivate} = run
    if (!(await runsNow(run, signal))) {
      await expectNext(run)
      return own.drop(id)
    }
    if (isPrivate) await origins.begin({requestId: id, projectId, nowMs: begunAtMs})
    await own.later(id, Math.max(nowMs(), begunAtMs + SOON_MS), true)
  }

  /** Whether the automation is enabled; what nobody says counts as that. */
  const runsNow = async (
    {automationId, projectId, connectionId}: Run,
    signal: AbortSignal,
  ): Promise<boolean> => {
    let left = MAX_LISTED
    try {
      const filter = projectId === undefined ? {} : {projectId}
      for await (const one of clientOf({connectionId}).listAutomations(filter, signal)) {
        if (one.id === automationId) return one.enabled !== false && !one.deleted
        left -= 1
        if (left === 0) return true
      }
      return false
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError)) throw error
      return true
    }
  }

  /** Of a schedule; those that have passed meanwhile are not made up for. */
  const expectNext = async (run: Run): Promise<void> => {
    const {schedules, automationId = ''} = run
    if (schedules === undefined) return
    const begunAtMs = nextMoment(schedules, Math.max(nowMs(), run.begunAtMs))
    if (begunAtMs === undefined) return
    const id = expectedId({automationId, begunAtMs})
    await ownOf(run).expect({...run, id, schedules, begunAtMs}, begunAtMs - EARLIER_MS)
  }

  /** Nobody finds it: what was held back because it may have been it, is no longer. */
  const lose = async (run: Run): Promise<void> => {
    await origins.settle(run.id, undefined)
    await expectNext(run)
    await ownOf(run).drop(run.id)
  }

  const missed = async (run: Run): Promise<void> => {
    const waitMs = LOOKS_MS[run.looks]
    if (waitMs === undefined) return lose(run)
    await ownOf(run).later(run.id, nowMs() + waitMs, true)
  }

  const waitFor = async (run: Run): Promise<void> => {
    if (nowMs() - run.begunAtMs > GIVE_UP_MS) return lose(run)
    await ownOf(run).later(run.id, nowMs() + AGAIN_MS, false)
  }

  /** Its row says where it was begun; of a private place that outlives the row. */
  const finish = async (run: Run, signal: AbortSignal): Promise<void> => {
    const own = ownOf(run)
    await origins.settle(run.id, run.isPrivate ? run.threadId : undefined)
    await expectNext(run)
    const hook = await hooks.byId(run.hookId)
    const isLate = nowMs() - run.begunAtMs > GIVE_UP_MS
    if (hook === undefined || !hook.follows || isLate) return own.later(run.id, undefined, false)
    try {
      const outcome = await follow(run, hook, signal)
      const atMs = outcome === undefined ? nowMs() + AGAIN_MS : undefined
      await own.later(run.id, atMs, false)
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof TryLater)) log.error({err: error}, 'A run could not be followed')
      await own.later(run.id, nowMs() + AGAIN_MS, false)
    }
  }

  return {wake: poller.wake, [Symbol.asyncDispose]: () => poller[Symbol.asyncDispose]()}
}

/** The same for one moment of an automation. */
export function expectedId(of: {automationId: string; begunAtMs: number}): string {
  const moment = JSON.stringify([of.automationId, of.begunAtMs])
  return createHash('sha256').update(moment).digest('base64url').slice(0, 22)
}

function projectKey({projectId, connectionId}: Run): string {
  return JSON.stringify([connectionId, projectId])
}
