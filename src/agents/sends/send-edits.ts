import type {Link} from '../../store/tables/work/link.ts'
import {type Send, wordsOf} from '../../store/tables/work/send.ts'
import type {NewSend} from '../../store/tables/work/sends.ts'
import {followUp, goOn} from './sending.ts'
import type {FollowUpDeps} from '../lifecycle.ts'
import {askToCancel, cancel, takeBack} from './waiting-sends.ts'

type FollowUpOutcome = Awaited<ReturnType<typeof followUp>>
/** `cancelled`: the agent will never get it. */
type EditOutcome = FollowUpOutcome | {outcome: 'cancelled'}

/** A message that its sender changed. */
export interface Edit extends Pick<
  NewSend,
  'inboxKey' | 'messageTs' | 'sender' | 'isQuoted' | 'inboxId' | 'model'
> {
  /** `undefined`: it is not for the agent any more. */
  words: string | undefined
  /** Of a message that began the work: what it asked for until now. */
  asked?: string
  delivery: 'queue' | 'steer' | 'interrupt'
  /** The text as it goes out. */
  toText: (token: string, words: string) => string
  /** In front of what the agent has in other words. */
  correctionOf: (words: string) => string
  /** Whether it came from the message itself, and not from a form about it. */
  isOfMessage: (send: Send) => boolean
}

/**
 * What the agent has not got yet is replaced; what it has is corrected. Exactly once: what comes of the edit
 * is a send of its own, keyed by the edit's inbox row. `undefined`: there was nothing to do.
 *
 * @throws {TryLater} while the platform cannot be reached.
 */
export async function editSend(
  deps: FollowUpDeps,
  link: Link,
  edit: Edit,
  signal: AbortSignal,
): Promise<EditOutcome | undefined> {
  const {sends} = deps
  const {inboxKey, messageTs, sender, words} = edit
  const all = (await sends.ofMessage(link.id, messageTs)).filter(edit.isOfMessage)
  // This edit has come here before.
  const own = all.find((send) => send.inboxKey === inboxKey)
  if (own !== undefined) return goOn(deps, link, own, signal)
  const newest = all.findLast((send) => send.sender === sender)
  if (newest === undefined) {
    const isAnother = edit.asked !== undefined && edit.asked !== words
    return isAnother ? correct(deps, link, edit, signal) : undefined
  }
  if (isOfOtherModel(newest, edit)) return sendWithModel(deps, link, {newest, edit}, signal)
  if (says(newest, edit)) return undefined
  switch (newest.state) {
    case 'cancelled':
      // Perhaps by this edit, before a crash.
      return words === undefined ? {outcome: 'cancelled'} : undefined
    case 'refused':
      return undefined
    case 'holding':
      await takeBack(deps, link, newest, signal)
      return editSend(deps, link, edit, signal)
    case 'kept':
    case 'held':
    case 'unsent':
      if (words === undefined) return drop(deps, link, {newest, edit}, signal)
      if (!(await sends.reword(newest.id, words))) return correct(deps, link, edit, signal)
      await deps.show(link.id)
      return undefined
    case 'waiting':
    case 'cancelling':
    case 'hurrying':
      if (words === undefined) return drop(deps, link, {newest, edit}, signal)
      return replace(deps, link, {newest, edit: {...edit, words}}, signal)
    case 'open':
    case 'unsure':
    case 'late':
    case 'sent':
      return correct(deps, link, edit, signal)
    default:
      throw new Error(`Unknown state of a send: ${String(newest.state satisfies never)}`)
  }
}

