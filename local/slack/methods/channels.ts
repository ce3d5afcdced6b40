import type {Arguments} from '../edge/arguments.ts'
import {toSlackChannel} from '../workspace/channel-shape.ts'
import {isStranger} from '../workspace/member-shape.ts'
import {Refusal} from '../edge/refusal.ts'
import type {Channel, Member} from '../workspace/workspace.ts'
import {tier2, tier3, tier4, type Answer, type Desk, type Method} from './method.ts'
import {paged} from './paging.ts'
import {findChannel, isVisible, scopeFamily} from './place.ts'

/** Conversations themselves; their messages are read in `conversations.ts`. */
export const channelsMethods: Record<string, Method> = {
  'conversations.info': {token: 'bot', rate: tier3, handle: info},
  'conversations.list': {token: 'bot', rate: tier2, handle: list},
  'conversations.members': {token: 'bot', rate: tier4, handle: members},
  'conversations.open': {token: 'bot', rate: tier3, handle: open},
  'conversations.join': {token: 'bot', rate: tier3, handle: join},
  'conversations.leave': {token: 'bot', rate: tier3, handle: leave},
  'conversations.invite': {token: 'bot', rate: tier3, handle: invite},
}

/** https://docs.slack.dev/reference/methods/conversations.info */
function info(desk: Desk, args: Arguments): Answer {
  const channel = knownChannel(desk, args)
  const numMembers = args.flag('include_num_members') ? {num_members: channel.memberIds.length} : {}
  return {channel: {...toSlackChannel(desk.workspace, channel), ...numMembers}}
}

const families = {
  public_channel: 'channels',
  private_channel: 'groups',
  mpim: 'mpim',
  im: 'im',
} as const

/** https://docs.slack.dev/reference/methods/conversations.list: public ones, and those the app is in. */
function list(desk: Desk, args: Arguments): Answer {
  const {workspace, grants} = desk
  const wanted = (args.text('types') ?? 'public_channel').split(',').map((type) => {
    const family = Object.entries(families).find(([name]) => name === type.trim())?.[1]
    if (family === undefined) throw new Refusal('invalid_types')
    grants.requireOneOf([`${family}:read`])
    return family
  })
  const shown = workspace
    .channels()
    .filter((channel) => isVisible(workspace, channel) && wanted.includes(scopeFamily(channel)))
    .filter(({archived}) => !(archived && args.flag('exclude_archived')))
  const {page, response_metadata} = paged(args, shown, {fallback: 100, max: 1000})
  return {
    channels: page.map((channel) => {
      const isNamed = channel.kind !== 'dm'
      const numMembers = isNamed ? {num_members: channel.memberIds.length} : {}
      return {...toSlackChannel(workspace, channel), ...numMembers}
    }),
    response_metadata,
  }
}

/** https://docs.slack.dev/reference/methods/conversations.members */
function members(desk: Desk, args: Arguments): Answer {
  const channel = knownChannel(desk, args)
  const {page, response_metadata} = paged(args, channel.memberIds, {fallback: 100, max: 1000})
  return {members: page, response_metadata}
}

/** https://docs.slack.dev/reference/methods/conversations.open: finds a direct message, or makes it. */
function open(desk: Desk, args: Arguments): Answer {
  const found = args.has('channel') ? directMessage(desk, args) : undefined
  const userIds = found === undefined ? readUsers(desk, args) : []
  const existing = found ?? findDirect(desk, userIds)
  if (existing === undefined && args.flag('prevent_creation')) {
    throw new Refusal('channel_not_found')
  }
  const channel = existing ?? createDirect(desk, userIds)
  const isKnown = existing !== undefined ? {no_op: true, already_open: true} : {}
  const whole = toSlackChannel(desk.workspace, channel)
  return {...isKnown, channel: args.flag('return_im') ? whole : {id: channel.id}}
}

function directMessage(desk: Desk, args: Arguments): Channel {
  const channel = findChannel(desk, args)
  if (channel.kind === 'channel') throw new Refusal('method_not_supported_for_channel_type')
  return channel
}

function readUsers(desk: Desk, args: Arguments): string[] {
  const {workspace, grants} = desk
  const ids = [...new Set(splitIds(args.text('users')))]
  if (ids.length === 0) throw new Refusal('users_list_not_supplied')
  if (ids.length > 8) throw new Refusal('too_many_users')
  const people = ids.map((id) => knownMember(desk, id))
  const others = people.filter(({id}) => id !== workspace.app.userId)
  if (others.length === 0) throw new Refusal('not_enough_users')
  grants.requireOneOf([others.length === 1 ? 'im:write' : 'mpim:write'])
  if (others.some(({deactivated}) => deactivated === true)) throw new Refusal('user_disabled')
  const isApart = (one: Member): boolean => one.teamId !== undefined && isStranger(workspace, one)
  if (others.some(isApart)) throw new Refusal('invalid_user_combination')
  return others.map(({id}) => id)
}

