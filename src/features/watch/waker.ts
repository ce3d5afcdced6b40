import type {PlatformClient} from '../../platform/client.ts'
import {PlatformError, PlatformNotFound, PlatformRateLimited} from '../../platform/errors.ts'
import type {Thread} from '../../platform/model.ts'
import {isAborted, pause} from '../../async/pause.ts'
import {sideBySide} from '../../async/side-by-side.ts'
import type {ArchiveProject, LinkLists} from '../../store/tables/work/link-lists.ts'
import type {LinkStore} from '../../store/tables/work/links.ts'

interface WakerOptions {
  lists: Pick<LinkLists, 'archives' | 'archivedOf'>
  /** The workspaces that it looks after. */
  teams: () => readonly string[]
  links: Pick<LinkStore, 'byId' | 'changeIf'>
  clientOf: (project: ArchiveProject) => PlatformClient
  /** Shows what our tables now say of this link, and follows its work again. */
  show: (linkId: string) => Promise<void>
  /** Between two looks at a project. */
  everyMs: number
  log: {error(details: object, message: string): void}
}

/** On most lists the newest come first: there is what somebody has just taken out of the archive. */
const NEWEST = 20
/** Where it is not, it is met by reading all threads of the project. */
const SWEEP_EVERY_MS = 600_000
/** So many threads are looked for in our tables at once. */
const AT_ONCE = 100
/** A project that could not be read rests for so long. */
const REST_MS = 300_000

/**
 * Follows work again that somebody took out of the archive elsewhere. No stream tells of that (an archived thread has
 * none: section 6 of the platform's API), so the projects of archived work are read: one call for each of them, and
 * all their threads every ten minutes.
 */
export function startWaker(options: WakerOptions): AsyncDisposable {
  const stop = new AbortController()
  const looking = lookAgainAndAgain(options, stop.signal)
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await looking
    },
  }
}

async function lookAgainAndAgain(options: WakerOptions, signal: AbortSignal): Promise<void> {
  const {lists, teams, everyMs, log} = options
  const restUntilMs = new Map<string, number>()
  let sweptAtMs = performance.now()
  for (;;) {
    await pause(everyMs, signal)
    if (isAborted(signal)) return
    const nowMs = performance.now()
    const isSweep = nowMs - sweptAtMs >= SWEEP_EVERY_MS
    if (isSweep) sweptAtMs = nowMs
    try {
      await sideBySide(await lists.archives(teams()), async (project) => {
        const key = keyOf(project)
        if (nowMs < (restUntilMs.get(key) ?? 0)) return
        restUntilMs.set(key, nowMs + (await readProject(options, project, {isSweep, signal})))
      })
    } catch (error) {
      if (!isAborted(signal)) log.error({err: error}, 'The waker stumbled')
    }
  }
}

function keyOf({projectId, connectionId}: ArchiveProject): string {
  return JSON.stringify([connectionId, projectId])
}

interface Look {
  isSweep: boolean
  signal: AbortSignal
}

/** Wakes what has come back; how long the project rests now, in ms. */
async function readProject(
  options: WakerOptions,
  project: ArchiveProject,
  look: Look,
): Promise<number> {
  const {signal} = look
  if (isAborted(signal)) return 0
  try {
    await wakeThoseOf(options, project, look)
    return 0
  } catch (error) {
    if (isAborted(signal) || !(error instanceof PlatformError)) throw error
    return error instanceof PlatformRateLimited ? error.retryAfterMs : REST_MS
  }
}

/** @throws {PlatformError} also where there is no key any more. */
async function wakeThoseOf(
  options: WakerOptions,
  project: ArchiveProject,
  {isSweep, signal}: Look,
): Promise<void> {
  const {lists, teams, clientOf} = options
  const client = clientOf(project)
  const {projectId} = project
  let left = isSweep ? Infinity : NEWEST
  let threadIds: string[] = []
  const wakeThese = async (): Promise<void> => {
    const found = await lists.archivedOf({teams: teams(), project, threadIds})
    threadIds = []
    for (const [threadId, those] of Map.groupBy(found, (link) => link.threadId)) {
      await wake(options, threadId, those, {client, signal})
    }
  }
  const page = isSweep ? {} : {limit: NEWEST}
  for await (const thread of client.listThreads({projectId, ...page}, signal)) {
    if (isBack(thread)) threadIds.push(thread.id)
    if (threadIds.length === AT_ONCE) await wakeThese()
    left -= 1
    if (left === 0) break
  }
  await wakeThese()
}

async function wake(
  {links, show}: WakerOptions,
  threadId: string,
  those: readonly {id: string}[],
  {client, signal}: {client: PlatformClient; signal: AbortSignal},
): Promise<void> {
  // The list may be older than its archiving; what is asked now is not older than what our tables said.
  const thread = await client.getThread(threadId, signal).catch(unlessGone)
  if (thread === undefined || !isBack(thread)) return
  for (const {id} of those) {
    const link = await links.byId(id)
    if (link?.state !== 'archived') continue
    const {status} = thread
    const back = {state: 'open', status, statusSinceMs: Date.now(), notice: undefined} as const
    if ((await links.changeIf(id, link, back)) !== undefined) await show(id)
  }
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof PlatformNotFound)) throw error
}

function isBack({archived, status}: Thread): boolean {
  return !archived && status !== 'archived'
}
