import type {ChannelView, MemberView, MessageView, WorkspaceView} from '../../page-feed/contract.ts'

/** A member as they look; the picture is an emoji's name in colons, or an address. */
export interface Author extends MemberView {
  iconEmoji?: string
  iconUrl?: string
}

export function memberOf(workspace: WorkspaceView, id: string): MemberView {
  const known = workspace.members.find((member) => member.id === id)
  const name = id === 'USLACKBOT' ? 'Slackbot' : id
  return known ?? {id, name, realName: name, isBot: false}
}

/** Who a message shows as its author: an app may write under another name and picture. */
export function authorOf(
  workspace: WorkspaceView,
  {userId, persona}: Pick<MessageView, 'userId' | 'persona'>,
): Author {
  const member = memberOf(workspace, userId)
  const {username = member.realName, iconEmoji, iconUrl} = persona ?? {}
  return {
    ...member,
    realName: username,
    ...(iconEmoji !== undefined && {iconEmoji}),
    ...(iconUrl !== undefined && {iconUrl}),
  }
}

/** `#web`, or in a direct message the names of the others: of everybody but `me`. */
export function titleOf(workspace: WorkspaceView, channel: ChannelView, me?: string): string {
  if (channel.kind === 'channel') return `#${channel.name}`
  const others = othersIn(workspace, channel, me)
  if (others.length === 0) return channel.name
  return others.map(({realName}) => realName).join(', ')
}

/** Those whom a direct message is with. */
export function othersIn(
  workspace: WorkspaceView,
  channel: ChannelView,
  me: string | undefined,
): MemberView[] {
  const isOther = ({id, name, isBot}: MemberView): boolean =>
    me === undefined && channel.kind === 'dm'
      ? isBot || name === channel.name
      : id !== me && channel.memberIds.includes(id)
  return workspace.members.filter(
    (member) => channel.memberIds.includes(member.id) && isOther(member),
  )
}

/** The first app's user; a workspace may have none, until somebody installs one. */
export function appUserOf({members, botUserId}: WorkspaceView): MemberView | undefined {
  return members.find(({id}) => id === botUserId)
}

/** An app hears nothing of a channel that it is not in. */
export function hasApp(workspace: WorkspaceView, channel: ChannelView): boolean {
  return channel.memberIds.includes(workspace.botUserId)
}

/** Whether the app is going to work on it: a task was put to it, by mention or in its own channel. */
export function isForApp(
  workspace: WorkspaceView,
  message: Pick<MessageView, 'channel' | 'text'>,
): boolean {
  const channel = workspace.channels.find(({id}) => id === message.channel)
  if (!channel || !hasApp(workspace, channel)) return false
  if (channel.kind === 'dm') return true
  const [before = '', ...after] = message.text.split(`<@${workspace.botUserId}>`)
  return after.length > 0 && [before, ...after].some((words) => words.trim() !== '')
}

/** Those as whom one can act: whoever left the company is still known, and acts no more. */
export function peopleOf({members}: WorkspaceView): MemberView[] {
  return members.filter(({isBot, isDeactivated}) => !isBot && isDeactivated !== true)
}

/** What a person hears who mentions an app that is not there; `undefined`: all of them are. */
export function absenceOf(
  workspace: WorkspaceView,
  channel: ChannelView,
  text: string,
): string | undefined {
  if (channel.kind !== 'channel') return undefined
  const absent = workspace.apps.find(
    ({userId}) => text.includes(`<@${userId}>`) && !channel.memberIds.includes(userId),
  )
  if (absent === undefined) return undefined
  return `${absent.name} is not in #${channel.name} and has not seen this. Choose “Add ${absent.name}” above, then mention it again.`
}

/** Whether somebody can act on the page under this id. */
export function isPerson(workspace: WorkspaceView, id: string): boolean {
  return peopleOf(workspace).some((member) => member.id === id)
}

/** The channels that a member is in; a direct message has two members, and nobody else sees it. */
export function channelsOf(workspace: WorkspaceView, member: string): ChannelView[] {
  return workspace.channels.filter(({memberIds}) => memberIds.includes(member))
}

/** The app with which a direct message is held, if it has a Home. */
export function homeAppOf(
  workspace: WorkspaceView,
  channel: ChannelView,
): WorkspaceView['apps'][number] | undefined {
  if (channel.kind !== 'dm') return undefined
  return workspace.apps.find(({hasHome, userId}) => hasHome && channel.memberIds.includes(userId))
}

/** As the sidebar lists them: channels, then direct messages; what is closed stands last. */
export function inOrder(channels: readonly ChannelView[]): ChannelView[] {
  const rank = ({kind, isArchived}: ChannelView): number =>
    (kind === 'channel' ? 0 : 2) + (isArchived === true ? 1 : 0)
  return channels.toSorted((left, right) => rank(left) - rank(right))
}

/** The app that shows a status and prompts around threads. */
export function agentNameOf(workspace: WorkspaceView): string {
  const agent = workspace.apps.find(({isAgent}) => isAgent)
  return agent?.name ?? memberOf(workspace, workspace.botUserId).realName
}
