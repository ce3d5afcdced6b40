import {randomUUID} from 'node:crypto'
import {createLeaks} from '../../security/leaks.ts'
import type {Secret} from '../../security/secret.ts'
import {isRecord} from '../../security/foreign-json.ts'
import {type Answer, type Asking, createAsking} from './asking.ts'
import {Stopped, type Verdict, judgeLimits, judgeRules, judgeShape} from './judging.ts'
import {createLitter} from './litter.ts'
import {createProbe} from './probe.ts'
import {ALL_RULES} from './rules/all.ts'
import {createShapes} from './shapes.ts'

interface CheckOptions {
  baseUrl: string
  key: Secret
  /** The first that the key reaches, if none is named. */
  projectId?: string | undefined
  pullRequest?: {repo: string; prNumber: number} | undefined
  folderId?: string | undefined
  /** How long an agent may take for a short answer, and what waits for it. */
  patienceMs: number
  heartbeatWithinMs?: number | undefined
  /** Sections, by their beginning (`4.3`); all without it. */
  only?: readonly string[] | undefined
  signal: AbortSignal
  /** Told of each rule as it is judged. */
  onVerdict?: (verdict: Verdict) => void
}

export interface Report {
  baseUrl: string
  verdicts: readonly Verdict[]
  calls: number
  ms: number
  /** What could not be taken back. */
  left: readonly string[]
  /** Why it did not come to its end. */
  stopped?: string
}

const MAX_CALLS = 1500
const MAX_CLEARING_CALLS = 200
const MAX_MS = 20 * 60_000
const CLEAR_WITHIN_MS = 30_000
/** Five seconds more than the document has between two. */
const HEARTBEAT_WITHIN_MS = 20_000

/** Those that rules are of. */
export const SECTIONS = [...new Set(ALL_RULES.map(({section}) => section))].toSorted((one, other) =>
  one.localeCompare(other, 'en', {numeric: true}),
)

export function isWithin(section: string, chapter: string): boolean {
  return section === chapter || section.startsWith(`${chapter}.`)
}

/** Tries each rule of the document on a platform, and takes back what it made there, also when it is stopped. */
export async function checkPlatform(options: CheckOptions): Promise<Report> {
  const {baseUrl, key, only} = options
  const startMs = Date.now()
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(MAX_MS)])
  const limits: Answer[] = []
  const onLimit = (answer: Answer): void => void limits.push(answer)
  const asking = createAsking({baseUrl, key, maxCalls: MAX_CALLS, signal, onLimit})
  const mark = writeMark()
  const projectId = options.projectId ?? (await firstProject(asking))
  const litter = createLitter({mark, projectId})
  const shapes = createShapes()
  const {heartbeatWithinMs = HEARTBEAT_WITHIN_MS, ...chosen} = options
  const probe = createProbe({
    ...{asking, signal, shapes, litter, projectId, mark, heartbeatWithinMs},
    patienceMs: chosen.patienceMs,
    pullRequest: chosen.pullRequest,
    folderId: chosen.folderId,
  })
  const {verdicts, note} = createNotes(options)

  const isAsked = (section: string): boolean => only?.some((one) => isWithin(section, one)) ?? true
  const rules = ALL_RULES.filter(({section, isFirst}) => isFirst === true || isAsked(section))
  const stopped = await judgeRules(rules, probe, {signal, note}).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Stopped) return error.message
      throw error
    },
  )
  for (const seen of shapes.seen()) if (isAsked(seen.section)) note(judgeShape(seen))
  note(judgeLimits(limits))

  const ending = AbortSignal.timeout(CLEAR_WITHIN_MS)
  const maxCalls = MAX_CLEARING_CALLS
  const clearing = createAsking({baseUrl, key, maxCalls, onLimit, signal: ending})
  const left = await litter.clear(clearing, ending)
  const calls = asking.calls() + clearing.calls()
  const ms = Date.now() - startMs
  return {baseUrl, verdicts, calls, ms, left, ...(stopped !== undefined && {stopped})}
}

/** By which people, and this tool, recognise what it made. */
function writeMark(): string {
  const moment = new Date().toISOString().slice(0, 16)
  return `Bosun check-platform ${moment} ${randomUUID().slice(0, 8)} (may be deleted)`
}

/** Verdicts without the key, whatever the platform put into its answers. */
function createNotes({key, onVerdict = () => undefined}: CheckOptions) {
  const leaks = createLeaks()
  leaks.learn(key)
  const verdicts: Verdict[] = []
  const note = (verdict: Verdict): void => {
    const clean = leaks.hideAll(verdict, '[key]') as Verdict
    verdicts.push(clean)
    onVerdict(clean)
  }
  return {verdicts, note}
}

async function firstProject({ask}: Asking): Promise<string> {
  const answer = await ask('GET', '/projects').catch(() => undefined)
  const items = isRecord(answer?.body) ? answer.body['items'] : undefined
  const [first] = Array.isArray(items) ? (items as unknown[]) : []
  return isRecord(first) && typeof first['id'] === 'string' ? first['id'] : 'check-platform-none'
}
