import {createCheck, type Spot} from '../blocks/check.ts'
import {isRecord, type Arguments} from '../edge/arguments.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {isTs} from '../messages/timestamps.ts'
import type {CodeChannel, CodeCommand, ContextItem} from '../workspace/code-channel.ts'
import type {Channel} from '../workspace/workspace.ts'
import {type Answer, type Desk, type Method, tier2, tier3} from './method.ts'
import {isVisible} from './place.ts'

/** Slack's own place for one agent's task: https://docs.slack.dev/ai/slack-code */
export const codeChannelMethods: Record<string, Method> = {
  'agents.conversations.create': {token: 'bot', rate: tier2, handle: create},
  'agents.conversations.archive': {token: 'bot', rate: tier2, handle: archive},
  'agents.conversations.setProperties': {token: 'bot', rate: tier3, handle: setProperties},
  'agents.conversations.setCommands': {token: 'bot', rate: tier3, handle: setCommands},
}

const MAX_TITLE = 200
const MAX_ITEMS = 5
const MAX_COMMANDS = 10
const ICONS = 'branch folder hierarchy life-ring link globe terminal code search lock'.split(' ')

/**
 * https://docs.slack.dev/reference/methods/agents.conversations.create: whoever wrote the message that it comes from is in
 * it, and it is as private as the channel of that message.
 */
function create(desk: Desk, args: Arguments): Answer {
  requireFeature(desk)
  const {workspace, channels, messages} = desk
  const sessionId = args.text('session_id')
  const known = workspace
    .channels()
    .find(({code}) => code?.agentId === workspace.app.userId && code.sessionId === sessionId)
  if (sessionId !== undefined && known !== undefined) return {channel_id: known.id}
  const origin = readOrigin(desk, args)
  const from = origin && workspace.channel(origin.channel)
  const message = origin && messages.find(origin.channel, origin.ts)
  const title = args.text('name') ?? message?.text ?? ''
  if (title === '') throw invalid('missing required field: name')
  if (title.length > MAX_TITLE) throw invalid(`must be less than ${MAX_TITLE + 1} characters`)
  const isPrivate = args.has('is_private')
    ? args.flag('is_private')
    : from !== undefined && (from.kind !== 'channel' || from.isPrivate === true)
  const author = workspace.member(message?.userId ?? '')
  const people = author === undefined || author.isBot ? [] : [author.id]
  const code: CodeChannel = {
    agentId: workspace.app.userId,
    ...(sessionId !== undefined && {sessionId}),
    status: 'active',
    processingEndsAtMs: 0,
    title,
    ...(origin !== undefined && {origin}),
    contextBar: [],
    views: [],
    commands: [],
  }
  let channel = channels.create({
    kind: 'channel',
    name: channels.nameFor(title),
    memberIds: [],
    ...(isPrivate && {isPrivate}),
    code,
  })
  for (const id of [workspace.app.userId, ...people]) channel = channels.join(channel, id)
  return {channel_id: channel.id}
}

function readOrigin(desk: Desk, args: Arguments): CodeChannel['origin'] {
  const {workspace, messages} = desk
  const id = args.text('origin_channel_id')
  const ts = args.text('origin_message_ts')
  if (id === undefined && ts === undefined) return undefined
  if (id === undefined || ts === undefined) {
    throw invalid('origin_channel_id and origin_message_ts go together')
  }
  const channel = workspace.channel(id)
  if (channel === undefined || !isVisible(workspace, channel)) {
    throw new Refusal('channel_not_found')
  }
  if ((channel.connectedTeamIds ?? []).length > 0) throw new Refusal('restricted_action')
  const message = isTs(ts) ? messages.find(id, ts) : undefined
  if (message === undefined || message.ephemeralTo !== undefined) {
    throw new Refusal('message_not_found')
  }
  return {channel: id, ts}
}

/** https://docs.slack.dev/reference/methods/agents.conversations.archive */
function archive(desk: Desk, args: Arguments): Answer {
  const {channel, code} = ownCodeChannel(desk, args)
  const ts = args.text('summary_message_ts')
  if (ts !== undefined && code.origin === undefined) throw new Refusal('no_origin_link')
  const isThere = ts !== undefined && isTs(ts) && desk.messages.find(channel.id, ts) !== undefined
  const closed = {...code, status: 'closed' as const, ...(isThere && {summaryTs: ts})}
  desk.channels.setArchived(desk.channels.setCode(channel, closed), true, desk.workspace.app.userId)
  return {}
}

