import {isDeepStrictEqual} from 'node:util'
import type {Arrival} from '../../inbox/intake.ts'
import type {AppMessage} from './alert.ts'
import {ACTIONS, STOP_SIGN} from '../ids.ts'
import {readInstruction} from './instructions.ts'
import type {Interaction} from './interaction.ts'
import type {DetailsRequest, SharedLinks} from './links.ts'
import type {Parsed} from './parse-body.ts'
import type {Ending} from './ending.ts'
import type {StepExecution} from './execution.ts'
import {
  type MessageChanged,
  type MessageDeleted,
  type PersonsMessage,
  isMention,
  slackThreadOf,
} from './message.ts'
import type {Press} from './press.ts'
import {baseOf} from './signs.ts'

type Joined = Extract<Parsed, {kind: 'joined'}>
type Sharing = Extract<Parsed, {kind: 'shared'}>
type InThread = Pick<PersonsMessage, 'team' | 'channel' | 'ts' | 'threadTs'>

/** The app's own user in a workspace; `undefined` for one that is none of ours. */
type BotUserIn = (team: string) => string | undefined

export interface ArrivalRules {
  botUserIn: BotUserIn
  /** What may be pressed again and again on one state of a message, by action id. */
  repeatable: ReadonlySet<string>
  /** The emoji that offers to start work. */
  startEmoji: string | undefined
  /** What is said comes from a room, where all of it is for the agent. */
  isRoom?: boolean
}

/**
 * The inbox row of a delivery and its body; `undefined` for what asks nothing of us. One post counts once, though
 * a mention arrives as two events; so do two clicks of one person on one state of a card.
 */
export function toArrival(
  parsed: Parsed,
  body: unknown,
  {botUserIn, repeatable, startEmoji, isRoom = false}: ArrivalRules,
): Arrival | undefined {
  if (parsed.kind === 'ending') return toEndingArrival(parsed.ending)
  if (parsed.kind === 'joined') return toJoinedArrival(parsed, body, botUserIn)
  if (parsed.kind === 'shared') return toSharingArrival(parsed, body)
  if (parsed.kind === 'execution') return toExecutionArrival(parsed.execution)
  if (parsed.kind === 'details') return toDetailsArrival(parsed.asked, body)
  if (parsed.kind !== 'interaction') return undefined
  const {interaction} = parsed
  const botUserId = botUserIn(interaction.team)
  if (botUserId === undefined || interaction.user === botUserId) return undefined
  const isSaidThere = isRoom && SAID.has(interaction.kind)
  if (!isSaidThere && !concernsUs(interaction, {botUserId, startEmoji})) return undefined
  const key = JSON.stringify(keyOf(interaction, repeatable))
  const {team} = interaction
  const lane = isSaidThere ? roomLaneOf : laneOf
  return {key, team, lane: lane(interaction, botUserId, repeatable) ?? key, body}
}

const SAID: ReadonlySet<string> = new Set(['message', 'message changed', 'message deleted'])

/** Those of one workspace come one after the other. */
function toEndingArrival({organization, team, eventId, kept}: Ending): Arrival {
  const of = organization ?? team ?? ''
  const lane = JSON.stringify(['ending', of])
  return {key: JSON.stringify(['ending', eventId]), team: of, lane, body: kept}
}

export function isEndingLane(lane: string): boolean {
  return lane.startsWith('["ending",')
}

/** Those of one channel come one after the other: its limits count them. */
function toExecutionArrival({team, id, inputs, kept}: StepExecution): Arrival {
  const {channel} = inputs
  const lane = JSON.stringify(['executions', team, typeof channel === 'string' ? channel : ''])
  return {key: JSON.stringify(['execution', team, id]), team, lane, body: kept}
}

/** We were invited: of others it is enough to hear. */
function toJoinedArrival(
  {team, channel, user, eventId}: Joined,
  body: unknown,
  botUserIn: BotUserIn,
): Arrival | undefined {
  if (user !== botUserIn(team)) return undefined
  const key = JSON.stringify(['joined', team, channel, eventId])
  return {key, team, lane: key, body}
}

/** Those of one channel come one after the other: the last one counts. */
function toSharingArrival({team, channel, eventId}: Sharing, body: unknown): Arrival {
  const lane = JSON.stringify(['shared', team, channel])
  return {key: JSON.stringify(['shared', team, channel, eventId]), team, lane, body}
}

/**
 * The row of an app's message that a rule is about. Those of one channel come one after the other: which of two that say the same
 * comes first must not be a matter of luck.
 */
export function toAppArrival({team, channel, ts}: AppMessage, body: unknown): Arrival {
  const key = JSON.stringify(['app message', team, channel, ts])
  return {key, team, lane: JSON.stringify(['app messages', team, channel]), body}
}

/** The row of links that may lead to something of ours. Those of one message come one after the other. */
export function toLinksArrival({team, channel, ts, eventId}: SharedLinks, body: unknown): Arrival {
  const lane = JSON.stringify(['links', team, channel, ts])
  return {key: JSON.stringify(['links', team, eventId]), team, lane, body}
}

function toDetailsArrival({team, eventId}: DetailsRequest, body: unknown): Arrival {
  const key = JSON.stringify(['details', team, eventId])
  return {key, team, lane: key, body}
}

