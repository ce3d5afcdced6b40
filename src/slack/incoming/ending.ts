import {z} from 'zod'
import {parserOf} from './who.ts'

/** Somebody has taken the app, or its tokens, out of a workspace or an organization. */
export interface Ending {
  /** `access`: an organization's admin has taken it out of some of its workspaces. */
  kind: 'uninstalled' | 'tokens' | 'access'
  /** As the delivery names it; `undefined` where it names none. */
  team: string | undefined
  /** Where the app is installed in a whole organization. */
  organization: string | undefined
  /** Of `access`. */
  teams: readonly string[]
  /** In whole seconds. */
  atMs: number
  eventId: string
  /** What of its delivery is written down: nobody's id is. */
  kept: unknown
}

const endingSchema = z.object({
  type: z.literal('event_callback'),
  team_id: z.string().nullish(),
  context_team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
  event_id: z.string(),
  event_time: z.number().nullish(),
  authorizations: z
    .array(
      z.object({
        team_id: z.string().nullish(),
        enterprise_id: z.string().nullish(),
        is_enterprise_install: z.boolean().nullish(),
      }),
    )
    .nullish(),
  event: z.discriminatedUnion('type', [
    z.object({type: z.literal('app_uninstalled')}),
    z.object({
      type: z.literal('tokens_revoked'),
      tokens: z.object({bot: z.array(z.string()).nullish()}),
    }),
    z.object({type: z.literal('team_access_revoked'), team_ids: z.array(z.string())}),
  ]),
})

export const ENDINGS = ['app_uninstalled', 'tokens_revoked', 'team_access_revoked'] as const

/** Tokens of people are none of ours. */
export const parseEnding = parserOf(endingSchema, (data): Ending | undefined => {
  const {event, authorizations} = data
  if (event.type === 'tokens_revoked' && (event.tokens.bot ?? []).length === 0) return undefined
  const [first] = authorizations ?? []
  const team = [first?.team_id, data.context_team_id, data.team_id].find((id) => id != null)
  const enterprise = first?.enterprise_id ?? data.enterprise_id ?? undefined
  const isOrganization = first?.is_enterprise_install ?? team?.startsWith('T') !== true
  return {
    kind: KINDS[event.type],
    team: team?.startsWith('T') === true ? team : undefined,
    organization: isOrganization ? enterprise : undefined,
    teams: event.type === 'team_access_revoked' ? event.team_ids : [],
    atMs: (data.event_time ?? 0) * 1000,
    eventId: data.event_id,
    kept: data,
  }
})

const KINDS = {
  app_uninstalled: 'uninstalled',
  tokens_revoked: 'tokens',
  team_access_revoked: 'access',
} as const
