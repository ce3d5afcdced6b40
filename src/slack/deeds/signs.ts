import {z} from 'zod'
import {type Who, envelope, teamOf} from './who.ts'

/** An emoji on a message. */
export interface Reaction extends Who {
  kind: 'reaction'
  /** Without colons. */
  name: string
  channel: string
  /** Of the message that it was put on. */
  ts: string
  eventTs: string
}

/** Slack's own stop button: https://docs.slack.dev/reference/events/agent_session_stopped */
export interface NativeStop extends Who {
  kind: 'native stop'
  channel: string
  threadTs: string
  eventTs: string
}

/** Somebody looks at App Home. */
export interface HomeOpened extends Who {
  kind: 'home opened'
  eventId: string
}

const reactionSchema = z.object({
  ...envelope,
  event: z.object({
    type: z.literal('reaction_added'),
    user: z.string(),
    reaction: z.string(),
    item: z.object({type: z.literal('message'), channel: z.string(), ts: z.string()}),
    event_ts: z.string().default(''),
  }),
})

export function parseReaction(body: unknown): Reaction | undefined {
  const {data} = reactionSchema.safeParse(body)
  if (data === undefined) return undefined
  const {user, reaction: name, item, event_ts: eventTs} = data.event
  const who = {team: teamOf(data), user, userTeam: undefined}
  return {kind: 'reaction', ...who, name, channel: item.channel, ts: item.ts, eventTs}
}

const stopSchema = z.object({
  ...envelope,
  event: z.object({
    type: z.literal('agent_session_stopped'),
    user: z.string(),
    channel: z.string(),
    thread_ts: z.string(),
    event_ts: z.string().default(''),
  }),
})

export function parseNativeStop(body: unknown): NativeStop | undefined {
  const {data} = stopSchema.safeParse(body)
  if (data === undefined) return undefined
  const {user, channel, thread_ts: threadTs, event_ts: eventTs} = data.event
  const who = {team: teamOf(data), user, userTeam: undefined}
  return {kind: 'native stop', ...who, channel, threadTs, eventTs}
}

const homeSchema = z.object({
  ...envelope,
  event: z.object({
    type: z.literal('app_home_opened'),
    user: z.string(),
    tab: z.string().optional(),
  }),
})

export function parseHomeOpened(body: unknown): HomeOpened | undefined {
  const {data} = homeSchema.safeParse(body)
  if (data === undefined || data.event.tab === 'messages') return undefined
  const who = {team: teamOf(data), user: data.event.user, userTeam: undefined}
  return {kind: 'home opened', ...who, eventId: data.event_id ?? ''}
}
