import {isRecord} from './arguments.ts'
import {newId} from './events.ts'
import type {MessageShape} from './message-shape.ts'
import type {StoredMessage} from './messages.ts'
import type {ResponseUrls} from './response-urls.ts'
import type {Timestamps} from './timestamps.ts'
import type {Payload} from './transport.ts'
import type {Channel, Member, Workspace} from './workspace.ts'

/** A member presses a button, or chooses from a menu. */
interface Press {
  member: Member
  message: StoredMessage
  actionId: string
  blockId?: string
  selectedValue?: string
}

interface SlashCommand {
  member: Member
  channel: Channel
  command: string
  text: string
}

/** The payloads that Slack sends when people press and type: https://docs.slack.dev/interactivity */
export interface Interactions {
  press(press: Press): Payload
  command(command: SlashCommand): Payload
}

interface InteractionsParts {
  workspace: Workspace
  shape: MessageShape
  timestamps: Timestamps
  responseUrls: ResponseUrls
}

interface Found {
  element: Record<string, unknown>
  blockId: string
}

export function createInteractions(parts: InteractionsParts): Interactions {
  const {workspace, responseUrls} = parts
  return {
    press: (press) => {
      const body = toBlockActions(parts, press)
      return {kind: 'interactive', key: body.trigger_id, body}
    },
    command: ({member, channel, command, text}) => {
      const key = newTriggerId()
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
        is_enterprise_install: 'false',
        response_url: responseUrls.create({channel: channel.id, userId: member.id}),
        trigger_id: key,
      }
      return {kind: 'slash_commands', key, body}
    },
  }
}

function newTriggerId(): string {
  return `${Date.now()}.${newId('TR')}`
}

function toBlockActions(parts: InteractionsParts, press: Press) {
  const {workspace, shape, responseUrls, timestamps} = parts
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
    trigger_id: newTriggerId(),
    team: {id: team.id, domain: team.domain},
    enterprise: null,
    is_enterprise_install: false,
    channel: {
      id: message.channel,
      name: channel?.kind === 'dm' ? 'directmessage' : (channel?.name ?? ''),
    },
    // Slack keeps no ephemeral message, so it cannot send one back.
    ...(isEphemeral ? {} : {message: shape.of(message)}),
    state: {values: {}},
    response_url: responseUrls.create({
      channel: message.channel,
      userId: member.id,
      ts: message.ts,
    }),
    actions: [toAction(findElement(press), press, timestamps.next())],
  }
}

function findElement({message, actionId, blockId}: Press): Found {
  const found = (message.blocks ?? [])
    .flatMap((block) => elementsIn(block, block.block_id ?? ''))
    .find(
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

/** Blocks nest (containers, cards), so elements are found by what they carry, not where they stand. */
function elementsIn(value: unknown, blockId: string): Found[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => elementsIn(item, blockId))
  if (!isRecord(value)) return []
  const own = typeof value['block_id'] === 'string' ? value['block_id'] : blockId
  const nested = Object.values(value).flatMap((field) => elementsIn(field, own))
  return typeof value['action_id'] === 'string' ? [{element: value, blockId: own}] : nested
}

function toAction({element, blockId}: Found, press: Press, actionTs: string) {
  const {type, action_id, text, style} = element
  return {
    type,
    action_id,
    block_id: blockId,
    ...(text === undefined ? {} : {text}),
    ...(style === undefined ? {} : {style}),
    ...chosen(element, press),
    action_ts: actionTs,
  }
}

function chosen(element: Record<string, unknown>, press: Press): Record<string, unknown> {
  const {selectedValue} = press
  const options = optionsOf(element)
  if (options.length > 0) {
    const option = options.find(({value}) => value === selectedValue)
    if (option === undefined) {
      const values = options.map(({value}) => String(value)).join(', ')
      throw new Error(
        `"${press.actionId}" has no option "${selectedValue ?? ''}", only: ${values}.`,
      )
    }
    const isMany = ['checkboxes', 'multi_static_select'].includes(String(element['type']))
    return isMany ? {selected_options: [option]} : {selected_option: option}
  }
  if (element['type'] === 'users_select') return {selected_user: selectedValue}
  if (element['type'] === 'feedback_buttons') return {value: selectedValue}
  return element['value'] === undefined ? {} : {value: element['value']}
}

function optionsOf(element: Record<string, unknown>): Record<string, unknown>[] {
  const groups = Array.isArray(element['option_groups']) ? element['option_groups'] : [element]
  return groups
    .filter(isRecord)
    .flatMap(({options}): unknown[] => (Array.isArray(options) ? options : []))
    .filter(isRecord)
}
