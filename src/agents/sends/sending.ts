import {
  PlatformError,
  PlatformModelRejected,
  PlatformRateLimited,
  PlatformUnreachable,
} from '../../platform/errors.ts'
import {isWorking} from '../../platform/model.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {Send} from '../../store/tables/work/send.ts'
import type {NewSend} from '../../store/tables/work/sends.ts'
import {endIfMisplaced} from '../follow.ts'
import {TryLater} from '../../inbox/try-later.ts'
import {toSelection} from '../models/model-choice.ts'
import {meetCandidates, toRejected} from '../models/rejected-model.ts'
import {isInTranscript} from './said.ts'
import {type Pressed, takeBack} from './waiting-sends.ts'
import {
  type Declined,
  type FollowUpDeps,
  declined,
  declinedBy,
  throwIfPassing,
  toDeclined,
} from '../lifecycle.ts'

/**
 * `waiting`: for the end of the agent's current work. `held`: the work was stopped, and it waits for a word; so does
 * what is `kept`, since the work is archived. `cancelled`: somebody took it back.
 */
type FollowUpOutcome =
  | {outcome: 'sent' | 'waiting' | 'unsure' | 'held' | 'cancelled'}
  | {outcome: 'kept'; send: Send}
  | Declined

/**
 * Sends a message to the thread, never twice by itself: the API has no key for it. When nobody can
 * tell whether it arrived, the transcript is searched for its token, and then the person is asked.
 *
 * @throws {TryLater} while the agent has not begun, or the platform cannot be reached and the message surely did not
 *   arrive.
 */
export async function followUp(
  deps: FollowUpDeps,
  link: Link,
  message: Omit<NewSend, 'linkId' | 'cursor'>,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  if (link.state === 'starting') {
    throw new TryLater(new Error('The agent has not begun'), 0, 'starting')
  }
  const {state, threadId} = await endIfMisplaced(deps, link)
  if (state === 'ended' || threadId === undefined) return declined('not-running')
  const isArchived = state === 'archived'
  if (!(await isKnown(deps, link, message))) {
    const spent = await declinedBy(deps, link)
    if (spent !== undefined) return spent
  }
  const {send, isNew} = await deps.sends.open(
    {...message, linkId: link.id, cursor: link.cursor, ...(isArchived && {state: 'kept'})},
    deps.nowMs(),
  )
  return goOn(deps, link, send, signal, isNew ? 'new' : 'known')
}

/** What has been taken is gone on with, whatever was spent since. */
async function isKnown(
  {sends}: FollowUpDeps,
  {id}: Link,
  {messageTs, inboxKey}: Pick<NewSend, 'messageTs' | 'inboxKey'>,
): Promise<boolean> {
  const known = await sends.ofMessage(id, messageTs)
  return known.some((send) => send.inboxKey === inboxKey)
}

/** Whatever has become of it so far. */
export async function goOn(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
  age: 'new' | 'known' = 'known',
): Promise<FollowUpOutcome> {
  switch (send.state) {
    case 'late':
      return {outcome: 'sent'}
    case 'sent':
    case 'unsure':
    case 'waiting':
    case 'cancelled':
      return {outcome: send.state}
    case 'held':
      await deps.show(link.id)
      return {outcome: 'held'}
    case 'holding':
      return hold(deps, link, send, signal)
    case 'hurrying':
    case 'cancelling':
      return {outcome: 'waiting'}
    case 'kept':
      return {outcome: 'kept', send}
    case 'refused':
      return declined('gone')
    case 'unsent':
      return sendUnsent(deps, link, send, signal)
    case 'open':
      // An open send from before a crash may have gone out.
      return age === 'new' ? post(deps, link, send, signal) : lookUp(deps, link, send, signal)
    default:
      throw new Error(`Unknown state of a send: ${String(send.state satisfies never)}`)
  }
}

/** A person says that it shall go out once more. */
export async function sendAgain(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  {row, signal}: Pressed,
): Promise<FollowUpOutcome> {
  const spent = await declinedBy(deps, link)
  if (spent !== undefined) return spent
  await deps.sends.release(send.id, ['unsure', 'unsent'], 'unsent', row.id)
  return sendUnsent(deps, link, send, signal)
}

