import {questionIn} from '../../markdown/question.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {
  PlatformError,
  PlatformNotFound,
  PlatformRateLimited,
  isOutOfSight,
} from '../../platform/errors.ts'
import {backoffMs, isAborted, pause} from '../../async/pause.ts'
import {OPERATOR} from '../../store/tables/audit.ts'
import type {Announcement} from '../../store/tables/channels/announcement.ts'
import type {AnnouncementStore} from '../../store/tables/channels/announcements.ts'
import type {MayHear, SightingStore} from '../../store/tables/channels/sightings.ts'
import type {WatchStore, WatchedProject} from '../../store/tables/channels/watches.ts'
import type {SettingsOf} from '../../agents/channel-settings.ts'
import type {Channel, Known, Knowing} from '../../agents/who-may-know.ts'
import {readLastWord} from '../../agents/last-word.ts'
import {createUserNames} from '../../agents/user-names.ts'
import {type ProjectReader, createProjectReader} from './project-reading.ts'
import {compare} from './sightings.ts'
import {createBackground} from '../../async/background.ts'

/** Reads every project that somebody watches, once however many channels do. */
interface Watcher extends AsyncDisposable {
  /** The watches have changed, or the process has just begun. */
  look(): void
}

/** It works with another key now; or its key has not reached the project for long. */
export type Deafness = 'otherKey' | 'outOfReach'

/** What a reading writes. */
interface Notes {
  sightings: SightingStore
  announcements: AnnouncementStore
}

interface WatcherOptions {
  watches: WatchStore
  /** The workspaces that it reads for. */
  teams: () => readonly string[]
  /** For a workspace of which somebody else takes care by now there is nothing to note. */
  notesOf: (team: string) => Notes | undefined
  knowing: Knowing
  settingsOf: SettingsOf
  /** A channel can hear no more of what it watches. */
  onDeaf: (watch: WatchedProject & {team: string; channel: string}, why: Deafness) => Promise<void>
  clientOf: (project: Pick<WatchedProject, 'connectionId'>) => PlatformClient
  /** Between the beginnings of two readings of one project. */
  everyMs: number
  /** So long a project may be out of its key's reach. */
  outOfReachMs?: number
  /** The channels have something new to show. */
  onNews: () => void
  log: {warn(details: object, message: string): void; error(details: object, message: string): void}
}

const SWEEP_EVERY_MS = 600_000
/** What a channel has just asked for is read soon. */
const SOON_MS = 500
/** So long it is looked for what an agent said last: the transcript is read from its beginning. */
const READ_WITHIN_MS = 10_000
/** What another reading has found and not told by then. */
const LEFT_BEHIND_MS = 600_000
const TROUBLE = {baseMs: 2000, maxMs: 300_000}
/** Who has taken a project from a key by mistake has given it back by then. */
const OUT_OF_REACH_MS = 3_600_000
/** After a 429 a project is read half as often, and again half as often, down to a sixteenth. */
const MAX_SLOWNESS = 4

export function createWatcher(options: WatcherOptions): Watcher {
  const {watches, teams, notesOf, clientOf, everyMs, log} = options
  const stop = new AbortController()
  const projects = new Map<string, {team: string; reading: AbortController}>()
  const {keep, ended} = createBackground((error) => log.error({err: error}, 'The watcher stumbled'))
  const names = createUserNames({clientOf, nowMs: () => performance.now()})
  let looking: Promise<void> | undefined
  let isStale = false
  let isFirst = true

  const look = (): void => {
    isStale = true
    if (looking !== undefined || stop.signal.aborted) return
    looking = lookOnce().finally(() => (looking = undefined))
    keep(looking)
  }

  const lookOnce = async (): Promise<void> => {
    while (isStale && !isAborted(stop.signal)) {
      isStale = false
      const all = await watches.projects(teams())
      const wanted = new Map(all.map((project) => [keyOf(project), project]))
      for (const [key, {team, reading}] of projects) {
        if (wanted.get(key)?.team !== team) reading.abort()
      }
      for (const [key, project] of wanted) if (!projects.has(key)) start(key, project)
      isFirst = false
    }
  }

  const start = (key: string, project: WatchedProject & {team: string}): void => {
    if (notesOf(project.team) === undefined) return
    const own = new AbortController()
    projects.set(key, {team: project.team, reading: own})
    const end = (): void => own.abort()
    stop.signal.addEventListener('abort', end, {once: true})
    // Spread out, so that not all projects are read in the same moment.
    const startMs = Math.random() * (isFirst ? everyMs : Math.min(everyMs, SOON_MS))
    const client = (): PlatformClient => clientOf(project)
    const {projectId} = project
    const reader = createProjectReader({client, projectId, nameOf: names(project)})
    const work = watchProject({...options, project, reader, startMs}, own.signal)
    keep(
      work.finally(() => {
        stop.signal.removeEventListener('abort', end)
        projects.delete(key)
        // Meanwhile somebody may have begun to watch it again.
        look()
      }),
    )
  }

  return {
    look,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await ended()
    },
  }
}

