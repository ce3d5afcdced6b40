import {z} from 'zod'
import {envelope, teamOf} from './who.ts'

const moveSchema = z.object({
  ...envelope,
  event: z.object({
    type: z.enum(['member_joined_channel', 'member_left_channel']),
    channel: z.string(),
    user: z.string(),
  }),
})

/** Somebody has come into a channel, or left it: https://docs.slack.dev/reference/events/member_left_channel */
export interface Move {
  team: string
  channel: string
  user: string
}

export function parseMove(body: unknown): Move | undefined {
  const {data} = moveSchema.safeParse(body)
  if (data === undefined) return undefined
  const {channel, user} = data.event
  return {team: teamOf(data), channel, user}
}
