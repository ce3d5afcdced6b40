import {z} from 'zod'
import type {BotUserIn} from './arrival.ts'
import {envelope, teamOf} from './who.ts'

const comebackSchema = z.object({
  ...envelope,
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
export function parseComeback(body: unknown, botUserIn: BotUserIn): Comeback | undefined {
  const {data} = comebackSchema.safeParse(body)
  if (data === undefined) return undefined
  const {event} = data
  const isOther = event.type === 'member_joined_channel' && event.user !== botUserIn(teamOf(data))
  const isUnarchive = event.type === 'channel_unarchive' || event.type === 'group_unarchive'
  return {
    team: teamOf(data),
    channel: event.channel,
    codes: isOther || !isUnarchive ? ABSENT : [...ABSENT, 'is_archived', 'channel_is_archived'],
  }
}
