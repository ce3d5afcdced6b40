import {BUDGET_ROW} from '../../agents/budgets/stop-rows.ts'
import type {ClockCheck, ClockTrouble} from '../../inbox/clock-check.ts'
import type {Left, Pacer} from '../../relay/pace/pacer.ts'
import type {Obstacle} from '../../relay/publish/obstacles.ts'
import type {Connections} from '../../relay/streams/connections.ts'
import {WINDOW_SECONDS} from '../../security/signatures.ts'
import type {StoredConnection} from '../../store/tables/platform-keys.ts'
import type {Store} from '../../store/store.ts'
import type {TokenOf} from '../api/slack-client.ts'
import {explainObstacles} from '../answers/blocked-places.ts'
import {texts} from '../texts.ts'
import {judgeDatabase, judgeSealing, tellVersion} from './database.ts'
import type {Finding} from './finding.ts'
import {judgeLinks} from './links.ts'
import {askSlack, whyOf} from './slack.ts'
import type {PlatformClient} from '../../platform/client.ts'
import {
  PlatformError,
  PlatformUnauthorized,
  PlatformUnreachable,
  reasonOf,
} from '../../platform/errors.ts'

/** What the process knows of itself. */
export interface Vitals {
  /** How long each Socket Mode connection has stood; `undefined` where Slack delivers by HTTP. */
  socketAgesMs(): readonly number[] | undefined
  streams(): number
  obstacles(): readonly Obstacle[]
  /** What Slack said of a workspace's token, in words. */
  explainRefusal: (team: string, code: string) => string
  /** Ids of the sealing keys, the first one seals. */
  keyIds: readonly string[]
  /** Why nothing is deleted by its age. */
  clockTrouble: ClockCheck['trouble']
  /** Whether the environment gives a key of the platform. */
  hasStandardKey: boolean
}

interface DoctorOptions {
  store: Pick<Store, 'checkUp' | 'countSealed' | 'connections' | 'inbox' | 'digests'>
  clientOf: Connections['clientOf']
  tokenOf: TokenOf
  slackApiUrl: string
  pacer: Pick<Pacer, 'left'>
  team: string
  /** Where people open work. */
  webUrl: string | undefined
  vitals: Vitals
}

const ARRIVED_WITHIN_MS = 2 * 24 * 3_600_000

/** Looks at everything that one workspace needs, now. */
export function createDoctor(options: DoctorOptions): () => Promise<Finding[]> {
  const {store, clientOf, tokenOf, slackApiUrl, pacer, team, vitals, webUrl} = options

  const keys = async (): Promise<Finding[]> => {
    const {key} = texts.doctor
    const connections = await store.connections.ofTeam(team)
    if (connections.length === 0 && !vitals.hasStandardKey) {
      return [{name: 'key', state: 'wrong', says: key.none, fix: key.noneFix}]
    }
    return Promise.all([
      ...(vitals.hasStandardKey
        ? [
            askPlatform({name: key.environment, fix: key.environmentFix}, () =>
              clientOf({connectionId: undefined}),
            ),
          ]
        : []),
      ...connections.map((connection) => askKey(connection)),
    ])
  }

  const askKey = async ({id, label, last4, state}: StoredConnection): Promise<Finding> => {
    const {key} = texts.doctor
    const name = key.name(label, last4)
    if (state === 'gone') return {name, state: 'wrong', says: key.gone, fix: key.fix}
    return askPlatform({name, fix: key.fix}, () => clientOf({connectionId: id}))
  }

  return async () => {
    const [slack, platform, checkup, sealed, arrived, clock, refused] = await Promise.all([
      tokenOf().then((token) => askSlack({apiUrl: slackApiUrl, token})),
      keys(),
      store.checkUp(),
      store.countSealed(),
      store.inbox.kindsSince(team, Date.now() - ARRIVED_WITHIN_MS),
      vitals.clockTrouble(),
      store.digests.refused(team),
    ])
    const {streams} = texts.doctor
    return [
      ...slack,
      judgeArrivals(arrived),
      judgeLinks(webUrl, arrived),
      judgeSockets(vitals.socketAgesMs()),
      ...platform,
      {name: streams.name, state: 'well', says: streams.open(vitals.streams())},
      judgeWriting(
        vitals.obstacles().filter(({scope}) => scope.team === team),
        vitals.explainRefusal,
      ),
      judgeRates(pacer.left(team)),
      ...judgeDigests(refused),
      ...judgeDatabase(checkup),
      judgeSealing(vitals.keyIds, sealed),
      judgeDeleting(clock),
      tellVersion(),
    ]
  }
}

/** Which kinds of interactions arrive is all that can be told of events and commands: Slack has no call for it. */
function judgeArrivals(counts: ReadonlyMap<string, number>): Finding {
  const {name, well, none, fix} = texts.doctor.arrivals
  const arrived = [...counts].filter(([kind]) => kind !== BUDGET_ROW)
  if (arrived.length === 0) return {name, state: 'untold', says: none, fix}
  const words = arrived.map(([kind, count]) => `${count} × ${kind}`).join(', ')
  return {name, state: 'well', says: well(words)}
}

