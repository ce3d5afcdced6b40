import {z} from 'zod'
import {
  type Forwarded,
  type SharedFile,
  filesIn,
  forwardedIn,
  orEmpty,
  wordsOf,
  writtenSchema,
} from './message.ts'
import {type Who, actor, parserOf, toWho} from './who.ts'

/** A message shortcut: https://docs.slack.dev/interactivity/implementing-shortcuts */
export interface Shortcut extends Who {
  kind: 'shortcut'
  callbackId: string
  channel: string
  /** The message that it was used on, whoever wrote it. */
  message: {
    ts: string
    threadTs: string | undefined
    /** Empty for what an app wrote without a user. */
    user: string
    /** Of an app's. */
    botId: string | undefined
    text: string
    /** All that stands in it to read. */
    words: string
    files: SharedFile[]
    forwarded: Forwarded[]
  }
  triggerId: string
  responseUrl: string
}

const shortcutSchema = z.object({
  type: z.literal('message_action'),
  ...actor,
  callback_id: z.string(),
  channel: z.object({id: z.string()}),
  message: writtenSchema.extend({user: orEmpty}),
  trigger_id: z.string(),
  response_url: orEmpty,
})

export const parseShortcut = parserOf(shortcutSchema, (data): Shortcut => {
  const {message} = data
  return {
    kind: 'shortcut',
    ...toWho(data),
    callbackId: data.callback_id,
    channel: data.channel.id,
    message: {
      ts: message.ts,
      threadTs: message.thread_ts === message.ts ? undefined : message.thread_ts,
      user: message.user,
      botId: message.bot_id ?? undefined,
      text: message.text,
      words: wordsOf(message),
      files: filesIn(message),
      forwarded: forwardedIn(message),
    },
    triggerId: data.trigger_id,
    responseUrl: data.response_url,
  }
})
