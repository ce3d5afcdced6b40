import {type CodeChannel, statusOf} from './code-channel.ts'
import type {Channel, Workspace} from './workspace.ts'

/** https://docs.slack.dev/reference/objects/conversation-object, as the app sees it. */
export function toSlackChannel(
  workspace: Workspace,
  channel: Channel,
): Record<string, unknown> & {id: string} {
  const {userId} = workspace.app
  const shared = {
    id: channel.id,
    created: channel.createdS,
    is_archived: channel.archived,
    is_org_shared: false,
    context_team_id: workspace.team.id,
    updated: channel.createdS * 1000,
  }
  if (channel.kind === 'dm') {
    const user = channel.memberIds.find((id) => id !== userId) ?? ''
    const isDeleted = workspace.member(user)?.deactivated === true
    return {...shared, is_im: true, user, is_user_deleted: isDeleted, is_open: true, priority: 0}
  }
  return {...shared, ...toNamed(workspace, channel)}
}

function toNamed(workspace: Workspace, channel: Channel): Record<string, unknown> {
  const note = {value: '', creator: '', last_set: 0}
  const isGroupDm = channel.kind === 'group_dm'
  const connected = channel.connectedTeamIds ?? []
  return {
    name: channel.name,
    name_normalized: channel.name,
    is_channel: !isGroupDm,
    is_group: false,
    is_im: false,
    is_mpim: isGroupDm,
    is_private: isGroupDm || channel.isPrivate === true,
    is_general: channel.name === 'general',
    is_shared: connected.length > 0,
    is_ext_shared: connected.length > 0,
    is_pending_ext_shared: false,
    is_member: channel.memberIds.includes(workspace.app.userId),
    unlinked: 0,
    creator: 'U0JANE',
    shared_team_ids: [workspace.team.id, ...connected],
    connected_team_ids: connected,
    pending_shared: [],
    parent_conversation: null,
    topic: note,
    purpose: note,
    previous_names: channel.previousNames ?? [],
    ...(channel.code !== undefined && {properties: toProperties(channel.code)}),
  }
}

/** https://docs.slack.dev/ai/slack-code/code-channel-properties */
function toProperties(code: CodeChannel): Record<string, unknown> {
  const {agentId, title, origin, contextBar, summaryTs} = code
  return {
    agent_session: {
      status: statusOf(code, Date.now()),
      encoded_agent_bot_user_ids: [agentId],
      title,
      ...(origin !== undefined && {origin_link: {channel_id: origin.channel, ts: origin.ts}}),
    },
    code_channel: {
      ...(contextBar.length > 0 && {
        context_bar_items: contextBar.map(({itemType, ...item}) => {
          return {...item, item_type: itemType, bot_user_id: agentId}
        }),
      }),
      ...(summaryTs !== undefined && {summary_message: {message_ts: summaryTs}}),
    },
  }
}
