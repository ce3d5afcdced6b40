import type {Change} from '../workspace/changes.ts'
import type {Deliveries} from './deliveries.ts'
import type {EventLimit} from './event-limit.ts'
import type {MessageShape} from '../messages/shape.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {linksIn, unfurlIdOf} from '../unfurls/links.ts'
import {newId} from '../new-id.ts'
import type {Timestamps} from '../messages/timestamps.ts'
import {toWorkspaceEvents, type SlackEvent, type WorkspaceEventsParts} from './workspace-events.ts'
import type {Usergroups} from '../workspace/usergroups.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Tells the app an event, if it is subscribed to it. */
export type Tell = (event: SlackEvent) => void

/**
 * Turns what happened into the events that the app is subscribed to, in Slack's envelopes:
 * https://docs.slack.dev/apis/events-api. The app's own posts and edits come back to it too.
 */
export interface Events {
  tell: Tell
  tellOf: (change: Change) => void
}

interface EventsParts {
  workspace: Workspace
  shape: MessageShape
  timestamps: Timestamps
  deliveries: Deliveries
  limit: EventLimit
  usergroups: Usergroups
  now: () => number
  /** Bot events as a manifest names them; absent: all. */
  subscribed: readonly string[] | undefined
  /** Those whose links it hears of. */
  unfurlDomains: () => readonly string[]
  /** What was uninstalled hears nothing any more. */
  isActive: () => boolean
  toUser: WorkspaceEventsParts['toUser']
  toUsergroup: WorkspaceEventsParts['toUsergroup']
}

export function createEvents(parts: EventsParts): Events {
  const {workspace, deliveries, subscribed} = parts
  const tell: Tell = (event) => {
    const isWanted = event.type === UNASKED || subscribed?.includes(subscriptionOf(event)) !== false
    if (!parts.isActive() || !isWanted) return
    const room = parts.limit.take()
    if (room === 'told') return
    const key = newId('Ev')
    const body =
      room === 'free' ? toEnvelope(parts, key, event) : toLimited(workspace, room.limitedS)
    // Nobody waits for an event: its retries are the deliveries' own affair.
    void deliveries.send({kind: 'events_api', key, body})
  }
  return {
    tell,
    tellOf: (change) => {
      if (isHere(parts, change)) for (const event of toEvents(parts, change)) tell(event)
    },
  }
}

/** Nobody subscribes to it: whose step is reached hears so. https://docs.slack.dev/reference/events/function_executed */
const UNASKED = 'function_executed'

const messageSubscriptions: Readonly<Record<string, string>> = {
  channel: 'message.channels',
  group: 'message.groups',
  im: 'message.im',
  mpim: 'message.mpim',
}

/** Messages are subscribed to by the kind of their channel. */
function subscriptionOf(event: SlackEvent): string {
  if (event.type !== 'message') return event.type
  return messageSubscriptions[String(event['channel_type'])] ?? event.type
}

/** Whether it happened in this workspace. */
function isHere({workspace, usergroups}: EventsParts, change: Change): boolean {
  if ('member' in change) return workspace.member(change.member.id) !== undefined
  if ('usergroup' in change) return usergroups.find(change.usergroup.id) !== undefined
  if ('message' in change) return workspace.channel(change.message.channel) !== undefined
  if (!('channel' in change)) {
    const userId = 'file' in change ? change.file.userId : change.userId
    return workspace.member(userId) !== undefined
  }
  const {channel} = change
  return workspace.channel(typeof channel === 'string' ? channel : channel.id) !== undefined
}

/** A callback without an event in it. */
function toLimited({team, app}: Workspace, limitedS: number) {
  return {
    token: 'local-verification-token',
    type: 'app_rate_limited',
    team_id: team.id,
    minute_rate_limited: limitedS,
    api_app_id: app.id,
  }
}

function toEnvelope({workspace, now}: EventsParts, eventId: string, event: SlackEvent) {
  const {team, app} = workspace
  const channel =
    typeof event['channel'] === 'string' ? workspace.channel(event['channel']) : undefined
  const isShared = (channel?.connectedTeamIds ?? []).length > 0
  return {
    token: 'local-verification-token',
    // An event out of another company comes under that company's id.
    team_id: typeof event['user_team'] === 'string' ? event['user_team'] : team.id,
    context_team_id: team.id,
    context_enterprise_id: app.organization?.id ?? null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: eventId,
    event_time: Math.floor(now() / 1000),
    authorizations: [
      {
        enterprise_id: app.organization?.id ?? null,
        team_id: app.organization === undefined ? team.id : null,
        user_id: app.userId,
        is_bot: true,
        is_enterprise_install: app.organization !== undefined,
      },
    ],
    is_ext_shared_channel: isShared,
  }
}

function toEvents(parts: EventsParts, change: Change): SlackEvent[] {
  // The page draws these; what an app needs to know of them it is told in events of their own.
  if (change.type === 'view_shown' || change.type === 'agent_thread_changed') return []
  if (change.type === 'app_installed' || change.type === 'code_channel_changed') return []
  if (!('message' in change)) {
    const eventTs = (): string => parts.timestamps.next()
    return toWorkspaceEvents({...parts, eventTs}, change)
  }
  const {message} = change
  const {workspace} = parts
  if (message.ephemeralTo !== undefined) return []
  const isMember = workspace.hasMember(message.channel, workspace.app.userId)
  return [...(isMember ? toMessageEvents(parts, change) : []), ...toLinkEvents(parts, change)]
}

