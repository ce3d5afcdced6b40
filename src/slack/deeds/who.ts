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
  context_team_id: z.string().nullish(),
  authorizations: z.array(z.object({team_id: z.string().nullish()})).nullish(),
}

/** In a channel shared with another company the event's team may be theirs; of an organization's install no team is named. */
export function teamOf({
  team_id: eventTeam,
  context_team_id: ours,
  authorizations,
}: {
  team_id: string
  context_team_id?: string | null | undefined
  authorizations?: {team_id?: string | null | undefined}[] | null | undefined
}): string {
  return [authorizations?.[0]?.team_id, ours].find(isTeam) ?? eventTeam
}

function isTeam(id: string | null | undefined): id is string {
  return id?.startsWith('T') === true
}

/** Who, in the payloads of interactions: https://docs.slack.dev/reference/interaction-payloads */
export const actor = {
  /** `null` where the app is installed in a whole organization. */
  team: z.object({id: z.string()}).nullish(),
  enterprise: z.object({id: z.string()}).nullish(),
  user: z.object({id: z.string(), team_id: z.string().nullish()}),
  view: z.object({app_installed_team_id: z.string().nullish()}).nullish(),
}

interface Actor {
  team?: {id: string} | null | undefined
  enterprise?: {id: string} | null | undefined
  user: {id: string; team_id?: string | null | undefined}
  view?: {app_installed_team_id?: string | null | undefined} | null | undefined
}

export function toWho({team, enterprise, user, view}: Actor): Who {
  const ids = [view?.app_installed_team_id, team?.id, user.team_id]
  return {
    team: ids.find(isTeam) ?? team?.id ?? enterprise?.id ?? '',
    user: user.id,
    userTeam: user.team_id ?? undefined,
  }
}

const organizationSchema = z.object({
  is_enterprise_install: z.union([z.boolean(), z.string()]).nullish(),
  enterprise_id: z.string().nullish(),
  enterprise: z.object({id: z.string()}).nullish(),
  authorizations: z
    .array(
      z.object({
        enterprise_id: z.string().nullish(),
        is_enterprise_install: z.boolean().nullish(),
      }),
    )
    .nullish(),
})

/** The organization in whose name Slack delivers this; `undefined` where the app is installed in one workspace. */
export function organizationOf(body: unknown): string | undefined {
  const {data} = organizationSchema.safeParse(body)
  const [first] = data?.authorizations ?? []
  // Slash commands come as forms: there everything is text.
  const isOrganization = [first?.is_enterprise_install, data?.is_enterprise_install].some(
    (flag) => flag === true || flag === 'true',
  )
  if (!isOrganization) return undefined
  return first?.enterprise_id ?? data?.enterprise?.id ?? data?.enterprise_id ?? undefined
}
