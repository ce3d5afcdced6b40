import {randomUUID} from 'node:crypto'
import {isRecord} from '../edge/arguments.ts'
import type {Found} from '../blocks/elements.ts'
import type {MessageShape} from '../messages/shape.ts'
import type {StoredMessage} from '../messages/messages.ts'
import type {NewResponseUrl} from '../delivery/response-urls.ts'
import type {Timestamps} from '../messages/timestamps.ts'
import type {Payload} from '../delivery/transport.ts'
import type {Triggers} from './triggers.ts'
import {toSlackView, type StoredView} from './views.ts'
import type {Member, Workspace} from '../workspace/workspace.ts'
import {ownerFields} from '../delivery/owner-fields.ts'

/** Where an external select stands. */
export type Place = {view: StoredView} | {message: StoredMessage}

/** The payloads of modals, the App Home and shortcuts: https://docs.slack.dev/reference/interaction-payloads */
export interface ViewPayloads {
  submission(member: Member, view: StoredView): Payload
  closed(member: Member, view: StoredView, isCleared: boolean): Payload
  actions(member: Member, view: StoredView, action: Found & {chosen: Fields}): Payload
  suggestion(member: Member, place: Place, asked: Found & {query: string}): Payload
  shortcut(member: Member, callbackId: string): Payload
  messageShortcut(member: Member, message: StoredMessage, callbackId: string): Payload
}

interface ViewPayloadsParts {
  workspace: Workspace
  shape: MessageShape
  timestamps: Timestamps
  triggers: Triggers
  newResponseUrl: NewResponseUrl
}

type Fields = Record<string, unknown>

export function createViewPayloads(parts: ViewPayloadsParts): ViewPayloads {
  return {...createFormPayloads(parts), ...createShortcutPayloads(parts)}
}

/** What Slack sends without a trigger, and what it sends with one of its own. */
function createWrapping({workspace, triggers}: ViewPayloadsParts) {
  const wrap = (type: string, member: Member, fields: Fields, key: string): Payload => ({
    kind: 'interactive',
    key,
    body: {type, ...header(workspace, member), ...fields},
  })
  const triggered = (type: string, member: Member, fields: Fields, viewId?: string): Payload => {
    const id = triggers.create({userId: member.id, ...(viewId === undefined ? {} : {viewId})})
    return wrap(type, member, {trigger_id: id, ...fields}, id)
  }
  return {wrap, triggered}
}

function createFormPayloads(
  parts: ViewPayloadsParts,
): Omit<ViewPayloads, 'shortcut' | 'messageShortcut'> {
  const {workspace, timestamps, newResponseUrl} = parts
  const {wrap, triggered} = createWrapping(parts)
  return {
    submission: (member, view) => {
      const fields = {
        view: toSlackView(workspace, view),
        response_urls: toResponseUrls(view, newResponseUrl),
      }
      return triggered('view_submission', member, fields, view.id)
    },
    closed: (member, view, isCleared) => {
      const fields = {view: toSlackView(workspace, view), is_cleared: isCleared}
      return wrap('view_closed', member, fields, randomUUID())
    },
    actions: (member, view, {element, blockId, chosen}) => {
      const {type, action_id, text, style} = element
      const fields = {
        container: {type: 'view', view_id: view.id},
        view: toSlackView(workspace, view),
        actions: [
          {
            type,
            action_id,
            block_id: blockId,
            text,
            style,
            ...chosen,
            action_ts: timestamps.next(),
          },
        ],
      }
      return triggered('block_actions', member, fields, view.id)
    },
    suggestion: (member, place, {element, blockId, query}) => {
      const asked = {action_id: element['action_id'], block_id: blockId, value: query}
      const fields = {...asked, ...placeFields(parts, place)}
      return wrap('block_suggestion', member, fields, randomUUID())
    },
  }
}

function createShortcutPayloads(
  parts: ViewPayloadsParts,
): Pick<ViewPayloads, 'shortcut' | 'messageShortcut'> {
  const {workspace, shape, timestamps, newResponseUrl} = parts
  const {triggered} = createWrapping(parts)
  return {
    shortcut: (member, callbackId) => {
      const fields = {callback_id: callbackId, action_ts: timestamps.next()}
      return triggered('shortcut', member, fields)
    },
    messageShortcut: (member, message, callbackId) => {
      const {channel, ts} = message
      const fields = {
        callback_id: callbackId,
        action_ts: timestamps.next(),
        message_ts: ts,
        channel: channelOf(workspace, message),
        message: shape.of(message),
        response_url: newResponseUrl({channel, userId: member.id, ts}),
      }
      return triggered('message_action', member, fields)
    },
  }
}

function header({team, app}: Workspace, member: Member): Fields {
  return {
    user: {id: member.id, username: member.name, name: member.name, team_id: team.id},
    api_app_id: app.id,
    token: 'local-verification-token',
    team: {id: team.id, domain: team.domain},
    ...ownerFields({app}),
  }
}

function placeFields({workspace, shape}: ViewPayloadsParts, place: Place): Fields {
  if ('view' in place) {
    const {view} = place
    return {container: {type: 'view', view_id: view.id}, view: toSlackView(workspace, view)}
  }
  const {message} = place
  const isEphemeral = message.ephemeralTo !== undefined
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: isEphemeral,
    },
    channel: channelOf(workspace, message),
    ...(isEphemeral ? {} : {message: shape.of(message)}),
  }
}

function channelOf(workspace: Workspace, {channel: id}: StoredMessage) {
  const channel = workspace.channel(id)
  return {id, name: channel?.kind === 'dm' ? 'directmessage' : (channel?.name ?? '')}
}

/** One for each channel that was chosen in an input with `response_url_enabled`. */
function toResponseUrls({definition, values, userId}: StoredView, newResponseUrl: NewResponseUrl) {
  return definition.blocks.flatMap(({block_id: blockId = '', element}) => {
    if (!isRecord(element) || element['response_url_enabled'] !== true) return []
    const actionId = String(element['action_id'])
    const state = values[blockId]?.[actionId]
    const channel = state?.['selected_conversation'] ?? state?.['selected_channel']
    if (typeof channel !== 'string') return []
    const url = newResponseUrl({channel, userId})
    return [{response_url: url, channel_id: channel, block_id: blockId, action_id: actionId}]
  })
}
