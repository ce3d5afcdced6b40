import type {AgentThreads} from '../agents/agent-threads.ts'
import type {Files, StoredFile} from '../files/files.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {type CodeChannel, statusOf} from '../workspace/code-channel.ts'
import type {Channel, Member} from '../workspace/workspace.ts'
import type {
  AgentThreadView,
  ChannelView,
  CodeChannelView,
  FileView,
  MemberView,
  MessageView,
} from './contract.ts'

export function toMemberView(member: Member): MemberView {
  const {id, name, realName, isBot, isAdmin, guest, deactivated, teamId, tz} = member
  return {
    id,
    name,
    realName,
    isBot,
    ...(isAdmin && {isAdmin}),
    ...(guest !== undefined && {isGuest: true}),
    ...(deactivated === true && {isDeactivated: true}),
    ...(teamId !== undefined && {isExternal: true}),
    ...(!isBot && {tz}),
  }
}

export function toChannelView(channel: Channel): ChannelView {
  const {id, kind, name, memberIds, isPrivate, archived, connectedTeamIds = [], code} = channel
  return {
    id,
    kind,
    name,
    memberIds,
    ...(isPrivate === true && {isPrivate}),
    ...(archived && {isArchived: true}),
    ...(connectedTeamIds.length > 0 && {isShared: true}),
    ...(code !== undefined && {code: toCodeView(code)}),
  }
}

function toCodeView(code: CodeChannel): CodeChannelView {
  const {title, contextBar, views, commands} = code
  return {status: statusOf(code, Date.now()), title, contextBar, views, commands}
}

export function toMessageView(files: Files, message: StoredMessage): MessageView {
  const {channel, ts, threadTs, userId, text, blocks, edited, reactions} = message
  const {attachments, ephemeralTo, system, persona, streaming, isBroadcast, fileIds = []} = message
  const carried = fileIds.flatMap((id) => files.find(id) ?? [])
  return {
    channel,
    ts,
    userId,
    text,
    edited: edited !== undefined,
    reactions,
    ...(threadTs !== undefined && {threadTs}),
    ...(isBroadcast && {isBroadcast}),
    ...(blocks !== undefined && {blocks}),
    ...(attachments !== undefined && {attachments}),
    ...(ephemeralTo !== undefined && {ephemeralTo}),
    ...(system !== undefined && {subtype: system.subtype}),
    ...(persona !== undefined && {persona}),
    ...(carried.length > 0 && {files: carried.map(toFileView)}),
    ...(streaming !== undefined && {streaming}),
  }
}

function toFileView({id, name, title, mimetype, size, state}: StoredFile): FileView {
  return {id, name, title, mimetype, size, isDeleted: state === 'deleted'}
}

export function toAgentThreadView(
  agentThreads: AgentThreads,
  {channel, threadTs}: {channel: string; threadTs: string},
): AgentThreadView {
  const thread = agentThreads.of(channel, threadTs)
  return {
    ...thread,
    channel,
    threadTs,
    statusLeftMs: agentThreads.statusLeftMs(channel, threadTs),
    canStop:
      thread.session?.status === 'processing' && agentThreads.options?.stopEvent === 'subscribed',
  }
}
