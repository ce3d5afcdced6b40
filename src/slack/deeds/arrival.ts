import {isDeepStrictEqual} from 'node:util'
import type {Arrival} from '../../inbox/intake.ts'
import {ACTIONS, MANY_TIMES, STOP_SIGN} from '../ids.ts'
import {readWords} from '../parse/words.ts'
import {type Deed, parseDeed} from './deed.ts'
import {type MessageChanged, type PersonsMessage, isMention, slackThreadOf} from './message.ts'
import type {Press} from './press.ts'

type InThread = Pick<PersonsMessage, 'team' | 'channel' | 'ts' | 'threadTs'>

/** The app's own user in a workspace; `undefined` for one that is none of ours. */
export type BotUserIn = (team: string) => string | undefined

/**
 * The inbox row of a delivery; `undefined` for what asks nothing of us. One post counts once, though
 * a mention arrives as two events; so do two clicks of one person on one state of a card.
 */
export function toArrival(body: unknown, botUserIn: BotUserIn): Arrival | undefined {
  const deed = parseDeed(body)
  const botUserId = deed && botUserIn(deed.team)
  if (deed === undefined || botUserId === undefined) return undefined
  if (deed.user === botUserId || !concernsUs(deed, botUserId)) return undefined
  const key = JSON.stringify(keyOf(deed))
  return {key, lane: laneOf(deed, botUserId) ?? key, body: withoutToken(body)}
}

function concernsUs(deed: Deed, botUserId: string): boolean {
  switch (deed.kind) {
    case 'message':
      return deed.isDirect || deed.threadTs !== undefined || isMention(deed, botUserId)
    case 'message changed':
      return deed.threadTs !== undefined || mayHaveBegun(deed, botUserId)
    case 'message deleted':
      return deed.threadTs !== undefined
    case 'press':
      return deed.actionId !== ACTIONS.open
    case 'reaction':
      return deed.name === STOP_SIGN
    case 'command':
    case 'shortcut':
    case 'form':
    case 'native stop':
    case 'home opened':
      return true
    default:
      throw new Error(`Unknown deed: ${JSON.stringify(deed satisfies never)}`)
  }
}

/** Work begins with a mention, and in direct messages with any words. */
function mayHaveBegun({channel, before, text}: MessageChanged, botUserId: string): boolean {
  return (
    channel.startsWith('D') || [before, text].some((said) => isMention({text: said}, botUserId))
  )
}

/** Whether the row of this key is what a person wrote, or a change of that; a form may be about the same message. */
export function isOfMessage(key: string): boolean {
  return /^\["message(?: changed)?",/.test(key)
}

/** Whether the row of this key is an edit of the same message that was made after this one. */
export function isLaterEdit(
  key: string,
  {kind, team, channel, ts, eventTs}: MessageChanged,
): boolean {
  if (!isOfMessage(key)) return false
  const [...of] = JSON.parse(key) as string[]
  const editedTs = of.pop() ?? ''
  return editedTs > eventTs && isDeepStrictEqual(of, [kind, team, channel, ts])
}

/** The same for every delivery of one deed. */
function keyOf(deed: Deed): readonly string[] {
  const {kind, team} = deed
  switch (deed.kind) {
    case 'message':
    case 'message deleted':
      return [kind, team, deed.channel, deed.ts]
    case 'message changed':
      return [kind, team, deed.channel, deed.ts, deed.eventTs]
    case 'press':
      return [
        ...[kind, team, ...pressedAt(deed)],
        MANY_TIMES.has(deed.actionId) ? deed.actionTs : deed.user,
      ]
    case 'command':
    case 'shortcut':
      return [kind, team, deed.triggerId]
    case 'form':
      return [kind, team, deed.view.id, deed.view.hash]
    case 'reaction':
      return [kind, team, deed.channel, deed.ts, deed.user, deed.eventTs]
    case 'native stop':
      return [kind, team, deed.channel, deed.threadTs, deed.eventTs]
    case 'home opened':
      return [kind, team, deed.user, deed.eventId]
    default:
      throw new Error(`Unknown deed: ${JSON.stringify(deed satisfies never)}`)
  }
}

/** A view that changed is another one; a message is the same until its buttons bear something new. */
function pressedAt({channel = '', messageTs = '', view, actionId, value}: Press): string[] {
  const at = view === undefined ? [channel, messageTs] : [view.id, view.hash]
  return [...at, actionId, value]
}

/** Whether the button does its work for whoever is first. */
function isForOne({actionId}: Press): boolean {
  // Who comes second to follow something is told where the first one brought it.
  return !MANY_TIMES.has(actionId) && actionId !== ACTIONS.followHere
}

/**
 * Whether this row is the press of a button that works once: it comes to nothing where somebody's press before it in its
 * lane was taken. One that was refused takes nothing from others.
 */
export function isForFirst({key, lane}: {key: string; lane: string}): boolean {
  return key !== lane && key.startsWith('["press",')
}

/** What is said in one Slack thread is handled in the order in which it was said; so is what presses one button. */
function laneOf(deed: Deed, botUserId: string): string | undefined {
  switch (deed.kind) {
    case 'message':
      return readWords(deed.text, {botUserId, isDirect: deed.isDirect}).want === 'stop'
        ? stopLaneOf(deed)
        : threadLaneOf(deed)
    case 'message changed':
    case 'message deleted':
      return threadLaneOf(deed)
    case 'press':
      return isForOne(deed)
        ? JSON.stringify([deed.kind, deed.team, ...pressedAt(deed), ''])
        : undefined
    default:
      return undefined
  }
}

/** The lane of what is said in a Slack thread. */
export function threadLaneOf(message: InThread): string {
  return JSON.stringify([message.team, message.channel, slackThreadOf(message)])
}

/** The word `stop` does not wait for what was said before it: that may wait for the very work that is to stop. */
export function stopLaneOf(message: InThread): string {
  return JSON.stringify(['stop', message.team, message.channel, slackThreadOf(message)])
}

/** Slack's old verification token is in every delivery. It is a secret, and of no use to us. */
function withoutToken(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'token'))
}