function judgeSockets(agesMs: readonly number[] | undefined): Finding {
  const {name, http, well, one, none, fix} = texts.doctor.sockets
  if (agesMs === undefined) return {name, state: 'well', says: http}
  const [age, ...others] = agesMs.map(inTime)
  if (age === undefined) return {name, state: 'wrong', says: none, fix}
  if (others.length === 0) return {name, state: 'well', says: one(age)}
  return {name, state: 'well', says: well([age, ...others])}
}

function judgeWriting(
  obstacles: readonly Obstacle[],
  explainRefusal: Vitals['explainRefusal'],
): Finding {
  const {name, well, fix} = texts.doctor.writing
  const words = explainObstacles(obstacles, explainRefusal)
  if (words === undefined) return {name, state: 'well', says: well}
  return {name, state: 'wrong', says: words, fix}
}

/** Being short of calls is no fault: previews wait then. */
function judgeRates(budgets: readonly Left[]): Finding {
  const {name, well, low, left, rests} = texts.doctor.rates
  const short = budgets.flatMap(({method, tokens, burst, pausedMs}) => {
    if (pausedMs > 0) return [rests(method, Math.ceil(pausedMs / 1000))]
    return tokens < burst / 2 ? [left(method, Math.floor(Math.max(0, tokens)), burst)] : []
  })
  const says = short.length === 0 ? well(budgets.length) : low(short)
  return {name, state: 'well', says}
}

/** Nothing is said of them while Slack takes all. */
function judgeDigests(refused: readonly {target: string; code: string}[]): Finding[] {
  const {name, refused: says, one, fix} = texts.doctor.digests
  if (refused.length === 0) return []
  // Of somebody it is not said who they are: they chose it for themselves.
  const places = refused.map(({target, code}) =>
    one(/^[UW]/.test(target) ? 'a direct message' : `<#${target}>`, code),
  )
  return [{name, state: 'wrong', says: says(places), fix}]
}

function inTime(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1000))} s`
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

const WITHIN_MS = 8000

/** Whether the agent platform takes a key now. `fix`: what to do where it does not. */
export async function askPlatform(
  {name, fix}: {name: string; fix: string},
  clientOf: () => Pick<PlatformClient, 'listProjects'>,
): Promise<Finding> {
  const {key} = texts.doctor
  const signal = AbortSignal.timeout(WITHIN_MS)
  try {
    const {length} = await clientOf().listProjects(signal)
    if (length > 0) return {name, state: 'well', says: key.well(length)}
    return {name, state: 'wrong', says: key.noProject, fix: key.noProjectFix}
  } catch (error) {
    if (error instanceof PlatformUnauthorized) {
      return {name, state: 'wrong', says: key.refused, fix}
    }
    if (!(error instanceof PlatformError) && !signal.aborted) throw error
    const isAnswer = error instanceof PlatformError && !(error instanceof PlatformUnreachable)
    const why = isAnswer ? reasonOf(error) : whyNoAnswer(error)
    return {name, state: 'wrong', says: key.silent(why), fix: key.silentFix}
  }
}

function whyNoAnswer(error: unknown): string {
  if (!(error instanceof PlatformUnreachable)) return 'no answer in time'
  const {status, cause} = error
  if (cause !== undefined) return whyOf(error)
  return status === undefined ? 'what answers is no agent platform' : `status ${status}`
}

/** For `/healthz`: that nobody has said what time it is, is no fault. */
export function explainClock(trouble: ClockTrouble | undefined): string | undefined {
  return trouble === undefined || trouble.kind === 'unproved' ? undefined : wordsOf(trouble)
}

/** What Slack signs is refused by a clock that is so far from Slack's: `undefined` while it is not. */
export function explainDeliveries(aheadOfSlackMs: number | undefined): string | undefined {
  const seconds = Math.round((aheadOfSlackMs ?? 0) / 1000)
  return Math.abs(seconds) > WINDOW_SECONDS ? texts.doctor.clock.refuses(seconds) : undefined
}

/** For doctors. */
export function judgeDeleting(trouble: ClockTrouble | undefined): Finding {
  const {name, well, unproved, fix} = texts.doctor.deleting
  if (trouble === undefined) return {name, state: 'well', says: well}
  if (trouble.kind === 'unproved') return {name, state: 'untold', says: unproved}
  return {name, state: 'wrong', says: wordsOf(trouble), fix}
}

function wordsOf(trouble: Exclude<ClockTrouble, {kind: 'unproved'}>): string {
  const {off, behindRows} = texts.doctor.deleting
  if (trouble.kind === 'behind-rows') return behindRows(inHours(trouble.ms))
  return off(inHours(Math.abs(trouble.ms)), trouble.ms > 0 ? 'ahead of' : 'behind', trouble.from)
}

function inHours(ms: number): string {
  const hours = Math.round(ms / 3_600_000)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
