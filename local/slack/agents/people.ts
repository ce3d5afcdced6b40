import type {AgentThreads} from './agent-threads.ts'
import type {Tell} from '../delivery/events.ts'
import type {Conversation} from '../messages/conversation.ts'
import type {StoredMessage} from '../messages/messages.ts'
import type {Streams} from '../streams/streams.ts'
import type {Timestamps} from '../messages/timestamps.ts'
import {statusOf} from '../workspace/code-channel.ts'
import type {SessionStatus} from '../workspace/session-status.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** What members do with an app that is declared as an agent. */
export interface AgentPeople {
  /**
   * Slack's own stop button, shown while the session of the thread, or without one that of the code channel, is
   * `processing`. The session stays so until the app changes it: https://docs.slack.dev/reference/events/agent_session_stopped
   */
  stop(of: {as: string; channel: string; threadTs?: string}): Promise<void>
  renameSession(naming: {
    as: string
    channel: string
    threadTs: string
    title: string
  }): Promise<void>
  /** A new thread in the older assistant container; `from`: the channel looked at. */
  openAssistantThread(opening: {as: string; from?: string; appId?: string}): Promise<StoredMessage>
  /**
   * Looks at a channel, or at a message there, beside the agent's conversation:
   * https://docs.slack.dev/reference/events/app_context_changed
   */
  changeContext(look: {as: string; to: string; ts?: string; appId?: string}): Promise<void>
  /** The person goes to another channel with the thread open. */
  changeAssistantContext(move: {
    as: string
    threadTs: string
    to: string
    appId?: string
  }): Promise<void>
}

interface AgentPeopleParts {
  workspace: Workspace
  conversation: Conversation
  /** Tells the app an event. */
  tell: Tell
  timestamps: Timestamps
  streams: Streams
  agentThreads: AgentThreads
}

export function createAgentPeople(parts: AgentPeopleParts): AgentPeople {
  const {workspace, timestamps, streams, agentThreads} = parts
  const tell: Tell = (event) => parts.tell({...event, event_ts: timestamps.next()})
  return {
    stop: async ({as, channel, threadTs}) => {
      const status =
        threadTs === undefined
          ? requireCodeStatus(parts, {as, channel})
          : requireSession(parts, {as, channel, threadTs}).status
      const hasButton = agentThreads.options?.stopEvent === 'subscribed'
      if (status !== 'processing' || !hasButton) {
        throw new Error(`${threadTs ?? channel} shows no stop button: its session is ${status}.`)
      }
      const place = {channel, user: as, ...(threadTs !== undefined && {thread_ts: threadTs})}
      const stopped = threadTs === undefined ? [] : streams.stopThread(channel, threadTs)
      tell({type: 'agent_session_stopped', ...place, streaming_message_ts: stopped})
    },
    renameSession: async ({as, channel, threadTs, title}) => {
      const session = requireSession(parts, {as, channel, threadTs})
      agentThreads.change(channel, threadTs, {session: {...session, title}})
      const previous = session.title === undefined ? {} : {previous_title: session.title}
      const place = {channel, user: as, team_id: workspace.team.id, thread_ts: threadTs}
      tell({type: 'agent_session_title_changed', ...place, title, ...previous})
    },
    changeContext: async ({as, to, ts}) => {
      if (agentThreads.options?.view !== 'agent_view') {
        throw new Error('Only an app with an agent_view hears what a person looks at.')
      }
      const message = {
        type: 'slack#/types/message_context',
        value: {message_ts: ts, channel_id: to},
      }
      const entity = ts === undefined ? {type: 'slack#/types/channel_id', value: to} : message
      const {team} = workspace
      const context = {entities: [{...entity, team_id: team.id}]}
      const channel = workspace.dmOf(as)?.id
      tell({type: 'app_context_changed', channel, user: as, context})
    },
    ...createAssistantContainer(parts, tell),
  }
}

function createAssistantContainer(
  {workspace, conversation, agentThreads}: AgentPeopleParts,
  tell: Tell,
): Pick<AgentPeople, 'openAssistantThread' | 'changeAssistantContext'> {
  const {app, team} = workspace
  const dmOf = (userId: string): string => {
    const dm = workspace.dmOf(userId)
    if (dm === undefined) throw new Error(`${userId} has no direct message with ${app.name}.`)
    if (agentThreads.options?.view === 'assistant_view') return dm.id
    throw new Error('Only an app with the older assistant_view has assistant threads.')
  }
  const look = (kind: string, at: {as: string; channel: string; threadTs: string}): void => {
    const {contextChannel} = agentThreads.of(at.channel, at.threadTs)
    const context =
      contextChannel === undefined
        ? {}
        : {channel_id: contextChannel, team_id: team.id, enterprise_id: null}
    const place = {user_id: at.as, channel_id: at.channel, thread_ts: at.threadTs}
    tell({type: `assistant_thread_${kind}`, assistant_thread: {...place, context}})
  }
  return {
    openAssistantThread: async ({as, from}) => {
      const channel = dmOf(as)
      const author = {userId: app.userId, botId: app.botId}
      const root = conversation.post({channel, ...author, text: 'New Assistant Thread'})
      if (from !== undefined) agentThreads.change(channel, root.ts, {contextChannel: from})
      look('started', {as, channel, threadTs: root.ts})
      return root
    },
    changeAssistantContext: async ({as, threadTs, to}) => {
      const channel = dmOf(as)
      agentThreads.change(channel, threadTs, {contextChannel: to})
      look('context_changed', {as, channel, threadTs})
    },
  }
}

function requireCodeStatus(
  {workspace}: AgentPeopleParts,
  {as, channel}: {as: string; channel: string},
): SessionStatus {
  if (!workspace.hasMember(channel, as)) {
    throw new Error(`${as} is not in ${channel}. Choose one of its members.`)
  }
  const code = workspace.channel(channel)?.code
  if (code?.agentId !== workspace.app.userId) throw new Error(`${channel} is no code channel.`)
  return statusOf(code, Date.now())
}

function requireSession(
  {workspace, agentThreads}: AgentPeopleParts,
  {as, channel, threadTs}: {as: string; channel: string; threadTs: string},
) {
  if (!workspace.hasMember(channel, as)) {
    throw new Error(`${as} is not in ${channel}. Choose one of its members.`)
  }
  const {session} = agentThreads.of(channel, threadTs)
  if (session === undefined) throw new Error(`${threadTs} has no agent session.`)
  return session
}
