import {z} from 'zod'
import {readAppWords} from './app-words.ts'
import {type Who, eventParserOf} from './who.ts'

/** A message that a person wrote. */
export interface PersonsMessage extends Who {
  kind: 'message'
  channel: string
  ts: string
  /** The parent's `ts`, when it stands in a Slack thread. */
  threadTs: string | undefined
  text: string
  isDirect: boolean
  files: SharedFile[]
  /** Messages from elsewhere that were forwarded with it. */
  forwarded: Forwarded[]
}

/** A file as it stands in a message: https://docs.slack.dev/reference/objects/file-object */
export interface SharedFile {
  id: string
  name: string
  mimetype: string
  /** In bytes. */
  size: number
  /** Needs the bot's token. */
  url: string | undefined
  /** What is said in it, as Slack has transcribed it: its beginning, where it is long. */
  words?: string | undefined
}

export interface Forwarded {
  author: string
  text: string
}

/** Somebody changed the words of a message. */
export interface MessageChanged extends Who {
  kind: 'message changed'
  channel: string
  ts: string
  threadTs: string | undefined
  text: string
  /** What it said before, where Slack says it. */
  before: string | undefined
  files: SharedFile[]
  forwarded: Forwarded[]
  /** Of the change. */
  eventTs: string
}

export interface MessageDeleted extends Who {
  kind: 'message deleted'
  channel: string
  ts: string
  threadTs: string | undefined
  /** What it said. */
  before: string
}

/** What a person's message may be: plain, with files, also sent to the channel, or written with `/me`. */
const SUBTYPES: readonly (string | undefined)[] = [
  undefined,
  'file_share',
  'thread_broadcast',
  'me_message',
]

export const fileSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  mode: z.string().nullish(),
  is_external: z.boolean().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
  transcription: z
    .object({
      status: z.string(),
      preview: z.object({content: z.string(), has_more: z.boolean().nullish()}),
    })
    .nullish()
    .catch(undefined),
})

const attachmentSchema = z.looseObject({
  is_share: z.boolean().nullish(),
  is_msg_unfurl: z.boolean().nullish(),
  author_name: z.string().nullish(),
  author_subname: z.string().nullish(),
  text: z.string().nullish(),
})

/** A field that Slack leaves out, or names with nothing in it. */
export const told = z
  .string()
  .nullish()
  .transform((words) => words ?? undefined)
export const orEmpty = told.transform((words = '') => words)

/** What of it can be read: one of another shape costs no other one. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item.optional().catch(undefined))
    .nullish()
    .catch(undefined)
    .transform((items) => (items ?? []).filter((one) => one !== undefined))
}

/** The part of a message that says what a person wrote; also in pages of `conversations.replies`. */
export const writtenSchema = z.object({
  subtype: told,
  bot_id: z.string().nullish(),
  user: z.string(),
  ts: z.string(),
  thread_ts: told,
  text: orEmpty,
  files: listOf(fileSchema),
  attachments: listOf(attachmentSchema),
  blocks: z.unknown().optional(),
})
type Written = z.infer<typeof writtenSchema>

const messageSchema = writtenSchema.extend({
  type: z.enum(['message', 'app_mention']),
  /** Slack tells of a mention once more, or for the first time, when the message is edited. */
  edited: z.object({ts: z.string()}).nullish().catch(undefined),
  channel: z.string(),
  channel_type: told,
  user_team: z.string().nullish(),
  source_team: z.string().nullish(),
})

/** The message of an event, if a person wrote it; our own and other apps' posts and all edits are not. */
export const parseMessage = eventParserOf(
  messageSchema,
  (event, team): PersonsMessage | undefined => {
    if (!isPersons(event) || isOldBy(event.edited?.ts ?? event.ts, event)) return undefined
    return {
      kind: 'message',
      team,
      channel: event.channel,
      ts: event.ts,
      threadTs: parentOf(event),
      user: event.user,
      userTeam: event.user_team ?? event.source_team ?? undefined,
      text: event.text,
      isDirect: event.channel_type === 'im' || event.channel.startsWith('D'),
      files: filesIn(event),
      forwarded: forwardedIn(event),
    }
  },
)

const changedSchema = z.object({
  type: z.literal('message'),
  subtype: z.literal('message_changed'),
  channel: z.string(),
  ts: z.string(),
  message: writtenSchema.extend({user_team: z.string().nullish(), edited: z.unknown().nullish()}),
  previous_message: z.object({text: orEmpty}).nullish(),
})