function toMessageEvents(
  parts: EventsParts,
  change: Extract<Change, {message: StoredMessage}>,
): SlackEvent[] {
  const {message} = change
  switch (change.type) {
    case 'posted':
      return [toPosted(parts, message), ...toMention(parts, message, '')]
    case 'edited':
      return [
        toChanged(parts, parts.shape.of(message), change.previous),
        ...toMention(parts, message, change.previous.text),
      ]
    case 'removed':
      return change.isTombstone
        ? [toChanged(parts, parts.shape.tombstone(message), message)]
        : [toDeleted(parts, message)]
    case 'reacted':
      return [
        {
          type: `reaction_${change.verb}`,
          user: change.userId,
          reaction: change.name,
          item: {type: 'message', channel: message.channel, ts: message.ts},
          item_user: message.userId,
          event_ts: parts.timestamps.next(),
        },
      ]
    default:
      throw new Error(`Unknown change: ${String(change satisfies never)}`)
  }
}

/**
 * Links of the app's domains, wherever they are posted or come with an edit; of its own messages it hears nothing:
 * https://docs.slack.dev/reference/events/link_shared
 */
function toLinkEvents(
  parts: EventsParts,
  change: Extract<Change, {message: StoredMessage}>,
): SlackEvent[] {
  if (change.type !== 'posted' && change.type !== 'edited') return []
  const {workspace, timestamps} = parts
  const {message} = change
  const {channel, ts, threadTs, botId, system, userId} = message
  if (botId === workspace.app.botId || system !== undefined) return []
  const domains = parts.unfurlDomains()
  const before = change.type === 'edited' ? linksIn(change.previous.text, domains) : []
  const links = linksIn(message.text, domains).filter(
    ({url}) => !before.some((one) => one.url === url),
  )
  if (links.length === 0) return []
  return [
    {
      ...{type: 'link_shared', channel, user: userId, message_ts: ts, links},
      is_bot_user_member: workspace.hasMember(channel, workspace.app.userId),
      ...(threadTs === undefined ? {} : {thread_ts: threadTs}),
      ...{unfurl_id: unfurlIdOf(channel, ts), source: 'conversations_history'},
      event_ts: timestamps.next(),
    },
  ]
}

function channelType({workspace}: EventsParts, id: string): string {
  const channel = workspace.channel(id)
  if (channel?.kind === 'dm') return 'im'
  if (channel?.kind === 'group_dm') return 'mpim'
  return channel?.isPrivate === true ? 'group' : 'channel'
}

function toPosted(parts: EventsParts, message: StoredMessage): SlackEvent {
  return {
    ...parts.shape.of(message),
    ...authorFields(parts, message),
    type: 'message',
    channel: message.channel,
    channel_type: channelType(parts, message.channel),
    event_ts: message.ts,
  }
}

/** Who wrote it, in a channel that another company shares. */
function authorFields({workspace}: EventsParts, message: StoredMessage): Record<string, unknown> {
  const member = workspace.member(message.userId)
  if (member?.teamId === undefined) return {}
  const {teamId, name, realName, displayName, guest} = member
  return {
    user_team: teamId,
    source_team: teamId,
    user_profile: {
      name,
      real_name: realName,
      display_name: displayName,
      team: teamId,
      is_restricted: guest !== undefined,
      is_ultra_restricted: guest === 'single_channel',
    },
  }
}

/** A mention by a person, in a channel: also when an edit brought it in. */
function toMention(parts: EventsParts, message: StoredMessage, previousText: string): SlackEvent[] {
  const token = `<@${parts.workspace.app.userId}>`
  const isMention =
    message.botId === undefined &&
    message.system === undefined &&
    channelType(parts, message.channel) !== 'im' &&
    message.text.includes(token) &&
    !previousText.includes(token)
  if (!isMention) return []
  return [
    {
      ...parts.shape.of(message),
      ...authorFields(parts, message),
      type: 'app_mention',
      channel: message.channel,
      event_ts: message.ts,
    },
  ]
}

function toChanged(
  parts: EventsParts,
  message: Record<string, unknown>,
  previous: StoredMessage,
): SlackEvent {
  const ts = parts.timestamps.next()
  return {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    message,
    previous_message: parts.shape.of(previous),
    channel: previous.channel,
    channel_type: channelType(parts, previous.channel),
    ts,
    event_ts: ts,
  }
}

function toDeleted(parts: EventsParts, previous: StoredMessage): SlackEvent {
  const ts = parts.timestamps.next()
  return {
    type: 'message',
    subtype: 'message_deleted',
    hidden: true,
    deleted_ts: previous.ts,
    previous_message: parts.shape.of(previous),
    channel: previous.channel,
    channel_type: channelType(parts, previous.channel),
    ts,
    event_ts: ts,
  }
}
