import type {WorkspaceChange} from '../workspace/changes.ts'
import type {Usergroup} from '../workspace/usergroups.ts'
import type {Channel, Member, Workspace} from '../workspace/workspace.ts'

export type SlackEvent = Record<string, unknown> & {type: string}

export interface WorkspaceEventsParts {
  workspace: Workspace
  eventTs: () => string
  toUser: (member: Member) => Record<string, unknown>
  toUsergroup: (usergroup: Usergroup) => Record<string, unknown>
}

/**
 * What Slack tells the app of channels, members, groups and files:
 * https://docs.slack.dev/reference/events. Of a public channel every app hears; of a private one
 * those who are in it, and private channels have events of other names.
 */
export function toWorkspaceEvents(parts: WorkspaceEventsParts, change: Told): SlackEvent[] {
  const ts = {event_ts: parts.eventTs()}
  switch (change.type) {
    case 'member_added':
    case 'member_changed':
      return [toMemberEvent(parts, change)]
    case 'usergroup_created':
    case 'usergroup_updated': {
      const type = change.type.replace('usergroup', 'subteam')
      return [{type, subteam: parts.toUsergroup(change.usergroup), ...ts}]
    }
    case 'file_shared':
      return parts.workspace.hasMember(change.channel, parts.workspace.app.userId)
        ? [{type: 'file_shared', channel_id: change.channel, ...fileFields(change.file), ...ts}]
        : []
    case 'file_deleted':
      return [{type: 'file_deleted', file_id: change.file.id, ...ts}]
    case 'member_joined':
    case 'member_left':
      return toMembershipEvents(parts, change)
    default:
      return toChannelEvents(parts, change)
  }
}

/** What a code channel shows is the agent's own doing. */
type Told = Exclude<WorkspaceChange, {type: 'code_channel_changed'}>
type MemberChange = Extract<Told, {member: unknown}>
type MembershipChange = Extract<Told, {type: 'member_joined' | 'member_left'}>
type ChannelChange = Exclude<Extract<Told, {channel: Channel}>, MembershipChange>

function toMemberEvent(
  {toUser, eventTs}: WorkspaceEventsParts,
  {type, member}: MemberChange,
): SlackEvent {
  const user = toUser(member)
  return {type: type === 'member_added' ? 'team_join' : 'user_change', user, event_ts: eventTs()}
}

function fileFields(file: {id: string; userId: string}): Record<string, unknown> {
  return {file_id: file.id, user_id: file.userId, file: {id: file.id}}
}

/** The app itself hears that it was removed by an event of another name. */
function toMembershipEvents(
  {workspace, eventTs}: WorkspaceEventsParts,
  change: MembershipChange,
): SlackEvent[] {
  const {channel, userId} = change
  const {app, team} = workspace
  if (change.type === 'member_left' && userId === app.userId) {
    const type = `${family(channel)}_left`
    return [{type, channel: channel.id, actor_id: change.actorId, event_ts: eventTs()}]
  }
  if (!channel.memberIds.includes(app.userId)) return []
  const inviter =
    change.type === 'member_joined' && change.inviterId !== undefined
      ? {inviter: change.inviterId}
      : {}
  return [
    {
      type: `${change.type}_channel`,
      user: userId,
      channel: channel.id,
      // Of private ones too since March 2021: only older ones have ids that begin with G.
      channel_type: 'C',
      team: workspace.member(userId)?.teamId ?? team.id,
      ...inviter,
      event_ts: eventTs(),
    },
  ]
}

function toChannelEvents(parts: WorkspaceEventsParts, change: ChannelChange): SlackEvent[] {
  const {channel} = change
  const {workspace, eventTs} = parts
  const isHeard = channel.isPrivate !== true || channel.memberIds.includes(workspace.app.userId)
  if (!isHeard) return []
  const ts = {event_ts: eventTs()}
  const named = {id: channel.id, name: channel.name, name_normalized: channel.name}
  switch (change.type) {
    case 'channel_created':
      if (channel.isPrivate === true) return []
      return [{type: 'channel_created', channel: {...named, created: channel.createdS}, ...ts}]
    case 'channel_renamed':
      return [
        {type: `${family(channel)}_rename`, channel: {...named, created: channel.createdS}, ...ts},
      ]
    case 'channel_archived':
    case 'channel_unarchived': {
      const verb = change.type === 'channel_archived' ? 'archive' : 'unarchive'
      const type = `${family(channel)}_${verb}`
      return [{type, channel: channel.id, user: change.actorId, is_moved: 0, ...ts}]
    }
    case 'channel_connected':
      return [
        {type: 'channel_shared', channel: channel.id, connected_team_id: change.teamId, ...ts},
      ]
    case 'channel_disconnected': {
      const isShared = (channel.connectedTeamIds ?? []).length > 0
      const facts = {previously_connected_team_id: change.teamId, is_ext_shared: isShared}
      return [{type: 'channel_unshared', channel: channel.id, ...facts, ...ts}]
    }
    default:
      throw new Error(`Unknown change: ${String(change satisfies never)}`)
  }
}

function family({isPrivate}: Channel): 'channel' | 'group' {
  return isPrivate === true ? 'group' : 'channel'
}
