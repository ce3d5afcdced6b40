import {setTimeout as delay} from 'node:timers/promises'
import {
  PlatformError,
  PlatformRateLimited,
  PlatformRefused,
  PlatformUnreachable,
} from '../../platform/errors.ts'
import {isWorking} from '../../platform/model.ts'
import type {Link} from '../../store/link.ts'
import {type NewSend, type Send, type SendStore, tokenMark} from '../../store/sends.ts'
import {TryLater} from '../try-later.ts'
import {type Declined, type Desk, declined, throwIfPassing, toDeclined} from './work.ts'

export type FollowUpDesk = Desk & {sends: SendStore}
/** `waiting`: for the end of the agent's current work. `kept`: the work is archived, and it waits for a word. */
type FollowUpOutcome =
  {outcome: 'sent' | 'waiting' | 'unsure'} | {outcome: 'kept'; send: Send} | Declined

/** How often, and how far apart, the transcript is searched for a message before a person is asked. */
const LOOKS = 3
const BETWEEN_LOOKS_MS = 2000

/**
 * Sends a message to the thread, never twice by itself: the API has no key for it. When nobody can
 * tell whether it arrived, the transcript is searched for its token, and then the person is asked.
 *
 * @throws {TryLater} while the agent has not begun, or the platform cannot be reached and the message surely did not
 *   arrive.
 */
export async function followUp(
  desk: FollowUpDesk,
  link: Link,
  message: Omit<NewSend, 'linkId' | 'cursor'>,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  if (link.state === 'starting') {
    throw new TryLater(new Error('The agent has not begun'), 0, 'starting')
  }
  if (link.state === 'ended' || link.threadId === undefined) return declined('not-running')
  const isArchived = link.state === 'archived'
  const {send, isNew} = await desk.sends.open(
    {...message, linkId: link.id, cursor: link.cursor, ...(isArchived && {state: 'kept'})},
    desk.nowMs(),
  )
  return goOn(desk, link, send, signal, isNew ? 'new' : 'known')
}

/** Whatever has become of it so far. */
export async function goOn(
  desk: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
  age: 'new' | 'known' = 'known',
): Promise<FollowUpOutcome> {
  switch (send.state) {
    case 'sent':
    case 'unsure':
    case 'waiting':
      return {outcome: send.state}
    case 'hurrying':
    case 'cancelling':
      return {outcome: 'waiting'}
    case 'kept':
      return {outcome: 'kept', send}
    case 'cancelled':
      return {outcome: 'sent'}
    case 'refused':
      return declined('gone')
    case 'unsent':
      return sendAgain(desk, link, send, signal)
    case 'open':
      // An open send from before a crash may have gone out.
      return age === 'new' ? post(desk, link, send, signal) : lookUp(desk, link, send, signal)
    default:
      throw new Error(`Unknown state of a send: ${String(send.state satisfies never)}`)
  }
}

/** A person, or the knowledge that it did not arrive, says that it shall go out once more. */
export async function sendAgain(
  desk: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  if (link.state === 'archived') {
    // It would work where nobody looks.
    await desk.sends.move(send.id, ['unsent', 'unsure'], 'kept')
    await desk.show(link.id)
    return {outcome: 'kept', send}
  }
  // Of two who press at once, one wins.
  if (!(await desk.sends.move(send.id, ['unsent', 'unsure'], 'open'))) return {outcome: 'sent'}
  const outcome = await post(desk, link, send, signal)
  await desk.show(link.id)
  return outcome
}

/** One more look at a message that nobody was sure of: what was being written then stands by now. */
export function checkAgain(
  desk: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  return lookUp(desk, link, send, signal, 1)
}

/** Searches the transcript for the message; leaves it `unsure` when it is not there. */
async function lookUp(
  desk: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
  looks = LOOKS,
): Promise<FollowUpOutcome> {
  try {
    const isThere = await isInTranscript(desk, link, send, signal, looks)
    return await settle(desk, link, send, isThere ? 'sent' : 'unsure')
  } catch (error) {
    // Where nobody lets us look, nobody can tell; only its author may send it once more.
    if (!(error instanceof PlatformError)) throw error
    return settle(desk, link, send, 'unsure')
  }
}

/** Whether its entry is in the transcript, also if that is just being written. */
export async function isInTranscript(
  desk: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
  looks = LOOKS,
): Promise<boolean> {
  for (let look = 1; look < looks; look += 1) {
    if (await stands(desk, link, send, signal)) return true
    await delay(BETWEEN_LOOKS_MS, undefined, {signal})
  }
  return stands(desk, link, send, signal)
}

async function post(
  desk: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<FollowUpOutcome> {
  const {sends, clientOf} = desk
  try {
    const {text, delivery} = send
    const receipt = await clientOf(link).sendMessage(link.threadId ?? '', {text, delivery}, signal)
    const to = await admittedAs(desk, link, send)
    // Its entry may have been here first.
    const isNews = await sends.move(send.id, ['open'], to, receipt.id)
    const isWaiting = isNews && to === 'waiting'
    // A stream that was refused may be let in again, now that the key is.
    if (isWaiting || link.notice !== undefined) await desk.show(link.id)
    return {outcome: isWaiting ? 'waiting' : 'sent'}
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error instanceof PlatformUnreachable && error.mayHaveArrived) {
      return lookUp(desk, link, send, signal)
    }
    const isPassing = error instanceof PlatformUnreachable || error instanceof PlatformRateLimited
    await sends.move(send.id, ['open'], isPassing ? 'unsent' : 'refused')
    throwIfPassing(error)
    return toDeclined(error)
  }
}

/** What goes to an agent at rest is as good as with it; for the end of its work the transcript is watched. */
async function admittedAs(
  {links}: FollowUpDesk,
  {id}: Link,
  {delivery}: Send,
): Promise<'sent' | 'waiting'> {
  const status = (await links.byId(id))?.status
  const isAtWork = status !== undefined && isWorking(status)
  return isAtWork && delivery !== 'interrupt' ? 'waiting' : 'sent'
}

async function settle(
  {sends, show}: FollowUpDesk,
  link: Link,
  send: Send,
  outcome: 'sent' | 'unsure',
): Promise<FollowUpOutcome> {
  const isNews = await sends.move(send.id, ['open', 'unsure'], outcome)
  await show(link.id)
  // The relay may have met its entry meanwhile.
  return {outcome: isNews ? outcome : 'sent'}
}

async function stands(
  {clientOf}: FollowUpDesk,
  link: Link,
  send: Send,
  signal: AbortSignal,
): Promise<boolean> {
  const search = async (after: string | undefined): Promise<boolean> => {
    for await (const {source, text} of clientOf(link).listMessages(
      link.threadId ?? '',
      after,
      signal,
    )) {
      if (source === 'user' && text.includes(tokenMark(send.token))) return true
    }
    return false
  }
  try {
    return await search(send.cursor)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // Whether a stream's cursor is good for paging is only implied.
    if (error instanceof PlatformRefused && send.cursor !== undefined) return search(undefined)
    throwIfPassing(error)
    throw error
  }
}
