import {elementsIn, type Entry, type Found} from '../blocks/elements.ts'
import {isUnfurl, type UnfurlAttachment} from '../unfurls/unfurl.ts'
import type {MessageShape} from '../messages/shape.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {enter, enterAll, inputBlock, type Entries} from '../views/entry.ts'
import type {MessageForms} from '../views/message-forms.ts'
import type {Offers} from '../views/offers.ts'
import type {NewResponseUrl} from './response-urls.ts'
import type {Timestamps} from '../messages/timestamps.ts'
import type {Payload} from './transport.ts'
import type {Triggers} from '../views/triggers.ts'
import type {Channel, Member, Workspace} from '../workspace/workspace.ts'
import {ownerFields, ownerTexts} from './owner-fields.ts'

/** A member presses a button, chooses from a menu or fills in an input. */
interface Press {
  member: Member
  message: StoredMessage
  actionId: string
  blockId?: string
  value?: Entry
  /** What else was entered since the app heard of it last. */
  values?: Entries
}

/** The element, what was chosen in it, and what then stands in all of the message. */
interface Pressed extends Found {
  chosen: Record<string, unknown>
  state: {values: Record<string, unknown>}
}

interface SlashCommand {
  member: Member
  channel: Channel
  command: string
  text: string
}

/** The payloads that Slack sends when people press and type: https://docs.slack.dev/interactivity */
export interface Interactions {
  /** `undefined`: an input that tells the app nothing by itself; what was entered is kept. */
  press(press: Press): Payload | undefined
  command(command: SlashCommand): Payload
}

interface InteractionsParts {
  workspace: Workspace
  shape: MessageShape
  timestamps: Timestamps
  newResponseUrl: NewResponseUrl
  triggers: Triggers
  /** What external selects showed last. */
  offers: Offers
  messageForms: MessageForms
}

export function createInteractions(parts: InteractionsParts): Interactions {
  const {workspace, newResponseUrl, triggers} = parts
  return {
    press: (press) => {
      const unfurl = unfurlPressed(parts, press)
      if (unfurl !== undefined) {
        const body = toUnfurlActions(parts, press, unfurl)
        return {kind: 'interactive', key: body.trigger_id, body}
      }
      const pressed = enterInMessage(parts, press)
      if (pressed === undefined) return undefined
      const body = toBlockActions(parts, press, pressed)
      return {kind: 'interactive', key: body.trigger_id, body}
    },
    command: ({member, channel, command, text}) => {
      const key = triggers.create({userId: member.id})
      const body = {
        token: 'local-verification-token',
        team_id: workspace.team.id,
        team_domain: workspace.team.domain,
        channel_id: channel.id,
        channel_name: channel.kind === 'dm' ? 'directmessage' : channel.name,
        user_id: member.id,
        user_name: member.name,
        command,
        text,
        api_app_id: workspace.app.id,
        ...ownerTexts(workspace),
        response_url: newResponseUrl({channel: channel.id, userId: member.id}),
        trigger_id: key,
      }
      return {kind: 'slash_commands', key, body}
    },
  }
}

/** What stands in the message after the press; `undefined` when only that changes. */
function enterInMessage(
  {offers, messageForms}: InteractionsParts,
  press: Press,
): Pressed | undefined {
  const {member, message, value, values = {}} = press
  const found = findElement(press)
  const before = enterAll(messageForms.of(member.id, message), values, offers)
  const {view: form, chosen} = enter(before, found, value, offers)
  messageForms.keep(form, message)
  const input = inputBlock(form, found.blockId)
  if (input !== undefined && input['dispatch_action'] !== true) return undefined
  return {...found, chosen, state: {values: form.values}}
}

