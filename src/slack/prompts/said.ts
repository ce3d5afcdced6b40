import {z} from 'zod'
import {filesIn, forwardedIn, told, wordsOf, writtenSchema} from '../incoming/message.ts'
import {type Ourselves, isOurs} from '../incoming/ourselves.ts'
import type {Shortcut} from '../incoming/shortcut.ts'
import type {Names} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import type {QuotedMessage, QuotedReader} from './quoting.ts'

/** A message as Slack's lists have it, whoever wrote it. */
const saidSchema = writtenSchema.extend({
  user: told,
  username: z.string().nullish(),
  bot_profile: z.looseObject({name: z.string().nullish()}).nullish(),
})
export type Said = z.infer<typeof saidSchema>

/** What people and apps say; the rest tells who joined, what was pinned. */
const SAID = [undefined, 'file_share', 'thread_broadcast', 'bot_message', 'me_message']

/** `undefined`: it is no message. What an app says is its text, wherever it stands; of what we say the text is all. */
export function readSaid(message: unknown, us: Ourselves): Said | undefined {
  const {data} = saidSchema.safeParse(message)
  if (data === undefined || isOurs({user: data.user, botId: data.bot_id}, us)) return data
  return {...data, text: wordsOf(data)}
}

export function isSaid({subtype}: Said): boolean {
  return SAID.includes(subtype)
}

/** The same of a message that a shortcut was used on. */
export function wordsPicked(message: Shortcut['message'], us: Ourselves): string {
  return isOurs(message, us) ? message.text : message.words
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