/** Slack calls it a change too when it shows a link's preview: then the words are the same. */
export const parseChanged = eventParserOf(
  changedSchema,
  (event, team): MessageChanged | undefined => {
    const {channel, ts: eventTs, message, previous_message: before} = event
    // Where it is not told what it said before, only what Slack calls edited has other words.
    const isSame = before == null ? message.edited == null : message.text === before.text
    if (!isPersons(message) || isSame) return undefined
    const {user, user_team: userTeam, ts, text} = message
    const who = {team, user, userTeam: userTeam ?? undefined}
    return {
      kind: 'message changed',
      ...who,
      channel,
      ts,
      threadTs: parentOf(message),
      text,
      eventTs,
      before: before?.text,
      files: filesIn(message),
      forwarded: forwardedIn(message),
    }
  },
)

const goneSchema = z.union([
  z.object({subtype: z.literal('message_deleted')}),
  // One that has replies leaves its place behind.
  z.object({
    subtype: z.literal('message_changed'),
    message: z.object({subtype: z.literal('tombstone')}),
  }),
])
const deletedSchema = z
  .object({type: z.literal('message'), channel: z.string(), previous_message: writtenSchema})
  .and(goneSchema)

export const parseDeleted = eventParserOf(
  deletedSchema,
  (event, team): MessageDeleted | undefined => {
    const {channel, previous_message: message} = event
    if (!isPersons(message)) return undefined
    const {ts, text: before} = message
    const who = {team, user: message.user, userTeam: undefined}
    return {kind: 'message deleted', ...who, channel, ts, threadTs: parentOf(message), before}
  },
)

/** Who corrects an old message does not ask for work. */
const MAX_AGE_SECONDS = 24 * 3600

/** Whether a message was old when it was edited at this time, a `ts`. */
export function isOldBy(editedTs: string, {ts}: Pick<Written, 'ts'>): boolean {
  return Number(editedTs) - Number(ts) > MAX_AGE_SECONDS
}

function isPersons({bot_id: botId, subtype}: Pick<Written, 'bot_id' | 'subtype'>): boolean {
  return botId == null && SUBTYPES.includes(subtype)
}

function parentOf({ts, thread_ts: parent}: Pick<Written, 'ts' | 'thread_ts'>): string | undefined {
  return parent === ts ? undefined : parent
}

export function filesIn({files}: Pick<Written, 'files'>): SharedFile[] {
  return files.map(toSharedFile)
}

export function toSharedFile(file: z.infer<typeof fileSchema>): SharedFile {
  const words = wordsIn(file)
  // Its bytes are not at Slack, and whoever added it has chosen the address.
  const isElsewhere = file.mode === 'external' || file.is_external === true
  return {
    id: file.id,
    name: file.name || file.title || file.id,
    mimetype: file.mimetype ?? '',
    size: file.size ?? 0,
    url: isElsewhere ? undefined : (file.url_private_download ?? file.url_private ?? undefined),
    ...(words !== undefined && {words}),
  }
}

/** Voice messages and clips: https://docs.slack.dev/reference/objects/file-object. */
function wordsIn({transcription}: z.infer<typeof fileSchema>): string | undefined {
  if (transcription?.status !== 'complete') return undefined
  const {content, has_more: isCut} = transcription.preview
  if (content.trim() === '') return undefined
  return isCut === true ? `${content.trim()} […]` : content.trim()
}

export function forwardedIn({attachments}: Pick<Written, 'attachments'>): Forwarded[] {
  return attachments.flatMap((one) => {
    if (!isForwarded(one) || (one.text ?? '') === '') return []
    return [{author: one.author_name || one.author_subname || '', text: one.text ?? ''}]
  })
}

/** A preview of a link to a message says the same as a message that was forwarded. */
function isForwarded(one: Written['attachments'][number]): boolean {
  return one.is_share === true || one.is_msg_unfurl === true
}

/** Its words, but for what was forwarded with it. Those of an app may stand in its blocks and attachments alone. */
export function wordsOf(
  message: Pick<Written, 'bot_id' | 'text' | 'attachments' | 'blocks'>,
): string {
  if (message.bot_id == null) return message.text
  const attachments = message.attachments.filter((one) => !isForwarded(one))
  return readAppWords({...message, attachments}).written
}

/** The Slack thread that a message belongs to, or begins. */
export function slackThreadOf({ts, threadTs}: Pick<PersonsMessage, 'ts' | 'threadTs'>): string {
  return threadTs ?? ts
}

export function isMention({text}: Pick<PersonsMessage, 'text'>, botUserId: string): boolean {
  return text.includes(`<@${botUserId}>`) || text.includes(`<@${botUserId}|`)
}