/** The button of a preview of this app's; what else stands there keeps nothing. */
function unfurlPressed(
  {workspace}: InteractionsParts,
  {message, actionId, blockId}: Press,
): (Found & {attachment: UnfurlAttachment}) | undefined {
  for (const attachment of message.attachments ?? []) {
    if (!isUnfurl(attachment) || attachment.bot_id !== workspace.app.botId) continue
    const found = elementsIn(attachment['blocks']).find(
      ({element, blockId: at}) =>
        element['action_id'] === actionId && (blockId === undefined || at === blockId),
    )
    if (found !== undefined) return {...found, attachment}
  }
  return undefined
}

/** It comes with the preview, and not with the message, which is somebody else's. */
function toUnfurlActions(
  parts: InteractionsParts,
  {member, message}: Press,
  {attachment, ...found}: Found & {attachment: UnfurlAttachment},
) {
  const {workspace, timestamps} = parts
  const {team} = workspace
  const {channel: id, ts, threadTs} = message
  const channel = workspace.channel(id)
  const {value} = found.element
  const chosen = value === undefined ? {} : {value}
  return {
    type: 'block_actions',
    user: {id: member.id, username: member.name, name: member.name, team_id: team.id},
    api_app_id: workspace.app.id,
    token: 'local-verification-token',
    container: {
      ...{type: 'message_attachment', message_ts: ts, attachment_id: attachment.id},
      ...{channel_id: id, is_ephemeral: false, is_app_unfurl: true},
      app_unfurl_url: attachment.app_unfurl_url,
      ...(threadTs === undefined ? {} : {thread_ts: threadTs}),
    },
    trigger_id: parts.triggers.create({userId: member.id}),
    team: {id: team.id, domain: team.domain},
    ...ownerFields(workspace),
    channel: {id, name: channel?.kind === 'dm' ? 'directmessage' : (channel?.name ?? '')},
    app_unfurl: attachment,
    actions: [toAction({...found, chosen, state: {values: {}}}, timestamps.next())],
  }
}

function toBlockActions(parts: InteractionsParts, press: Press, pressed: Pressed) {
  const {workspace, shape, newResponseUrl, timestamps} = parts
  const {member, message} = press
  const {team} = workspace
  const isEphemeral = message.ephemeralTo !== undefined
  const channel = workspace.channel(message.channel)
  const place = {message_ts: message.ts, channel_id: message.channel, is_ephemeral: isEphemeral}
  return {
    type: 'block_actions',
    user: {id: member.id, username: member.name, name: member.name, team_id: team.id},
    api_app_id: workspace.app.id,
    token: 'local-verification-token',
    container: {
      type: 'message',
      ...place,
      is_app_unfurl: false,
      ...(message.threadTs === undefined ? {} : {thread_ts: message.threadTs}),
    },
    trigger_id: parts.triggers.create({userId: member.id}),
    team: {id: team.id, domain: team.domain},
    ...ownerFields(workspace),
    channel: {
      id: message.channel,
      name: channel?.kind === 'dm' ? 'directmessage' : (channel?.name ?? ''),
    },
    // Slack keeps no ephemeral message, so it cannot send one back.
    ...(isEphemeral ? {} : {message: shape.of(message)}),
    state: pressed.state,
    response_url: newResponseUrl({channel: message.channel, userId: member.id, ts: message.ts}),
    actions: [toAction(pressed, timestamps.next())],
  }
}

/** The element of a message that a person means; refuses what it does not show. */
export function findElement({
  message,
  actionId,
  blockId,
}: Pick<Press, 'message' | 'actionId' | 'blockId'>): Found {
  const found = elementsIn(message.blocks).find(
    ({element, blockId: at}) =>
      element['action_id'] === actionId && (blockId === undefined || at === blockId),
  )
  if (found === undefined) {
    throw new Error(
      `Message ${message.ts} has nothing to press with action_id "${actionId}". Look at its blocks.`,
    )
  }
  return found
}

function toAction({element, blockId, chosen}: Pressed, actionTs: string) {
  const {type, action_id, text, style} = element
  return {
    type,
    action_id,
    block_id: blockId,
    ...(text === undefined ? {} : {text}),
    ...(style === undefined ? {} : {style}),
    ...chosen,
    action_ts: actionTs,
  }
}
