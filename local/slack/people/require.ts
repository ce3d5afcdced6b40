import type {Messages, StoredMessage} from '../messages/messages.ts'
import type {Channel, Member, Roster} from '../workspace/workspace.ts'

export function requireMember(roster: Roster, id: string): Member {
  const member = roster.member(id)
  if (member === undefined) {
    const known = roster.members().map((one) => one.id)
    throw new Error(`There is no member ${id}. Known: ${known.join(', ')}.`)
  }
  return member
}

export function requireChannel(roster: Roster, id: string): Channel {
  const channel = roster.channel(id)
  if (channel === undefined) {
    const known = roster.channels().map((one) => one.id)
    throw new Error(`There is no channel ${id}. Known: ${known.join(', ')}.`)
  }
  return channel
}

export function requirePlace(roster: Roster, as: string, channelId: string): Channel {
  const member = requireMember(roster, as)
  const channel = requireChannel(roster, channelId)
  if (!channel.memberIds.includes(member.id)) {
    throw new Error(`${member.name} is not in ${channelId}. Choose one of its members.`)
  }
  return channel
}

export function requireMessage(
  messages: Messages,
  {as, channel, ts}: {as: string; channel: string; ts: string},
): StoredMessage {
  const message = messages.find(channel, ts)
  const isSeen = message !== undefined && (message.ephemeralTo ?? as) === as
  if (!isSeen) throw new Error(`${as} sees no message ${ts} in ${channel}. It may be deleted.`)
  return message
}