function findDirect({workspace}: Desk, userIds: string[]): Channel | undefined {
  const [first = ''] = userIds
  if (userIds.length === 1) return workspace.dmOf(first)
  const wanted = [...userIds, workspace.app.userId].sort().join()
  return workspace
    .channels()
    .find(({kind, memberIds}) => kind === 'group_dm' && [...memberIds].sort().join() === wanted)
}

function createDirect({workspace, channels}: Desk, userIds: string[]): Channel {
  const {userId} = workspace.app
  const bot = workspace.member(userId)?.name ?? ''
  const memberIds = [...userIds, userId]
  if (userIds.length === 1) return channels.create({kind: 'dm', name: bot, memberIds})
  const names = memberIds.map((id) => workspace.member(id)?.name ?? id)
  return channels.create({kind: 'group_dm', name: `mpdm-${names.join('--')}-1`, memberIds})
}

/** https://docs.slack.dev/reference/methods/conversations.join: public channels only. */
function join(desk: Desk, args: Arguments): Answer {
  const {workspace, channels} = desk
  const channel = findChannel(desk, args)
  if (scopeFamily(channel) !== 'channels') {
    throw new Refusal('method_not_supported_for_channel_type')
  }
  if (channel.archived) throw new Refusal('is_archived')
  const {userId} = workspace.app
  const isMember = channel.memberIds.includes(userId)
  const joined = channels.join(channel, userId)
  const warning = isMember
    ? {warning: 'already_in_channel', response_metadata: {warnings: ['already_in_channel']}}
    : {}
  return {channel: toSlackChannel(workspace, joined), ...warning}
}

/** https://docs.slack.dev/reference/methods/conversations.leave */
function leave(desk: Desk, args: Arguments): Answer {
  const {workspace, channels, grants} = desk
  const channel = findChannel(desk, args)
  if (channel.kind === 'dm') throw new Refusal('method_not_supported_for_channel_type')
  const isPrivate = scopeFamily(channel) !== 'channels'
  grants.requireOneOf(isPrivate ? [`${scopeFamily(channel)}:write`] : ['channels:manage'])
  const {userId} = workspace.app
  if (!channel.memberIds.includes(userId)) return {not_in_channel: true}
  if (channel.archived) throw new Refusal('is_archived')
  if (channel.name === 'general') throw new Refusal('cant_leave_general')
  if (channel.memberIds.length === 1) throw new Refusal('last_member')
  channels.leave(channel, userId, userId)
  return {}
}

/** https://docs.slack.dev/reference/methods/conversations.invite: all of them, or (with `force`) who may. */
function invite(desk: Desk, args: Arguments): Answer {
  const {workspace, channels, grants} = desk
  const channel = findChannel(desk, args)
  if (channel.kind !== 'channel') throw new Refusal('method_not_supported_for_channel_type')
  const isPrivate = channel.isPrivate === true
  grants.requireOneOf(isPrivate ? ['groups:write'] : ['channels:manage', 'channels:write.invites'])
  const {userId} = workspace.app
  if (!channel.memberIds.includes(userId)) throw new Refusal('not_in_channel')
  if (channel.archived) throw new Refusal('is_archived')
  const ids = splitIds(args.text('users'))
  if (ids.length === 0) throw new Refusal('no_user')
  const results = ids.map((id) => ({user: id, error: objection(desk, channel, id)}))
  const errors = results.flatMap(({user, error}) =>
    error === undefined ? [] : [{user, ok: false, error}],
  )
  const [first] = errors
  const isRefused = first !== undefined && (!args.flag('force') || errors.length === ids.length)
  if (isRefused) throw new Refusal(first.error, {errors})
  let grown = channel
  for (const {user, error} of results) {
    if (error === undefined) grown = channels.join(grown, user, userId)
  }
  return {channel: toSlackChannel(workspace, grown), ...(errors.length > 0 ? {errors} : {})}
}

function objection({workspace}: Desk, channel: Channel, id: string): string | undefined {
  const member = workspace.member(id)
  if (member === undefined) return 'user_not_found'
  if (id === workspace.app.userId) return 'cant_invite_self'
  if (channel.memberIds.includes(id)) return 'already_in_channel'
  if (member.deactivated === true) return 'cant_invite'
  if (member.teamId !== undefined) {
    const isConnected = (channel.connectedTeamIds ?? []).includes(member.teamId)
    return isConnected ? undefined : 'no_external_invite_permission'
  }
  if (member.guest !== undefined && channel.name === 'general') return 'user_is_restricted'
  const places = workspace
    .channels()
    .filter(({kind, memberIds}) => kind === 'channel' && memberIds.includes(id))
  if (member.guest === 'single_channel' && places.length > 0) return 'ura_max_channels'
  return undefined
}

function knownChannel(desk: Desk, args: Arguments): Channel {
  const channel = findChannel(desk, args)
  desk.grants.requireOneOf([`${scopeFamily(channel)}:read`])
  return channel
}

function knownMember({workspace}: Desk, id: string): Member {
  const member = workspace.member(id)
  if (member === undefined) throw new Refusal('user_not_found')
  return member
}

function splitIds(text = ''): string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}