interface ProjectOptions extends WatcherOptions {
  project: WatchedProject & {team: string}
  reader: ProjectReader
  startMs: number
}

function keyOf({projectId, connectionId}: WatchedProject): string {
  return JSON.stringify([connectionId, projectId])
}

/** One reading after the other, until the signal, or until somebody else takes care of its workspace. */
async function watchProject(options: ProjectOptions, signal: AbortSignal): Promise<void> {
  const {project, everyMs, log} = options
  let sweptAtMs = -Infinity
  let failures = 0
  let slowness = 0
  /** Since when each reading has been told that the project is absent, or not for this key. */
  let outOfReachSinceMs: number | undefined
  const reader: ProjectReader = {
    ...options.reader,
    read: async (...how) => {
      try {
        const reading = await options.reader.read(...how)
        outOfReachSinceMs = undefined
        return reading
      } catch (error) {
        outOfReachSinceMs = isOutOfReach(error)
          ? (outOfReachSinceMs ?? performance.now())
          : undefined
        throw error
      }
    },
  }
  await pause(options.startMs, signal)
  while (!isAborted(signal)) {
    const startedAtMs = performance.now()
    const kind = startedAtMs - sweptAtMs >= SWEEP_EVERY_MS ? 'full' : 'quick'
    let leastMs = 0
    // Anew each time: what an owner before has noted by is refused to it once it has the workspace again.
    const notes = options.notesOf(project.team)
    if (notes === undefined) return
    try {
      await readOnce({...options, ...notes, reader}, kind, signal)
      if (kind === 'full') sweptAtMs = startedAtMs
      failures = 0
      slowness = Math.max(0, slowness - 1)
    } catch (error) {
      if (isAborted(signal)) return
      failures += 1
      leastMs = everyMs + backoffMs(failures, TROUBLE)
      if (error instanceof PlatformRateLimited) {
        slowness = Math.min(MAX_SLOWNESS, slowness + 1)
        leastMs = error.retryAfterMs
      }
      await endOutOfReach(options, outOfReachSinceMs)
      const isKnown = error instanceof PlatformError
      log.warn(
        {err: error, ...project, failures},
        isKnown ? 'A watched project could not be read' : 'The watcher stumbled',
      )
    }
    const restMs = everyMs * 2 ** slowness - (performance.now() - startedAtMs)
    await pause(Math.max(leastMs, restMs, Math.min(everyMs, 100)), signal)
  }
}

/** A proxy without its way there says of everything that it is absent. */
function isOutOfReach(error: unknown): boolean {
  return isOutOfSight(error) && !(error instanceof PlatformNotFound && !error.isCertain)
}

/** What an operator has written down is for an operator to mend; the log says that nothing is read. */
async function endOutOfReach(
  {project, watches, onDeaf, outOfReachMs = OUT_OF_REACH_MS, log}: ProjectOptions,
  sinceMs: number | undefined,
): Promise<void> {
  if (sinceMs === undefined || performance.now() - sinceMs < outOfReachMs) return
  try {
    for (const {team, channel, madeBy} of await watches.channelsOf(project)) {
      if (madeBy !== OPERATOR) await onDeaf({...project, team, channel}, 'outOfReach')
    }
  } catch (error) {
    log.error(
      {err: error, ...project},
      'Nobody could be told that a watched project is out of reach',
    )
  }
}

