import type {ChannelView, MemberView, MessageView, WorkspaceView} from '../page-feed/contract.ts'

export function memberOf(workspace: WorkspaceView, id: string): MemberView {
  const known = workspace.members.find((member) => member.id === id)
  const name = id === 'USLACKBOT' ? 'Slackbot' : id
  return known ?? {id, name, realName: name, isBot: false}
}

/** `#web`, or in a direct message the other one's name. */
export function titleOf(workspace: WorkspaceView, channel: ChannelView): string {
  if (channel.kind === 'channel') return `#${channel.name}`
  const other = workspace.members.find((member) => member.name === channel.name)
  return other?.realName ?? channel.name
}

/** An app hears nothing of a channel that it is not in. */
export function hasApp(workspace: WorkspaceView, channel: ChannelView): boolean {
  return channel.memberIds.includes(workspace.botUserId)
}

/** Whether the app is going to answer: it was mentioned, or the message stands in its own channel. */
export function isForApp(
  workspace: WorkspaceView,
  message: Pick<MessageView, 'channel' | 'text'>,
): boolean {
  const channel = workspace.channels.find(({id}) => id === message.channel)
  if (!channel || !hasApp(workspace, channel)) return false
  return channel.kind === 'dm' || message.text.includes(`<@${workspace.botUserId}>`)
}

/** Whether somebody can act on the page under this id. */
export function isPerson(workspace: WorkspaceView, id: string): boolean {
  return workspace.members.some((member) => member.id === id && !member.isBot)
}

/** The channels that a member is in; a direct message has two members, and nobody else sees it. */
export function channelsOf(workspace: WorkspaceView, member: string): ChannelView[] {
  return workspace.channels.filter(({memberIds}) => memberIds.includes(member))
}
