import type {Pacer} from '../relay/pace/pacer.ts'
import type {LateCalls} from '../slack/api/late-calls.ts'
import type {Claim} from '../store/ownership/ownership.ts'
import type {HandoverStore, Pace} from '../store/tables/handovers.ts'

interface HandoverOptions {
  claim: Claim
  handovers: HandoverStore
  pacer: Pacer
  lateCalls: Pick<LateCalls, 'newest' | 'inherit'>
}

/** Whoever fell silent made no call any more for so long when somebody else has the workspace. */
const SILENT_MS = 2000
/** By then every budget is full again, whatever the clocks say. */
const MOST_MS = 60_000

/** Somebody else may have worked for it before, and may again. */
export function isShared({epoch}: Claim): boolean {
  return epoch > 0
}

/** Slack counts the calls of the owner before this one, and may want silence; late ones are undone by the newest words. */
export async function inheritPace(options: HandoverOptions): Promise<void> {
  const {claim, handovers, pacer, lateCalls} = options
  const team = claim.name
  const pace = await handovers.takePace(team)
  pacer.inherit(team, toInheritance(pace))
  lateCalls.inherit(pace?.newest ?? {})
  for (const {method, forMs} of await handovers.silences(team)) {
    pacer.pause({team, method}, forMs)
  }
}

/** Says what is left to whoever comes next, if it is still ours to say. */
export async function leavePace(options: HandoverOptions): Promise<void> {
  const {claim, handovers, pacer, lateCalls} = options
  if (claim.over.aborted) return
  const left = pacer.left(claim.name).map(({method, tokens}) => [method, tokens])
  await handovers.keepPace(claim.name, {
    left: Object.fromEntries(left) as Pace['left'],
    newest: lateCalls.newest(),
  })
}

function toInheritance(pace: (Pace & {agoMs: number}) | undefined) {
  if (pace === undefined) return {agoMs: SILENT_MS, left: undefined}
  const agoMs = Math.min(MOST_MS, Math.max(0, pace.agoMs))
  return {agoMs, left: new Map(Object.entries(pace.left))}
}
