import {z} from 'zod'
import type {Arrival} from '../inbox/intake.ts'
import {ACTIONS} from './ids.ts'

/** A message that a person wrote. */
export interface PersonsMessage {
  team: string
  channel: string
  ts: string
  /** The parent's `ts`, when it stands in a Slack thread. */
  threadTs: string | undefined
  user: string
  /** The workspace that the author belongs to, where Slack says it. */
  userTeam: string | undefined
  text: string
  isDirect: boolean
}

/** A press on one of our buttons. */
export interface Press {
  team: string
  channel: string
  messageTs: string
  threadTs: string | undefined
  user: string
  userTeam: string | undefined
  actionId: string
  value: string
  actionTs: string
}

/** What a person's message may be: plain, with files, or also sent to the channel. */
const SUBTYPES: readonly (string | undefined)[] = [undefined, 'file_share', 'thread_broadcast']

const messageEventSchema = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  authorizations: z.array(z.object({team_id: z.string().nullish()})).nullish(),
  event: z.object({
    type: z.enum(['message', 'app_mention']),
    subtype: z.string().optional(),
    bot_id: z.string().nullish(),
    channel: z.string(),
    channel_type: z.string().optional(),
    ts: z.string(),
    thread_ts: z.string().optional(),
    user: z.string(),
    user_team: z.string().nullish(),
    source_team: z.string().nullish(),
    text: z.string().default(''),
  }),
})

const pressSchema = z.object({
  type: z.literal('block_actions'),
  team: z.object({id: z.string()}),
  user: z.object({id: z.string(), team_id: z.string().nullish()}),
  channel: z.object({id: z.string()}),
  container: z.object({message_ts: z.string(), thread_ts: z.string().optional()}),
  actions: z.tuple(
    [z.object({action_id: z.string(), value: z.string().default(''), action_ts: z.string()})],
    z.unknown(),
  ),
})

/** The message of an event, if a person wrote it; our own and other apps' posts and all edits are not. */
export function parseMessage(body: unknown): PersonsMessage | undefined {
  const {data} = messageEventSchema.safeParse(body)
  if (data === undefined) return undefined
  const {event, team_id: eventTeam, authorizations} = data
  if (event.bot_id != null || !SUBTYPES.includes(event.subtype)) return undefined
  return {
    // In a channel shared with another company the event's team may be theirs.
    team: authorizations?.[0]?.team_id ?? eventTeam,
    channel: event.channel,
    ts: event.ts,
    threadTs: event.thread_ts === event.ts ? undefined : event.thread_ts,
    user: event.user,
    userTeam: event.user_team ?? event.source_team ?? undefined,
    text: event.text,
    isDirect: event.channel_type === 'im' || event.channel.startsWith('D'),
  }
}

export function parsePress(body: unknown): Press | undefined {
  const {data} = pressSchema.safeParse(body)
  if (data === undefined) return undefined
  const [action] = data.actions
  return {
    team: data.team.id,
    channel: data.channel.id,
    messageTs: data.container.message_ts,
    threadTs: data.container.thread_ts,
    user: data.user.id,
    userTeam: data.user.team_id ?? undefined,
    actionId: action.action_id,
    value: action.value,
    actionTs: action.action_ts,
  }
}

const comebackSchema = z.object({
  team_id: z.string(),
  authorizations: z.array(z.object({team_id: z.string().nullish()})).nullish(),
  event: z.discriminatedUnion('type', [
    z.object({type: z.literal('member_joined_channel'), channel: z.string(), user: z.string()}),
    z.object({type: z.enum(['channel_unarchive', 'group_unarchive']), channel: z.string()}),
    z.object({type: z.enum(['message', 'app_mention']), channel: z.string()}),
  ]),
})

/** A sign that a channel which was closed to us may be open again. */
export interface Comeback {
  team: string
  channel: string
  /** What may be over. */
  codes: readonly string[]
}

const ABSENT = ['not_in_channel', 'channel_not_found']

/** Slack tells us of nothing in channels without us, so whatever it tells means that we are in. */
export function parseComeback(body: unknown, botUserId: string): Comeback | undefined {
  const {data} = comebackSchema.safeParse(body)
  if (data === undefined) return undefined
  const {event, team_id: eventTeam, authorizations} = data
  const isOther = event.type === 'member_joined_channel' && event.user !== botUserId
  const isUnarchive = event.type === 'channel_unarchive' || event.type === 'group_unarchive'
  return {
    team: authorizations?.[0]?.team_id ?? eventTeam,
    channel: event.channel,
    codes: isOther || !isUnarchive ? ABSENT : [...ABSENT, 'is_archived', 'channel_is_archived'],
  }
}

/** The Slack thread that a message belongs to, or begins. */
export function slackThreadOf({ts, threadTs}: Pick<PersonsMessage, 'ts' | 'threadTs'>): string {
  return threadTs ?? ts
}

/**
 * The inbox row of a delivery; `undefined` for what asks nothing of us. One post counts once, though
 * a mention arrives as two events; so do two clicks on one state of a card.
 */
export function toArrival(body: unknown, botUserId: string): Arrival | undefined {
  const message = parseMessage(body)
  if (message !== undefined) {
    const concerns =
      message.isDirect || message.threadTs !== undefined || isMention(message, botUserId)
    if (!concerns || message.user === botUserId) return undefined
    const {team, channel, ts} = message
    return {
      key: JSON.stringify(['message', team, channel, ts]),
      lane: JSON.stringify([team, channel, slackThreadOf(message)]),
      body: withoutToken(body),
    }
  }
  const press = parsePress(body)
  if (press === undefined || press.actionId === ACTIONS.open) return undefined
  const {team, channel, messageTs, actionId, value, actionTs} = press
  // To look once more is asked of the same message again and again.
  const turn = actionId === ACTIONS.checkAgain ? actionTs : ''
  const key = JSON.stringify(['press', team, channel, messageTs, actionId, value, turn])
  return {key, lane: key, body: withoutToken(body)}
}

export function isMention({text}: Pick<PersonsMessage, 'text'>, botUserId: string): boolean {
  return text.includes(`<@${botUserId}>`) || text.includes(`<@${botUserId}|`)
}

/** Slack's old verification token is in every delivery. It is a secret, and of no use to us. */
function withoutToken(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'token'))
}
