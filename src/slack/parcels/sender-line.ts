import {MAX_NAME, oneLine} from '../markup/lines.ts'
import type {Names} from '../markup/markup.ts'
import {texts} from '../texts.ts'

/** Who says it, and where: the platform does not know. One line, whatever people call themselves and their channels. */
export async function senderLine(
  names: Names,
  {user, channel}: {user: string; channel: string},
): Promise<string> {
  const name = oneLine(await names.user(user), MAX_NAME)
  if (channel.startsWith('D')) return texts.talk.sender.direct(name)
  return texts.talk.sender.channel(name, oneLine(await names.channel(channel), MAX_NAME))
}
