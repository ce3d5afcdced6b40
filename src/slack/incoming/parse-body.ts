import {z} from 'zod'
import {type AppMessage, parseAppMessage} from './alert.ts'
import {type Interaction, parseInteraction} from './interaction.ts'
import {type Ending, parseEnding} from './ending.ts'
import {type StepExecution, parseExecution} from './execution.ts'
import {
  type DetailsRequest,
  type SharedLinks,
  parseDetailsRequest,
  parseSharedLinks,
} from './links.ts'
import {eventParserOf} from './who.ts'

/** What Slack delivered, as far as Bosun knows it. */
export type Parsed =
  | {kind: 'interaction'; interaction: Interaction}
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
  /** Another app than ours has written something. */
  | {kind: 'app message'; message: AppMessage}
  /** A step of ours is reached in somebody's workflow. */
  | {kind: 'execution'; execution: StepExecution}
  /** Somebody has posted links, or looks into what one leads to. */
  | {kind: 'links'; links: SharedLinks}
  | {kind: 'details'; asked: DetailsRequest}
  | {kind: 'left'; team: string; channel: string; user: string}
  /** People of other companies have come to read a channel, or none do any more. */
  | {kind: 'shared'; team: string; channel: string; eventId: string; isShared: boolean}
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
  if (interaction !== undefined) return {kind: 'interaction', interaction}
  const ending = parseEnding(body)
  if (ending !== undefined) return {kind: 'ending', ending}
  const execution = parseExecution(body)
  if (execution !== undefined) return {kind: 'execution', execution}
  const message = parseAppMessage(body)
  if (message !== undefined) return {kind: 'app message', message}
  const links = parseSharedLinks(body)
  if (links !== undefined) return {kind: 'links', links}
  const asked = parseDetailsRequest(body)
  if (asked !== undefined) return {kind: 'details', asked}
  return parseMove(body) ?? parseSharing(body) ?? parseSign(body) ?? {kind: 'unknown'}
}

/** Whoever did what was delivered, if that was a person who may want to be forgotten. */
export function doerIn(body: unknown): {user: string; team: string} | undefined {
  const parsed = parseBody(body)
  if (parsed.kind === 'links') return parsed.links
  if (parsed.kind === 'details') return parsed.asked
  return parsed.kind === 'interaction' ? parsed.interaction : undefined
}

/** https://docs.slack.dev/reference/events/member_left_channel */
const moveSchema = z.object({
  type: z.enum(['member_joined_channel', 'member_left_channel']),
  channel: z.string(),
  user: z.string(),
})

const parseMove = eventParserOf(moveSchema, ({type, ...move}, team, {eventId, isShared}): Parsed =>
  type === 'member_joined_channel'
    ? {kind: 'joined', team, ...move, eventId, isShared}
    : {kind: 'left', team, ...move},
)

/** https://docs.slack.dev/reference/events/channel_shared and https://docs.slack.dev/reference/events/channel_unshared */
const sharingSchema = z.object({
  type: z.enum(['channel_shared', 'channel_unshared']),
  channel: z.string(),
  /** With others it may still be: then nothing is new. */
  is_ext_shared: z.boolean().nullish(),
})

const parseSharing = eventParserOf(sharingSchema, (event, team, {eventId}): Parsed | undefined => {
  const {type, channel, is_ext_shared: isSharedStill} = event
  const isShared = type === 'channel_shared'
  return isShared || isSharedStill !== true
    ? {kind: 'shared', team, channel, eventId, isShared}
    : undefined
})

const signSchema = z.object({
  type: z.enum(['channel_unarchive', 'group_unarchive', 'message', 'app_mention']),
  channel: z.string(),
})

const parseSign = eventParserOf(signSchema, ({type, channel}, team): Parsed => {
  return {kind: type.endsWith('_unarchive') ? 'unarchived' : 'said', team, channel}
})

/** https://docs.slack.dev/reference/events/message.groups */
const closedSchema = z.object({
  type: z.literal('message'),
  channel: z.string(),
  channel_type: z.literal('group'),
})

/** The channel of a message, where Slack says with it that the channel is private. */
export const parseClosed = eventParserOf(closedSchema, ({channel}, team) => ({team, channel}))

function ofWhat(parsed: Parsed) {
  if (parsed.kind === 'interaction') return parsed.interaction
  return parsed.kind === 'app message' ? {...parsed.message, kind: 'said' as const} : parsed
}

const ABSENT = ['not_in_channel', 'channel_not_found']
const ARCHIVED = ['is_archived', 'channel_is_archived']

/** Slack tells us of nothing in channels without us, so whatever it tells means that we are in. */
export function comebackIn(parsed: Parsed): Comeback | undefined {
  const of = ofWhat(parsed)
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
