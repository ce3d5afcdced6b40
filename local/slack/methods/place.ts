import type {Arguments} from '../arguments.ts'
import type {StoredMessage} from '../messages.ts'
import {Refusal} from '../refusal.ts'
import type {Channel} from '../workspace.ts'
import type {Desk} from './method.ts'

/** The channel that a call names, as far as the app may see it. A member's id means the direct message. */
export function findChannel({workspace}: Desk, args: Arguments): Channel {
  const id = args.required('channel')
  const channel = workspace.channel(id) ?? workspace.dmOf(id)
  if (channel === undefined) throw new Refusal('channel_not_found')
  return channel
}

export function joinedChannel(desk: Desk, args: Arguments): Channel {
  const channel = findChannel(desk, args)
  if (!desk.workspace.hasMember(channel.id, desk.workspace.app.userId)) {
    throw new Refusal('not_in_channel')
  }
  return channel
}

/** Where the app may write: `archived` is what the method calls a channel that is closed. */
export function writableChannel(desk: Desk, args: Arguments, archived = 'is_archived'): Channel {
  const channel = findChannel(desk, args)
  if (channel.archived) throw new Refusal(archived)
  return joinedChannel(desk, args)
}

/** A message that everybody sees; ephemeral ones are nowhere in Slack's record. */
export function findMessage(desk: Desk, channel: Channel, ts: string): StoredMessage {
  const message = desk.messages.find(channel.id, ts)
  if (message === undefined || message.ephemeralTo !== undefined) {
    throw new Refusal('message_not_found')
  }
  return message
}
