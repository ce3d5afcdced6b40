import {PlatformError, PlatformNotFound, PlatformThreadNotFound} from '../../platform/errors.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Send} from '../../store/tables/work/send.ts'
import type {Handling} from '../../inbox/worker.ts'
import {isInTranscript} from './said.ts'
import {type Declined, throwIfPassing, toDeclined, type FollowUpDeps} from '../lifecycle.ts'

/** `tooLate`: the agent has it already. `held`: the work was stopped. `hurrying`: somebody sends it now, and nobody knows yet what becomes of that. */
type Settled = {outcome: 'sent' | 'cancelled' | 'tooLate' | 'held' | 'hurrying'} | Declined

/** The row of a press, while it is being handled. */
export interface Pressed {
  row: Pick<Handling['row'], 'id'>
  signal: AbortSignal
}

/** What the platform is being asked. */
type Asking = 'hurrying' | 'cancelling' | 'holding'

/**
 * The agent's current work ends for a message that waits. The platform is asked again after a crash: that
 * it is too late then means that the first call came through.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function hurry(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  {row, signal}: Pressed,
): Promise<Settled> {
  const {sends, clientOf, show} = deps
  const isWanted = await sends.release(send.id, ['waiting'], 'hurrying', row.id)
  if (!isWanted && !(await sends.move(send.id, ['hurrying'], 'hurrying'))) {
    return whatBecame(deps, send)
  }
  const ask = () => clientOf(link).sendNow(link.threadId ?? '', send.receiptId ?? '', signal)
  const asked = await asking(deps, send, 'hurrying', ask)
  if (asked.outcome === 'declined') return asked
  if (asked.outcome === 'unknown') return settleUnknown(deps, link, send, signal)
  const {outcome, id} = asked.answer
  const isSent = outcome === 'sent'
  // From now on it goes by its new id.
  await sends.move(send.id, ['hurrying'], 'sent', isSent ? id : undefined)
  await show(link.id)
  return {outcome: isSent || send.state === 'hurrying' ? 'sent' : 'tooLate'}
}

/**
 * Takes a message back that waits, or was never sent.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function cancel(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<Settled> {
  const {sends, show} = deps
  // What is being taken back for a stop need not be asked for twice.
  if (send.state === 'holding') await takeBack(deps, link, send, signal)
  if (await sends.move(send.id, ['unsent', 'kept', 'held'], 'cancelled')) {
    await show(link.id)
    return {outcome: 'cancelled'}
  }
  const settled = await askToCancel(deps, link, send, signal)
  if (settled.outcome === 'cancelled') await sends.move(send.id, ['cancelling'], 'cancelled')
  await show(link.id)
  return settled
}

/**
 * Takes a message back that waits while somebody stops the work: it is `held` until somebody says what is to become of
 * it.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function takeBack(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<Settled> {
  const settled = await askFor(deps, link, {send, state: 'holding'}, signal)
  const isBack = settled.outcome === 'cancelled'
  const isHeld = isBack && (await deps.sends.move(send.id, ['holding'], 'held'))
  await deps.show(link.id)
  return isHeld ? {outcome: 'held'} : settled
}

/** As {@link cancel}, but what was cancelled stands as `cancelling` until the caller has made something of it. */
export function askToCancel(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<Settled> {
  return askFor(deps, link, {send, state: 'cancelling'}, signal)
}

/** Asks the platform to give a message back; until the caller has made something of it, it stands in `state`. */
async function askFor(
  deps: FollowUpDeps,
  link: Link,
  {send, state}: {send: Send; state: 'cancelling' | 'holding'},
  signal: AbortSignal,
): Promise<Settled> {
  const {sends, clientOf} = deps
  if (!(await sends.move(send.id, ['waiting', state], state))) return whatBecame(deps, send)
  const ask = () => clientOf(link).cancelMessage(link.threadId ?? '', send.receiptId ?? '', signal)
  const asked = await asking(deps, send, state, ask)
  if (asked.outcome === 'declined') return asked
  const isKnown = asked.outcome === 'answered'
  if (isKnown && asked.answer.outcome === 'cancelled') return {outcome: 'cancelled'}
  // Asked before a crash, it may be too late because it was cancelled then: the transcript knows.
  const isDoubtful = !isKnown || send.state === state
  const found = isDoubtful ? await search(deps, link, {send, state}, signal) : 'there'
  if (typeof found === 'object') return found
  if (found === 'absent') return {outcome: 'cancelled'}
  await sends.move(send.id, [state], 'sent')
  return {outcome: 'tooLate'}
}

/** A refusal leaves it waiting; `unknown`: the platform knows no such message. */
async function asking<Answer>(
  {sends}: FollowUpDeps,
  send: Send,
  state: Asking,
  ask: () => Promise<Answer>,
): Promise<{outcome: 'answered'; answer: Answer} | {outcome: 'unknown'} | Declined> {
  try {
    return {outcome: 'answered', answer: await ask()}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throwIfPassing(error)
    const isThread = error instanceof PlatformThreadNotFound
    if (error instanceof PlatformNotFound && !isThread) return {outcome: 'unknown'}
    await sends.move(send.id, [state], 'waiting')
    return toDeclined(error)
  }
}

async function settleUnknown(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<Settled> {
  const found = await search(deps, link, {send, state: 'hurrying'}, signal)
  if (typeof found === 'object') return found
  const isThere = found === 'there'
  await deps.sends.move(send.id, ['hurrying'], isThere ? 'sent' : 'cancelled')
  await deps.show(link.id)
  return {outcome: isThere ? 'tooLate' : 'cancelled'}
}

/** Where nobody lets us look, nobody can tell whether the agent has it: people see that, and are asked. */
async function search(
  deps: FollowUpDeps,
  link: Link,
  {send, state}: {send: Send; state: Asking},
  signal: AbortSignal,
): Promise<'there' | 'absent' | Declined> {
  try {
    return (await isInTranscript(deps, link, send, signal)) ? 'there' : 'absent'
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    await deps.sends.move(send.id, [state], 'unsure')
    await deps.show(link.id)
    return toDeclined(error)
  }
}

/** Somebody else was faster. */
async function whatBecame({sends}: FollowUpDeps, {id}: Send): Promise<Settled> {
  const state = (await sends.byId(id))?.state
  if (state === 'held' || state === 'holding') return {outcome: 'held'}
  if (state === 'hurrying') return {outcome: 'hurrying'}
  return {outcome: state === 'cancelled' || state === 'cancelling' ? 'cancelled' : 'tooLate'}
}
