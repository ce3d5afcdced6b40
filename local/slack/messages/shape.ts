import type {Messages, StoredMessage} from './messages.ts'
import type {Roster} from '../workspace/workspace.ts'

/** Messages in Slack's own shape, as the Web API answers and the events carry them. */
export interface MessageShape {
  /** With `includeMetadata` as `include_all_metadata` asks for it. */
  of(message: StoredMessage, options?: {includeMetadata?: boolean}): Record<string, unknown>
  /** What stands where a parent was deleted and replies remain. */
  tombstone(message: StoredMessage): Record<string, unknown>
}

export function createMessageShape(
  workspace: Roster,
  messages: Messages,
  filesOf: (message: StoredMessage) => Record<string, unknown>,
): MessageShape {
  const threadFields = (message: StoredMessage): Record<string, unknown> => {
    if (message.threadTs !== undefined) {
      const parent = messages.find(message.channel, message.threadTs)
      const hasRoot = message.isBroadcast === true && parent !== undefined
      return {
        thread_ts: message.threadTs,
        parent_user_id: parent?.userId ?? 'USLACKBOT',
        ...(hasRoot && {root: of(parent)}),
      }
    }
    const thread = messages.thread(message.channel, message.ts)
    if (thread === undefined) return {}
    return {
      thread_ts: message.ts,
      reply_count: thread.replyCount,
      reply_users_count: thread.replyUserIds.length,
      latest_reply: thread.latestReply,
      reply_users: thread.replyUserIds,
      is_locked: workspace.channel(message.channel)?.lockedThreads?.includes(message.ts) === true,
      subscribed: true,
    }
  }
  const of: MessageShape['of'] = (message, {includeMetadata = false} = {}) => ({
    type: 'message',
    ...subtypeFields(message),
    ...(message.isBroadcast && {subtype: 'thread_broadcast'}),
    ...(message.botId === undefined ? {} : appFields(workspace, message.botId)),
    text: message.text,
    ts: message.ts,
    team: workspace.member(message.userId)?.teamId ?? workspace.team.id,
    ...filesOf(message),
    ...(message.blocks === undefined ? {} : {blocks: message.blocks}),
    ...(message.attachments === undefined ? {} : {attachments: message.attachments}),
    ...(message.edited === undefined
      ? {}
      : {edited: {user: message.edited.userId, ts: message.edited.ts}}),
    ...(message.streaming === undefined ? {} : {streaming_state: message.streaming}),
    ...(includeMetadata && message.metadata !== undefined ? {metadata: message.metadata} : {}),
    ...threadFields(message),
    ...reactionFields(message),
  })
  return {
    of,
    tombstone: (message) => ({
      type: 'message',
      subtype: 'tombstone',
      user: 'USLACKBOT',
      text: 'This message was deleted.',
      hidden: true,
      ts: message.ts,
      ...threadFields(message),
    }),
  }
}

/** Whichever app wrote it. */
function appFields({apps, team}: Roster, botId: string): Record<string, unknown> {
  const app = apps().find((one) => one.botId === botId)
  if (app === undefined) return {bot_id: botId}
  return {
    bot_id: app.botId,
    app_id: app.id,
    bot_profile: {
      id: app.botId,
      app_id: app.id,
      user_id: app.userId,
      name: app.name,
      deleted: false,
      updated: 0,
      team_id: team.id,
    },
  }
}

/** Who says it: a message under another name has no user, as in Slack. */
function subtypeFields({userId, system, persona}: StoredMessage): Record<string, unknown> {
  if (system !== undefined) return {subtype: system.subtype, user: userId, ...system.facts}
  if (persona === undefined) return {user: userId}
  const {username, iconEmoji, iconUrl} = persona
  const icons = iconEmoji === undefined ? iconUrl && {image_48: iconUrl} : {emoji: iconEmoji}
  return {
    subtype: 'bot_message',
    ...(username !== undefined && {username}),
    ...(icons !== undefined && {icons}),
  }
}

function reactionFields({reactions}: StoredMessage): Record<string, unknown> {
  if (reactions.length === 0) return {}
  return {
    reactions: reactions.map(({name, userIds}) => ({name, users: userIds, count: userIds.length})),
  }
}