/** Whatever of a message that is deleted has not reached the agent never will. */
export async function cancelMessage(
  deps: FollowUpDeps,
  link: Link,
  message: Pick<Edit, 'messageTs' | 'sender' | 'isOfMessage'>,
  signal: AbortSignal,
): Promise<void> {
  const all = await deps.sends.ofMessage(link.id, message.messageTs)
  const waiting: readonly Send['state'][] = [
    ...(['kept', 'unsent', 'waiting', 'cancelling', 'holding', 'held'] as const),
  ]
  for (const send of all) {
    const isWaiting = waiting.includes(send.state)
    const isTheirs = send.sender === message.sender && message.isOfMessage(send)
    if (isWaiting && isTheirs) await cancel(deps, link, send, signal)
  }
}

/** Its model cannot be used, and they name another one; or they did, before a crash. */
function isOfOtherModel({state, rejected, inboxId}: Send, edit: Edit): boolean {
  if (edit.model === undefined || edit.words === undefined) return false
  const isBegun = inboxId !== undefined && inboxId === edit.inboxId
  return state === 'unsent' ? rejected !== undefined || isBegun : state === 'open' && isBegun
}

async function sendWithModel(
  deps: FollowUpDeps,
  link: Link,
  {newest, edit: {words = '', model, inboxId = 0}}: {newest: Send; edit: Edit},
  signal: AbortSignal,
): Promise<FollowUpOutcome | undefined> {
  const choice = model === 'default' ? undefined : model
  await deps.sends.reword(newest.id, words)
  await deps.sends.remodel(newest.id, choice, inboxId)
  return goOn(deps, link, (await deps.sends.byId(newest.id)) ?? newest, signal)
}

function says(send: Send, {words, correctionOf}: Edit): boolean {
  const said = wordsOf(send)
  return words !== undefined && (said === words || said === correctionOf(words))
}

/** What was delivered meanwhile stays as it is. */
async function drop(
  deps: FollowUpDeps,
  link: Link,
  {newest, edit}: {newest: Send; edit: Edit},
  signal: AbortSignal,
): Promise<EditOutcome | undefined> {
  const settled = await cancel(deps, link, newest, signal)
  switch (settled.outcome) {
    case 'cancelled':
      return {outcome: settled.outcome}
    case 'declined':
      return settled
    case 'held':
      // Somebody stops the work at the same time.
      return editSend(deps, link, edit, signal)
    case 'sent':
    case 'hurrying':
    case 'tooLate':
      return undefined
    default:
      throw new Error(`Unknown outcome: ${JSON.stringify(settled satisfies never)}`)
  }
}

async function replace(
  deps: FollowUpDeps,
  link: Link,
  {newest, edit}: {newest: Send; edit: Edit & {words: string}},
  signal: AbortSignal,
): Promise<FollowUpOutcome | undefined> {
  const {words} = edit
  const asked = await askToCancel(deps, link, newest, signal)
  if (asked.outcome === 'declined') return asked
  if (asked.outcome !== 'cancelled') return correct(deps, link, edit, signal)
  const {inboxKey, messageTs, sender, delivery, isQuoted = false, inboxId, model} = edit
  const send = {
    inboxKey,
    messageTs,
    sender,
    delivery,
    isQuoted,
    linkId: link.id,
    cursor: link.cursor,
    ...(inboxId !== undefined && {inboxId}),
    ...(model !== undefined && {model}),
    state: 'unsent' as const,
    toText: (token: string) => edit.toText(token, words),
  }
  return goOn(deps, link, await deps.sends.replace(newest.id, send, deps.nowMs()), signal)
}

async function correct(
  deps: FollowUpDeps,
  link: Link,
  {words, ...edit}: Edit,
  signal: AbortSignal,
): Promise<FollowUpOutcome | undefined> {
  if (words === undefined) return undefined
  const toText = (token: string): string => edit.toText(token, edit.correctionOf(words))
  const {inboxKey, messageTs, sender, delivery, isQuoted = false, inboxId, model} = edit
  const said = {inboxKey, messageTs, sender, delivery, isQuoted, toText}
  const message = {
    ...said,
    ...(inboxId !== undefined && {inboxId}),
    ...(model !== undefined && {model}),
  }
  return followUp(deps, link, message, signal)
}