/** It surely did not arrive, or somebody wants it all the same. */
async function sendUnsent(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  if (link.state === 'archived') {
    // It would work where nobody looks.
    await deps.sends.move(send.id, ['unsent'], 'kept')
    await deps.show(link.id)
    return {outcome: 'kept', send}
  }
  // Of two who press at once, one wins.
  if (!(await deps.sends.move(send.id, ['unsent'], 'open'))) {
    const now = (await deps.sends.byId(send.id))?.state
    return {outcome: now === 'cancelled' || now === 'held' ? now : 'sent'}
  }
  // It may be another model's since.
  const {model} = (await deps.sends.byId(send.id)) ?? send
  const outcome = await post(deps, link, {...send, model}, signal)
  await deps.show(link.id)
  return outcome
}

/** One more look at a message that nobody was sure of: what was being written then stands by now. */
export function checkAgain(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  {signal}: Pressed,
): Promise<FollowUpOutcome> {
  return lookUp(deps, link, send, signal, 1)
}

/** Searches the transcript for the message; leaves it `unsure` when it is not there. */
async function lookUp(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
  looks?: number,
): Promise<FollowUpOutcome> {
  try {
    const isThere = await isInTranscript(deps, link, send, signal, looks)
    return await settle(deps, link, send, isThere ? 'sent' : 'unsure')
  } catch (error) {
    // Where nobody lets us look, nobody can tell; only its author may send it once more.
    if (!(error instanceof PlatformError)) throw error
    return settle(deps, link, send, 'unsure')
  }
}

async function post(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  const {sends, clientOf} = deps
  try {
    const {text, delivery, model} = send
    const message = {text, delivery, ...(model !== undefined && {model: toSelection(model)})}
    const receipt = await clientOf(link).sendMessage(link.threadId ?? '', message, signal)
    const state = await sends.admit(send.id, await admittedAs(deps, link, send), receipt.id)
    if (state === 'holding') {
      const stopped = (await sends.byId(send.id)) ?? send
      return await hold(deps, link, {...stopped, state: 'waiting'}, signal)
    }
    const isWaiting = state === 'waiting'
    // A stream that was refused may be let in again, now that the key is.
    if (isWaiting || link.notice !== undefined) await deps.show(link.id)
    return {outcome: isWaiting ? 'waiting' : 'sent'}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error instanceof PlatformUnreachable && error.mayHaveArrived) {
      return lookUp(deps, link, send, signal)
    }
    if (error instanceof PlatformModelRejected) {
      const rejected = toRejected(error, send.model?.modelId)
      await meetCandidates(deps, link, rejected)
      await sends.rejectModel(send.id, rejected)
      return {outcome: 'declined', why: 'model-rejected', rejected, sendId: send.id}
    }
    const isPassing = error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
    await sends.move(send.id, ['open'], isPassing ? 'unsent' : 'refused')
    throwIfPassing(error)
    return toDeclined(error)
  }
}

/** Stopped while it was on its way: it comes back. */
async function hold(
  deps: FollowUpDeps,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  const {outcome} = await takeBack(deps, link, send, signal)
  return {outcome: outcome === 'held' || outcome === 'cancelled' ? 'held' : 'sent'}
}

/** What goes to an agent at rest is as good as with it; for the end of its work the transcript is watched. */
async function admittedAs(
  {links}: FollowUpDeps,
  {id}: Link,
  {delivery}: Send,
): Promise<'sent' | 'waiting'> {
  const isAtWork = isWorking((await links.byId(id))?.status)
  return isAtWork && delivery !== 'interrupt' ? 'waiting' : 'sent'
}

async function settle(
  {sends, show}: FollowUpDeps,
  link: Link,
  send: Send,
  outcome: 'sent' | 'unsure',
): Promise<FollowUpOutcome> {
  const isNews = await sends.move(send.id, ['open', 'unsure'], outcome)
  await show(link.id)
  // The relay may have met its entry meanwhile.
  return {outcome: isNews ? outcome : 'sent'}
}
