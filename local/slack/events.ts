import {randomInt} from 'node:crypto'
import type {Change} from './changes.ts'
import type {Deliveries} from './deliveries.ts'
import type {MessageShape} from './message-shape.ts'
import type {StoredMessage} from './messages.ts'
import type {Timestamps} from './timestamps.ts'
import type {Workspace} from './workspace.ts'

type SlackEvent = Record<string, unknown> & {type: string}

/**
 * Turns what happened into the events that the app is subscribed to, in Slack's envelopes:
 * https://docs.slack.dev/apis/events-api. The app's own posts and edits come back to it too.
 */
interface Events {
  tell: (change: Change) => void
  tokensRevoked(): void
}

interface EventsParts {
  workspace: Workspace
  shape: MessageShape
  timestamps: Timestamps
  deliveries: Deliveries
}

export function createEvents(parts: EventsParts): Events {
  const {workspace, deliveries} = parts
  const deliver = (event: SlackEvent): void => {
    const envelope = toEnvelope(workspace, event)
    // Nobody waits for an event: its retries are the deliveries' own affair.
    void deliveries.send({kind: 'events_api', key: envelope.event_id, body: envelope})
  }
  return {
    tell: (change) => {
      for (const event of toEvents(parts, change)) deliver(event)
    },
    tokensRevoked: () =>
      deliver({type: 'tokens_revoked', tokens: {oauth: [], bot: [workspace.app.userId]}}),
  }
}

export function newId(prefix: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  return `${prefix}0${Array.from({length: 9}, () => letters[randomInt(letters.length)]).join('')}`
}

function toEnvelope({team, app}: Workspace, event: SlackEvent) {
  return {
    token: 'local-verification-token',
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: newId('Ev'),
    event_time: Math.floor(Date.now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: app.userId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  }
}

function toEvents(parts: EventsParts, change: Change): SlackEvent[] {
  const {workspace} = parts
  const {userId} = workspace.app
  switch (change.type) {
    case 'bot_kicked':
      return [{type: 'channel_left', channel: change.channel.id, event_ts: parts.timestamps.next()}]
    case 'bot_invited':
      return [toJoined(parts, change.channel.id)]
    case 'archived':
      return workspace.hasMember(change.channel.id, userId)
        ? [
            {
              type: 'channel_archive',
              channel: change.channel.id,
              event_ts: parts.timestamps.next(),
            },
          ]
        : []
    default: {
      const {message} = change
      const isHeard =
        message.ephemeralTo === undefined && workspace.hasMember(message.channel, userId)
      return isHeard ? toMessageEvents(parts, change) : []
    }
  }
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

const channelType = ({workspace}: EventsParts, channel: string): string =>
  workspace.channel(channel)?.kind === 'dm' ? 'im' : 'channel'

function toPosted(parts: EventsParts, message: StoredMessage): SlackEvent {
  return {
    ...parts.shape.of(message),
    type: 'message',
    channel: message.channel,
    channel_type: channelType(parts, message.channel),
    event_ts: message.ts,
  }
}

/** A mention by a person, in a channel: also when an edit brought it in. */
function toMention(parts: EventsParts, message: StoredMessage, previousText: string): SlackEvent[] {
  const token = `<@${parts.workspace.app.userId}>`
  const isMention =
    message.botId === undefined &&
    channelType(parts, message.channel) === 'channel' &&
    message.text.includes(token) &&
    !previousText.includes(token)
  if (!isMention) return []
  return [
    {
      ...parts.shape.of(message),
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

function toJoined({workspace, timestamps}: EventsParts, channel: string): SlackEvent {
  return {
    type: 'member_joined_channel',
    user: workspace.app.userId,
    channel,
    channel_type: 'C',
    team: workspace.team.id,
    event_ts: timestamps.next(),
  }
}