function concernsUs(
  interaction: Interaction,
  {botUserId, startEmoji}: {botUserId: string; startEmoji: string | undefined},
): boolean {
  switch (interaction.kind) {
    case 'message':
      return (
        interaction.isDirect ||
        interaction.threadTs !== undefined ||
        isMention(interaction, botUserId)
      )
    case 'message changed':
    case 'message deleted':
      return interaction.threadTs !== undefined || mayHaveBegun(interaction, botUserId)
    case 'press':
      return interaction.actionId !== ACTIONS.open && interaction.actionId !== ACTIONS.ticks
    case 'reaction':
      return [STOP_SIGN, startEmoji].includes(baseOf(interaction.name))
    case 'command':
    case 'shortcut':
    case 'form':
    case 'native stop':
    case 'home opened':
    case 'messages opened':
      return true
    default:
      throw new Error(`Unknown interaction: ${JSON.stringify(interaction satisfies never)}`)
  }
}

/** Work begins with a mention, and in direct messages with any words. */
function mayHaveBegun(message: MessageChanged | MessageDeleted, botUserId: string): boolean {
  if (message.channel.startsWith('D') || message.before === undefined) return true
  const said = message.kind === 'message changed' ? message.before + message.text : message.before
  return isMention({text: said}, botUserId)
}

/** Of the row of a message, however often and as whatever Slack says that it was written. */
export function messageKeyOf({
  team,
  channel,
  ts,
}: Pick<PersonsMessage, 'team' | 'channel' | 'ts'>): string {
  return JSON.stringify(['message', team, channel, ts])
}

/** Whether the row of this key is what a person wrote, or a change of that; a form may be about the same message. */
export function isOfMessage(key: string): boolean {
  return /^\["message(?: changed)?",/.test(key)
}

/** Whether the row of this key is a message that stands behind the one with this `ts`. */
export function isMessageBehind(key: string, ts: string): boolean {
  if (!key.startsWith('["message",')) return false
  const [, , , written = ''] = JSON.parse(key) as string[]
  return written > ts
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

/** The same for every delivery of one interaction. */
function keyOf(interaction: Interaction, repeatable: ReadonlySet<string>): readonly string[] {
  const {kind, team} = interaction
  switch (interaction.kind) {
    case 'message':
    case 'message deleted':
      return [kind, team, interaction.channel, interaction.ts]
    case 'message changed':
      return [kind, team, interaction.channel, interaction.ts, interaction.eventTs]
    case 'press':
      return [
        ...[kind, team, ...pressedAt(interaction)],
        repeatable.has(interaction.actionId) ? interaction.actionTs : interaction.user,
      ]
    case 'command':
    case 'shortcut':
      return [kind, team, interaction.triggerId]
    case 'form':
      return [kind, team, interaction.view.id, interaction.view.hash]
    case 'reaction':
      return [
        kind,
        team,
        interaction.channel,
        interaction.ts,
        interaction.user,
        interaction.eventTs,
      ]
    case 'native stop':
      return [kind, team, interaction.channel, interaction.threadTs ?? '', interaction.eventTs]
    case 'home opened':
    case 'messages opened':
      return [kind, team, interaction.user, interaction.eventId]
    default:
      throw new Error(`Unknown interaction: ${JSON.stringify(interaction satisfies never)}`)
  }
}

/** A view that changed is another one; a message is the same until its buttons bear something new. */
function pressedAt({channel = '', messageTs = '', view, actionId, value}: Press): string[] {
  const at = view === undefined ? [channel, messageTs] : [view.id, view.hash]
  return [...at, actionId, value]
}

/** Whether the button does its work for whoever is first. */
function isForOne({actionId}: Press, repeatable: ReadonlySet<string>): boolean {
  // Who comes second to follow something is told where the first one brought it.
  return !repeatable.has(actionId) && actionId !== ACTIONS.followHere
}

/**
 * Whether this row is the press of a button that works once: it comes to nothing where somebody's press before it in its
 * lane was taken. One that was refused takes nothing from others.
 */
export function isForFirst({key, lane}: {key: string; lane: string}): boolean {
  return key !== lane && key.startsWith('["press",')
}

/** What is said in one Slack thread is handled in the order in which it was said; so is what presses one button. */
function laneOf(
  interaction: Interaction,
  botUserId: string,
  repeatable: ReadonlySet<string>,
): string | undefined {
  switch (interaction.kind) {
    case 'message':
      return readInstruction(interaction.text, {botUserId, isDirect: interaction.isDirect}).want ===
        'stop'
        ? stopLaneOf(interaction)
        : threadLaneOf(interaction)
    case 'message changed':
    case 'message deleted':
      return threadLaneOf(interaction)
    case 'press':
      return isForOne(interaction, repeatable)
        ? JSON.stringify([interaction.kind, interaction.team, ...pressedAt(interaction), ''])
        : undefined
    default:
      return undefined
  }
}

/** A room is one conversation, wherever in it something is said. */
function roomLaneOf(
  interaction: Interaction,
  botUserId: string,
  repeatable: ReadonlySet<string>,
): string | undefined {
  if (!('ts' in interaction)) return laneOf(interaction, botUserId, repeatable)
  const place = {...interaction, ts: 'room', threadTs: undefined}
  return interaction.kind === 'message'
    ? laneOf({...interaction, ...place}, botUserId, repeatable)
    : threadLaneOf(place)
}

/** The lane of what is said in a Slack thread. */
export function threadLaneOf(message: InThread): string {
  return JSON.stringify([message.team, message.channel, slackThreadOf(message)])
}

/** The word `stop` does not wait for what was said before it: that may wait for the very work that is to stop. */
export function stopLaneOf(message: InThread): string {
  return JSON.stringify(['stop', message.team, message.channel, slackThreadOf(message)])
}