/** https://docs.slack.dev/reference/methods/agents.conversations.setProperties: what is not named stays. */
function setProperties(desk: Desk, args: Arguments): Answer {
  const {channel, code} = ownCodeChannel(desk, args)
  const given = args.values['code_channel']
  if (!args.has('agent_resource') && given === undefined) throw invalid('nothing to set')
  if (given !== undefined && !isRecord(given)) throw invalid('must be an object')
  const items = given?.['context_bar_items']
  const summary = given?.['summary_message']
  const summaryTs = isRecord(summary) ? summary['message_ts'] : undefined
  if (summary !== undefined && typeof summaryTs !== 'string') throw invalid('missing message_ts')
  const contextBar = items === undefined ? code.contextBar : readItems(given ?? {})
  desk.channels.setCode(channel, {
    ...code,
    contextBar: contextBar.map(({url, itemType, ...item}) =>
      url === undefined ? {...item, itemType} : {...item, url, itemType: 'info' as const},
    ),
    ...(typeof summaryTs === 'string' && {summaryTs}),
  })
  const isBoth = contextBar.some(({url, itemType}) => url !== undefined && itemType === 'action')
  const warning = 'action_with_url_overridden_to_info'
  return {
    channel_id: channel.id,
    ...(isBoth && {warning, response_metadata: {warnings: [warning]}}),
  }
}

function readItems(given: Record<string, unknown>): ContextItem[] {
  const check = createCheck()
  const spot: Spot = {value: given, pointer: '/code_channel'}
  const spots = check.items(spot, 'context_bar_items', {min: 0, max: MAX_ITEMS})
  for (const item of spots) {
    check.string(item, 'key', {max: 64})
    check.string(item, 'label', {max: 128})
    check.string(item, 'url', {max: 2048, optional: true})
    check.string(item, 'icon', {max: 32, optional: true})
  }
  if (check.mistakes.length > 0) throw new Refusal('invalid_arguments', pointers(check.mistakes))
  const items = spots.map(({value}): ContextItem => {
    const {key, label, icon, url, item_type: type = 'info'} = value
    if (icon !== undefined && !ICONS.includes(toText(icon))) throw invalid('unknown icon')
    if (type !== 'info' && type !== 'action') throw invalid('unknown item_type')
    return {
      ...{key: String(key), label: String(label), itemType: type},
      ...(icon !== undefined && {icon: toText(icon)}),
      ...(url !== undefined && {url: toText(url)}),
    }
  })
  if (new Set(items.map(({key}) => key)).size < items.length) throw invalid('keys must be unique')
  return items
}

/** https://docs.slack.dev/reference/methods/agents.conversations.setCommands: the whole set anew. */
function setCommands(desk: Desk, args: Arguments): Answer {
  const {channel, code} = ownCodeChannel(desk, args)
  if (!desk.hasCommandsUrl) throw new Refusal('no_actions_url')
  const check = createCheck()
  const spot: Spot = {value: args.values, pointer: ''}
  const spots = check.items(spot, 'commands', {min: 0, max: Infinity})
  if (spots.length > MAX_COMMANDS) throw new Refusal('too_many_commands')
  for (const one of spots) check.string(one, 'name', {max: 31})
  if (check.mistakes.length > 0) throw new Refusal('invalid_arguments', pointers(check.mistakes))
  const commands = spots.map(({value}): CodeCommand => {
    const {name, description, argument_hint: hint} = value
    return {
      name: String(name),
      ...(description !== undefined && {description: toText(description)}),
      ...(hint !== undefined && {hint: toText(hint)}),
    }
  })
  const names = commands.map(({name}) => name)
  if (names.some((name) => !/^[\p{L}\p{N}_-]+$/u.test(name))) throw invalid('names must be words')
  if (new Set(names).size < names.length) throw new Refusal('duplicate_command')
  if (names.some((name) => BUILTIN.includes(name))) throw new Refusal('colliding_with_builtin')
  desk.channels.setCode(channel, {...code, commands})
  return {channel_id: channel.id, command_count: commands.length}
}

/** Slack's own: https://slack.com/help/articles/201259356-Slash-commands-in-Slack */
const BUILTIN = [
  ...'active apps archive away call collapse dm dnd expand feed feedback giphy invite join'.split(
    ' ',
  ),
  ...'invite_people kick leave me mentions msg mute open people prefs remind remove'.split(' '),
  ...'rename search shortcuts shrug star status topic who'.split(' '),
]

/** Where the workspace has none, nothing here is answered but that. */
function requireFeature({workspace, agentThreads}: Desk): void {
  if (workspace.rules().codeChannels !== true) throw new Refusal('feature_disabled')
  if (agentThreads.options === undefined) throw new Refusal('not_agent_app')
}

/** A code channel that the app itself has opened, and that is not closed. */
export function ownCodeChannel(desk: Desk, args: Arguments): {channel: Channel; code: CodeChannel} {
  requireFeature(desk)
  const {workspace} = desk
  const channel = workspace.channel(args.required('channel_id'))
  if (channel === undefined || !isVisible(workspace, channel)) {
    throw new Refusal('channel_not_found')
  }
  const {code} = channel
  if (code?.agentId !== workspace.app.userId) throw new Refusal('not_agent_channel')
  if (channel.archived) throw new Refusal('already_archived')
  return {channel, code}
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_arguments', pointers([message]))
}
