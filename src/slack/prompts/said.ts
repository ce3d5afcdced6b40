import {z} from 'zod'
import {filesIn, forwardedIn, told, writtenSchema} from '../incoming/message.ts'
import type {Names} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {QuotedMessage, QuotedReader} from './quoting.ts'

/** A message as Slack's lists have it, whoever wrote it. */
export const saidSchema = writtenSchema.extend({
  user: told,
  username: z.string().nullish(),
  bot_profile: z.looseObject({name: z.string().nullish()}).nullish(),
})
export type Said = z.infer<typeof saidSchema>

/** What people and apps say; the rest tells who joined, what was pinned. */
const SAID = [undefined, 'file_share', 'thread_broadcast', 'bot_message', 'me_message']

export function isSaid({subtype}: Said): boolean {
  return SAID.includes(subtype)
}

/** In words that can be read without Slack. */
export async function toQuoted(
  message: Said,
  {names, readQuoted}: {names: Names; readQuoted: QuotedReader},
): Promise<QuotedMessage> {
  return {
    author: await authorOf(message, names),
    text: await readQuoted(message.text, names),
    files: filesIn(message).map(({name}) => name),
    forwarded: await Promise.all(
      forwardedIn(message).map(async ({author, text}) => ({
        author,
        text: await readQuoted(text, names),
      })),
    ),
  }
}

async function authorOf(message: Said, names: Names): Promise<string> {
  const {user, bot_id: botId, username, bot_profile: profile} = message
  if (botId == null) return user === undefined ? texts.quoting.somebody : names.user(user)
  const name = username || profile?.name || (user === undefined ? '' : await names.user(user))
  return name === '' ? texts.quoting.anApp : texts.quoting.app(name)
}
