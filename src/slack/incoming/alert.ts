import {z} from 'zod'
import {readAppWords} from './app-words.ts'
import {told} from './message.ts'
import {eventParserOf} from './who.ts'

/** A message that an app wrote, and not we: what a rule of its channel may start work from. */
export interface AppMessage {
  team: string
  channel: string
  ts: string
  /** The parent's `ts`, when it stands in a Slack thread. */
  threadTs: string | undefined
  /** Its bot user, where Slack says it. */
  user: string | undefined
  appId: string | undefined
  botId: string
  /** What it is called there. */
  app: string
  /** All that people read in it, as plain words. */
  text: string
  /** All that stands in it, addresses and ids of buttons too. */
  whole: string
}

/** What an app's message may be; edits, joins and the like have other subtypes. */
const SUBTYPES: readonly (string | undefined)[] = [undefined, 'bot_message', 'file_share']
/** Of its name, and of all that stands in it: more than Slack shows. */
const MAX_NAME = 80
const MAX_WHOLE = 100_000

/** A message as events and Slack's lists have it: https://docs.slack.dev/reference/events/message.bot_message */
export const appMessageSchema = z.looseObject({
  subtype: told,
  bot_id: z.string(),
  app_id: z.string().nullish(),
  user: z.string().nullish(),
  username: z.string().nullish(),
  bot_profile: z
    .looseObject({name: z.string().nullish(), app_id: z.string().nullish()})
    .nullish()
    .catch(undefined),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  text: z.string().nullish().catch(undefined),
})
type Told = z.infer<typeof appMessageSchema>

const eventSchema = appMessageSchema.extend({type: z.literal('message'), channel: z.string()})

/** The message of an event, if another app than ours wrote it. */
export const parseAppMessage = eventParserOf(
  eventSchema,
  (event, team, delivery): AppMessage | undefined => {
    const message = toAppMessage(event, {team, channel: event.channel})
    // Under whichever name we write: https://docs.slack.dev/apis/events-api#callback-field
    const isOurs = message?.appId !== undefined && message.appId === delivery.appId
    return isOurs ? undefined : message
  },
)

/** `undefined`: it is not what an app says. */
export function toAppMessage(
  told: Told,
  place: {team: string; channel: string},
): AppMessage | undefined {
  if (!SUBTYPES.includes(told.subtype)) return undefined
  const {bot_id: botId, bot_profile: profile, ts, thread_ts: parent} = told
  return {
    ...place,
    ts,
    threadTs: parent === ts ? undefined : (parent ?? undefined),
    user: told.user ?? undefined,
    appId: told.app_id ?? profile?.app_id ?? undefined,
    botId,
    app: (told.username || profile?.name || '').slice(0, MAX_NAME),
    text: readAppWords(told).plain,
    whole: JSON.stringify(told).slice(0, MAX_WHOLE),
  }
}
