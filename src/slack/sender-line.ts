import type {Names} from './markup.ts'

/** Who says it, and where: the platform does not know. */
export async function senderLine(
  names: Names,
  {user, channel}: {user: string; channel: string},
): Promise<string> {
  const name = await names.user(user)
  if (channel.startsWith('D')) return `${name} in a direct message`
  return `${name} in #${await names.channel(channel)}`
}
