import {z} from 'zod'
import {eventParserOf} from './who.ts'

/** A message with links that are ours to explain: https://docs.slack.dev/reference/events/link_shared */
export interface SharedLinks {
  team: string
  channel: string
  /** Of the message. */
  ts: string
  /** Who posted them: what they may see plays no part, unless nobody else reads it. */
  user: string
  /** As they were posted. */
  urls: readonly string[]
  /** People of other companies read it. */
  isShared: boolean
  /** The same each time it is delivered. */
  eventId: string
}

/** Somebody looks into a work object: https://docs.slack.dev/reference/events/entity_details_requested */
export interface DetailsRequest {
  team: string
  user: string
  channel: string
  ts: string
  /** As it was posted. */
  url: string
  triggerId: string
  eventId: string
}

const sharedSchema = z.object({
  type: z.literal('link_shared'),
  channel: z.string(),
  user: z.string(),
  message_ts: z.string(),
  is_bot_user_member: z.boolean().nullish(),
  source: z.string().nullish(),
  links: z.array(z.object({url: z.string()})),
})

/** What would be more is a list. */
const MAX_LINKS = 5
/** No address of ours is longer. */
const MAX_URL = 1000

/**
 * Of a message that is not sent yet Slack does not tell where it will stand, and of a place that we are not in we know
 * nobody: there is nothing to decide by, and Slack tells of the link once more when it is posted.
 */
export const parseSharedLinks = eventParserOf(
  sharedSchema,
  (event, team, {eventId, isShared}): SharedLinks | undefined => {
    const {channel, user, message_ts: ts, source} = event
    const isPosted = source !== 'composer' && /^\d+\.\d+$/.test(ts)
    if (!isPosted || event.is_bot_user_member !== true) return undefined
    const urls = [...new Set(event.links.map(({url}) => url))].filter(
      ({length}) => length <= MAX_URL,
    )
    return {team, channel, ts, user, urls: urls.slice(0, MAX_LINKS), isShared, eventId}
  },
)

const detailsSchema = z.object({
  type: z.literal('entity_details_requested'),
  user: z.string(),
  trigger_id: z.string(),
  channel: z.string(),
  message_ts: z.string(),
  app_unfurl_url: z.string(),
})

export const parseDetailsRequest = eventParserOf(
  detailsSchema,
  (event, team, {eventId}): DetailsRequest => {
    const {user, channel, message_ts: ts, app_unfurl_url: url, trigger_id: triggerId} = event
    return {team, user, channel, ts, url, triggerId, eventId}
  },
)
