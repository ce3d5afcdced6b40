import type {Names} from './markup.ts'
import {texts} from './texts.ts'

/** Who says it, and where: the platform does not know. */
export async function senderLine(
  names: Names,
  {user, channel}: {user: string; channel: string},
): Promise<string> {
  const name = await names.user(user)
  if (channel.startsWith('D')) return texts.talk.sender.direct(name)
  return texts.talk.sender.channel(name, await names.channel(channel))
}
