import {z} from 'zod'

/** Who did it, and in whose workspace. */
export interface Who {
  /** The workspace that the app is installed in. */
  team: string
  user: string
  /** The workspace that the person belongs to, where Slack says it. */
  userTeam: string | undefined
}

/** Makes a parser of a schema; what has another shape is `undefined`. */
export function parserOf<Data, Found>(
  schema: z.ZodType<Data>,
  read: (data: Data) => Found | undefined,
): (body: unknown) => Found | undefined {
  return (body) => {
    const {data} = schema.safeParse(body)
    return data === undefined ? undefined : read(data)
  }
}

/** What Slack says of an event besides what happened. */
interface EventDelivery {
  /** The same each time it is delivered. */
  eventId: string
  /** Of the app that it is delivered to: ours. */
  appId: string | undefined
  /** It is of a channel with people of other companies. */
  isShared: boolean
}

/** The same for events, by the schema of what stands in the envelope. */
export function eventParserOf<Event, Found>(
  event: z.ZodType<Event>,
  read: (event: Event, team: string, delivery: EventDelivery) => Found | undefined,
): (body: unknown) => Found | undefined {
  return parserOf(z.object({...envelope, event}), (data) => {
    const team = teamOf(data)
    if (team === undefined) return undefined
    return read(data.event, team, {
      eventId: data.event_id ?? '',
      appId: data.api_app_id ?? undefined,
      isShared: data.is_ext_shared_channel === true,
    })
  })
}

/** What every event is wrapped in: https://docs.slack.dev/apis/events-api */
const envelope = {
  type: z.literal('event_callback'),
  team_id: z.string().nullish(),
  event_id: z.string().nullish(),
  api_app_id: z.string().nullish(),
  is_ext_shared_channel: z.boolean().nullish(),
  context_team_id: z.string().nullish(),
  authorizations: z.array(z.object({team_id: z.string().nullish()})).nullish(),
}

/** In a channel shared with another company the event's team may be theirs; of an organization's install no team is named. */
function teamOf(event: z.infer<z.ZodObject<typeof envelope>>): string | undefined {
  const ids = [event.authorizations?.[0]?.team_id, event.context_team_id]
  return ids.find(isTeam) ?? event.team_id ?? undefined
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

/** `ofMessage`: the workspace of a message of ours that they did it in: they may be of another one. */
export function toWho(
  {team, enterprise, user, view}: z.infer<z.ZodObject<typeof actor>>,
  ofMessage?: string | null,
): Who {
  const ids = [view?.app_installed_team_id, team?.id, ofMessage, user.team_id]
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
      z.object({enterprise_id: z.string().nullish(), is_enterprise_install: z.boolean().nullish()}),
    )
    .nullish(),
})

/** The organization in whose name Slack delivers this; `undefined` where the app is installed in one workspace. */
export const organizationOf = parserOf(organizationSchema, (data) => {
  const [first] = data.authorizations ?? []
  // Slash commands come as forms: there everything is text.
  const isOrganization = [first?.is_enterprise_install, data.is_enterprise_install].some(
    (flag) => flag === true || flag === 'true',
  )
  if (!isOrganization) return undefined
  return first?.enterprise_id ?? data.enterprise?.id ?? data.enterprise_id ?? undefined
})

const saidSchema = z.object({
  type: z.string().nullish(),
  team_id: z.string().nullish(),
  context_team_id: z.string().nullish(),
  authorizations: z.array(z.object({team_id: z.string().nullish()})).nullish(),
  team: z.object({id: z.string()}).nullish(),
  view: z.object({app_installed_team_id: z.string().nullish()}).nullish(),
  container: z
    .object({is_app_unfurl: z.boolean().nullish(), type: z.string().nullish()})
    .nullish()
    .catch(undefined),
  message: z.object({team: z.string().nullish()}).nullish().catch(undefined),
})

/** Whether Slack itself says for which workspace of an organization this is. Who did it may be of another company. */
export function saysTeam(body: unknown): boolean {
  const {data} = saidSchema.safeParse(body)
  if (data === undefined) return false
  const {type, team_id, context_team_id, authorizations, team, view, message, container} = data
  const isPreview = container?.is_app_unfurl === true || container?.type === 'entity_detail'
  return [
    ...[authorizations?.[0]?.team_id, context_team_id, team?.id, view?.app_installed_team_id],
    // Of an event it may be that of whoever wrote, and so is that of a message that is none of ours.
    type === 'event_callback' ? undefined : team_id,
    type === 'block_actions' && !isPreview ? message?.team : undefined,
  ].some(isTeam)
}
