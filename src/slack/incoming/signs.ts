import {z} from 'zod'
import {orEmpty, told} from './message.ts'
import {type Who, eventParserOf} from './who.ts'

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
  /** Absent in a room. */
  threadTs: string | undefined
  eventTs: string
}

/** Somebody looks at App Home. */
export interface HomeOpened extends Who {
  kind: 'home opened'
  eventId: string
}

/** Somebody looks at their direct messages with us. */
export interface MessagesOpened extends Who {
  kind: 'messages opened'
  channel: string
  eventId: string
}

/** Without the tone of its skin. */
export function baseOf(emoji: string): string {
  return emoji.split('::', 1)[0] ?? emoji
}

const reactionSchema = z.object({
  type: z.literal('reaction_added'),
  user: z.string(),
  reaction: z.string(),
  item: z.object({type: z.literal('message'), channel: z.string(), ts: z.string()}),
  event_ts: orEmpty,
})

export const parseReaction = eventParserOf(reactionSchema, (event, team): Reaction => {
  const {user, reaction: name, item, event_ts: eventTs} = event
  const who = {team, user, userTeam: undefined}
  return {kind: 'reaction', ...who, name, channel: item.channel, ts: item.ts, eventTs}
})

const stopSchema = z.object({
  type: z.literal('agent_session_stopped'),
  user: z.string(),
  channel: z.string(),
  thread_ts: told,
  event_ts: orEmpty,
})

export const parseNativeStop = eventParserOf(stopSchema, (event, team): NativeStop => {
  const {user, channel, thread_ts: threadTs, event_ts: eventTs} = event
  return {kind: 'native stop', team, user, userTeam: undefined, channel, threadTs, eventTs}
})

/** https://docs.slack.dev/reference/events/app_home_opened: either tab, and no tab for the older ones. */
const openedSchema = z.object({
  type: z.literal('app_home_opened'),
  user: z.string(),
  channel: orEmpty,
  tab: told,
})

export const parseOpened = eventParserOf(
  openedSchema,
  ({user, channel, tab}, team, {eventId}): HomeOpened | MessagesOpened => {
    const opened = {team, user, userTeam: undefined, eventId}
    return tab === 'messages'
      ? {kind: 'messages opened', ...opened, channel}
      : {kind: 'home opened', ...opened}
  },
)
