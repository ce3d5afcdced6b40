import {z} from 'zod'
import {type Interaction, parseInteraction} from './interaction.ts'
import {type Ending, parseEnding} from './ending.ts'
import {eventParserOf, organizationOf} from './who.ts'

/** What Slack delivered, as far as Bosun knows it. */
export type Parsed =
  | {
      kind: 'interaction'
      interaction: Interaction
      /** In whose name it was delivered; `undefined` where the app is installed in one workspace. */
      organization: string | undefined
    }
  | {kind: 'ending'; ending: Ending}
  /** Somebody has come into a channel, or left it. */
  | {
      kind: 'joined'
      team: string
      channel: string
      user: string
      eventId: string
      /** People of other companies are in that channel. */
      isShared: boolean
    }
  | {kind: 'left'; team: string; channel: string; user: string}
  /** `said`: a message that is no interaction, as those of apps and of Slack itself. */
  | {kind: 'unarchived' | 'said'; team: string; channel: string}
  | {kind: 'unknown'}

/** A sign that a channel which was closed to us may be open again. */
export interface Comeback {
  team: string
  channel: string
  /** What may be over. */
  codes: readonly string[]
}

/** Reads a body of Slack's: when it arrives, and when the row that was made of it is handled. */
export function parseBody(body: unknown): Parsed {
  const interaction = parseInteraction(body)
  if (interaction !== undefined)
    return {kind: 'interaction', interaction, organization: organizationOf(body)}
  const ending = parseEnding(body)
  if (ending !== undefined) return {kind: 'ending', ending}
  return parseMove(body) ?? parseSign(body) ?? {kind: 'unknown'}
}

/** https://docs.slack.dev/reference/events/member_left_channel */
const moveSchema = z.object({
  type: z.enum(['member_joined_channel', 'member_left_channel']),
  channel: z.string(),
  user: z.string(),
})

const parseMove = eventParserOf(moveSchema, ({type, ...move}, team, delivery): Parsed =>
  type === 'member_joined_channel'
    ? {kind: 'joined', team, ...move, ...delivery}
    : {kind: 'left', team, ...move},
)

const signSchema = z.object({
  type: z.enum(['channel_unarchive', 'group_unarchive', 'message', 'app_mention']),
  channel: z.string(),
})

const parseSign = eventParserOf(signSchema, ({type, channel}, team): Parsed => {
  return {kind: type.endsWith('_unarchive') ? 'unarchived' : 'said', team, channel}
})

const ABSENT = ['not_in_channel', 'channel_not_found']
const ARCHIVED = ['is_archived', 'channel_is_archived']

/** Slack tells us of nothing in channels without us, so whatever it tells means that we are in. */
export function comebackIn(parsed: Parsed): Comeback | undefined {
  const of = parsed.kind === 'interaction' ? parsed.interaction : parsed
  switch (of.kind) {
    case 'message':
    case 'message changed':
    case 'message deleted':
    case 'said':
    case 'joined':
      return {team: of.team, channel: of.channel, codes: ABSENT}
    case 'unarchived':
      return {team: of.team, channel: of.channel, codes: [...ABSENT, ...ARCHIVED]}
    default:
      return undefined
  }
}
