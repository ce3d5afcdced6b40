import {
  type Ask,
  type CardNotice,
  type Link,
  type LinkChange,
  canStartOver,
} from '../store/tables/work/link.ts'
import {threadRequestIdOf} from './creation.ts'
import {followUp} from './sends/sending.ts'
import {type Declined, declinedBy, startWork, type FollowUpDeps} from './lifecycle.ts'

/** Who asks, and in which words the agent is told. */
interface Again {
  by: string
  /** The row of the press. */
  inboxId: number
  /** Where the person stood: a message of the Slack thread. */
  messageTs: string
  toText: (token: string) => string
}

/** `not-failed`: it goes well, or somebody was faster. `unknown`: nobody remembers what it was to do. */
type AgainOutcome = {outcome: 'done' | 'not-failed' | 'unknown'} | Declined

/** Statuses of a run that failed, in both vocabularies. */
const FAILED: readonly (string | undefined)[] = ['failed', 'error']

/**
 * Tries failed work again: a run that failed with a message, a start that failed or a thread that is gone with a new
 * thread. Whatever is pressed how often, once for each failure.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function tryAgain(
  deps: FollowUpDeps,
  link: Link,
  {by, messageTs, inboxId, toText}: Again,
  signal: AbortSignal,
): Promise<AgainOutcome> {
  const isOver = link.state === 'ended'
  if (isOver && link.ask !== undefined && !canStartOver(link)) return {outcome: 'not-failed'}
  if (isOver || link.state === 'starting') return startOver(deps, link, signal)
  if (!FAILED.includes(link.status)) return {outcome: 'not-failed'}
  const inboxKey = JSON.stringify(['try again', link.id, link.statusSinceMs])
  const message = {inboxKey, inboxId, messageTs, sender: by, toText}
  const told = await followUp(deps, link, message, signal)
  return told.outcome === 'declined' ? told : {outcome: 'done'}
}

/** What was so of the thread before, and is not of the next one. */
const AFRESH = {
  state: 'starting',
  threadId: undefined,
  status: undefined,
  stoppedBy: undefined,
  notice: undefined,
  steps: 0,
  credits: undefined,
  cursor: undefined,
  pullRequest: undefined,
  tasks: undefined,
  needsYou: false,
  runSinceMs: undefined,
} as const satisfies LinkChange

/**
 * Starts work whose model cannot be used with another one (`undefined`: whichever the platform has), once for each refusal.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function startWithModel(
  deps: FollowUpDeps,
  link: Link,
  modelId: string | undefined,
  signal: AbortSignal,
): Promise<AgainOutcome> {
  // Pressed before, or by somebody else: it goes on as it was begun.
  if (link.state === 'starting') return startOver(deps, link, signal)
  if (link.notice?.rejected === undefined) return {outcome: 'not-failed'}
  const ask = await deps.links.askOf(link.id)
  if (ask === undefined) return {outcome: 'unknown'}
  const other: Ask = {...ask}
  delete other.alias
  delete other.modelId
  return startOver(deps, link, signal, {...other, ...(modelId !== undefined && {modelId})})
}

/** It ended, and what the platform was asked for may have been made all the same. */
const UNHEARD: readonly (CardNotice['code'] | undefined)[] = [
  'stopped-early',
  'given-up',
  'not-begun',
]

/** A start that is under way is the one that was asked for: the platform knows its `requestId`. */
async function startOver(
  deps: FollowUpDeps,
  link: Link,
  signal: AbortSignal,
  instead?: Ask,
): Promise<AgainOutcome> {
  const {place, requestId, projectId, startedBy, plan} = link
  const standing = instead ?? (await deps.links.askOf(link.id))
  if (standing === undefined) return {outcome: 'unknown'}
  const ask: Ask = {...standing}
  if (link.state === 'ended') {
    const spent = await declinedBy(deps, link)
    if (spent !== undefined) return spent
    delete ask.requestId
    const isUnheard = link.notice?.isUnheard === true || UNHEARD.includes(link.notice?.code)
    if (link.threadId === undefined && isUnheard) {
      ask.requestId = threadRequestIdOf(link)
    }
    // The first message asks for a plan again, if it did.
    const afresh = {...AFRESH, ask, plan: plan && ('asked' as const)}
    await deps.links.startOver(link.id, {...afresh, statusSinceMs: deps.nowMs()})
  }
  await startWork(deps, {place, requestId, projectId, startedBy, ask}, signal)
  return {outcome: 'done'}
}
