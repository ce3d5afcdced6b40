import {z} from 'zod'

/** Who did it, and in whose workspace. */
export interface Who {
  /** The workspace that the app is installed in. */
  team: string
  user: string
  /** The workspace that the person belongs to, where Slack says it. */
  userTeam: string | undefined
}

/** What every event is wrapped in: https://docs.slack.dev/apis/events-api */
export const envelope = {
  type: z.literal('event_callback'),
  team_id: z.string(),
  event_id: z.string().optional(),
  authorizations: z.array(z.object({team_id: z.string().nullish()})).nullish(),
}

/** In a channel shared with another company the event's team may be theirs. */
export function teamOf({
  team_id: eventTeam,
  authorizations,
}: {
  team_id: string
  authorizations?: {team_id?: string | null | undefined}[] | null | undefined
}): string {
  return authorizations?.[0]?.team_id ?? eventTeam
}

/** Who, in the payloads of interactions: https://docs.slack.dev/reference/interaction-payloads */
export const actor = {
  team: z.object({id: z.string()}),
  user: z.object({id: z.string(), team_id: z.string().nullish()}),
}

export function toWho({
  team,
  user,
}: {
  team: {id: string}
  user: {id: string; team_id?: string | null | undefined}
}): Who {
  return {team: team.id, user: user.id, userTeam: user.team_id ?? undefined}
}