async function readOnce(
  options: ProjectOptions & Notes,
  kind: 'quick' | 'full',
  signal: AbortSignal,
): Promise<void> {
  const {project, reader, sightings, onNews} = options
  const hearing = await whoHears(options)
  if (hearing.length === 0) return
  const known = new Map((await sightings.ofProject(project)).map((it) => [it.threadId, it]))
  const reading = await reader.read(kind, known, signal)
  const findings = compare(known, reading)
  const threads = [...findings.standing.keys()].flatMap((id) => reading.get(id)?.thread ?? [])
  const fresh = findings.changed.filter(({times}) => times === 1)
  const over = [...findings.ended.keys(), ...fresh.map(({threadId}) => threadId)]
  const mayHear = await whoMayHear(options, hearing, threads)
  const ended = over.filter((id) => known.has(id))
  const mayTell = await whoMayTell(options, hearing, ended)
  const isNews = await sightings.record(project, findings, mayHear, Date.now(), mayTell)
  await findWords(options, signal)
  if (isNews) onNews()
}

/**
 * The watching channels. A channel's key says what it may know: with another one it hears nothing of what its former one reads, but where
 * the operator has said by which key it watches.
 */
async function whoHears({project, watches, settingsOf, onDeaf}: ProjectOptions) {
  const hearing: Channel[] = []
  for (const {team, channel, madeBy} of await watches.channelsOf(project)) {
    const {isConnected, values} = await settingsOf(team, channel)
    const isOfKey = isConnected && values.connectionId === project.connectionId
    if (isOfKey || madeBy === OPERATOR) hearing.push({team, channel})
    else await onDeaf({...project, team, channel}, 'otherKey')
  }
  return hearing
}

/** Who of these channels may be told what; one that has begun to watch meanwhile hears of it at the next reading. */
async function whoMayHear(
  {project, knowing}: ProjectOptions,
  hearing: readonly Channel[],
  threads: readonly Known[],
): Promise<MayHear> {
  const hidden = new Map<string, ReadonlySet<string>>()
  for (const {team, channel} of hearing) {
    const reader = {team, channel, user: undefined, connectionId: project.connectionId}
    hidden.set(JSON.stringify([team, channel]), await knowing.hiddenFrom(reader, threads))
  }
  return ({team, channel}, threadId) =>
    hidden.get(JSON.stringify([team, channel]))?.has(threadId) === false
}

/** In which of these channels it is said who has ended what was told there: not where it has become another place's alone. */
async function whoMayTell(
  {knowing}: ProjectOptions,
  hearing: readonly Channel[],
  threadIds: readonly string[],
): Promise<MayHear> {
  const keyOf = ({team, channel}: Channel, threadId: string): string =>
    JSON.stringify([team, channel, threadId])
  const may = new Set<string>()
  for (const at of hearing) {
    for (const id of threadIds) {
      const isMisplaced = await knowing.isMisplaced(at, {id, personal: false})
      if (!isMisplaced) may.add(keyOf(at, id))
    }
  }
  return (at, threadId) => may.has(keyOf(at, threadId))
}

/** What an agent said last is read once for all channels; where that can't be, the state is told without it. */
async function findWords(
  {project, announcements, clientOf, onNews}: ProjectOptions & Notes,
  signal: AbortSignal,
): Promise<void> {
  const found = await announcements.found(project)
  const byState = Map.groupBy(found, ({threadId, status, connectionId}) =>
    JSON.stringify([connectionId, threadId, status]),
  )
  for (const [first] of byState.values()) {
    if (first === undefined || isAborted(signal)) return
    const said = await lastWords(() => clientOf(first), first, signal)
    const {words, status = ''} = first
    await announcements.word({...first, status}, {...words, ...(said !== undefined && {said})})
    onNews()
  }
  // What no reading of its own project has come to tell is told without words.
  for (const {status = '', ...left} of await announcements.leftBehind(
    Date.now() - LEFT_BEHIND_MS,
  )) {
    await announcements.word({...left, status}, left.words)
    onNews()
  }
}

async function lastWords(
  client: () => PlatformClient,
  {threadId}: Announcement,
  signal: AbortSignal,
): Promise<string | undefined> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)])
  try {
    // Its connection may be dropped by now.
    const {text} = await readLastWord(client(), threadId, inTime)
    return text && questionIn(text)
  } catch (error) {
    const isLate = isAborted(inTime) && !isAborted(signal)
    if (isLate || (error instanceof PlatformError && !isAborted(signal))) return undefined
    throw error
  }
}
