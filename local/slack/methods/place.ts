import type {Arguments} from '../edge/arguments.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {Refusal} from '../edge/refusal.ts'
import type {Channel, Workspace} from '../workspace/workspace.ts'
import type {Desk} from './method.ts'

/** The channel that a call names, as far as the app may see it. A member's id means the direct message. */
export function findChannel({workspace}: Desk, args: Arguments): Channel {
  const id = args.required('channel')
  const channel = workspace.channel(id) ?? workspace.dmOf(id)
  if (channel === undefined || !isVisible(workspace, channel)) {
    throw new Refusal('channel_not_found')
  }
  return channel
}

/** Of private channels and direct messages only those know who are in them. */
export function isVisible(workspace: Workspace, channel: Channel): boolean {
  const isPublic = channel.kind === 'channel' && channel.isPrivate !== true
  return isPublic || channel.memberIds.includes(workspace.app.userId)
}

type ScopeFamily = 'channels' | 'groups' | 'mpim' | 'im'

/** The scopes of each kind of conversation begin with its family. */
export function scopeFamily({kind, isPrivate}: Channel): ScopeFamily {
  if (kind === 'dm') return 'im'
  if (kind === 'group_dm') return 'mpim'
  return isPrivate === true ? 'groups' : 'channels'
}

/** A channel whose messages the app may read. */
export function readableChannel(desk: Desk, args: Arguments): Channel {
  const channel = joinedChannel(desk, args)
  desk.grants.requireOneOf([`${scopeFamily(channel)}:history`])
  return channel
}

function joinedChannel(desk: Desk, args: Arguments): Channel {
  const channel = findChannel(desk, args)
  requireJoined(desk, channel)
  return channel
}

function requireJoined(desk: Desk, channel: Channel): void {
  if (!desk.workspace.hasMember(channel.id, desk.workspace.app.userId)) {
    throw new Refusal('not_in_channel')
  }
}

/** Where the app may write: `archived` is what the method calls a channel that is closed. */
export function writableChannel(desk: Desk, args: Arguments, archived = 'is_archived'): Channel {
  const channel = findChannel(desk, args)
  if (channel.archived) throw new Refusal(archived)
  return joinedChannel(desk, args)
}

/** Where the app may post: with `chat:write.public` also in public channels that it never joined. */
export function postableChannel(desk: Desk, args: Arguments, archived?: string): Channel {
  const channel = findChannel(desk, args)
  const isOpen = scopeFamily(channel) === 'channels' && desk.grants.has('chat:write.public')
  return isOpen && !channel.archived ? channel : writableChannel(desk, args, archived)
}

/** A message that everybody sees; ephemeral ones are nowhere in Slack's record. */
export function findMessage(desk: Desk, channel: Channel, ts: string): StoredMessage {
  const message = desk.messages.find(channel.id, ts)
  if (message === undefined || message.ephemeralTo !== undefined) {
    throw new Refusal('message_not_found')
  }
  return message
}
