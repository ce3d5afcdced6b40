import type {Arguments} from '../arguments.ts'
import type {StoredMessage} from '../messages.ts'
import {Refusal} from '../refusal.ts'
import {isTs} from '../timestamps.ts'
import type {Channel} from '../workspace.ts'
import {tier3, tier4, type Answer, type Desk, type Method} from './method.ts'
import {paged} from './paging.ts'
import {findChannel, joinedChannel} from './place.ts'

export const conversationsMethods: Record<string, Method> = {
  'conversations.info': {token: 'bot', rate: tier3, handle: info},
  'conversations.replies': {token: 'bot', rate: tier3, handle: replies},
  'conversations.history': {token: 'bot', rate: tier3, handle: history},
  'conversations.open': {token: 'bot', rate: tier3, handle: open},
  'conversations.members': {token: 'bot', rate: tier4, handle: members},
}

function info(desk: Desk, args: Arguments): Answer {
  const channel = findChannel(desk, args)
  const numMembers = args.flag('include_num_members') ? {num_members: channel.memberIds.length} : {}
  return {channel: {...toSlackChannel(desk, channel), ...numMembers}}
}

/** https://docs.slack.dev/reference/methods/conversations.replies: the parent first, on the first page. */
function replies(desk: Desk, args: Arguments): Answer {
  const channel = joinedChannel(desk, args)
  const ts = args.required('ts')
  const {messages, shape} = desk
  const found = messages.find(channel.id, ts)
  const parent = found?.ephemeralTo === undefined ? found : undefined
  const tombstone = messages.tombstone(channel.id, ts)
  if (parent === undefined && tombstone === undefined) throw new Refusal('thread_not_found')
  const first = parent === undefined ? [] : [parent]
  const inRange = messages.replies(channel.id, ts).filter(rangeOf(args))
  const {page, ...rest} = paged(args, [...first, ...inRange], {fallback: 1000, max: 1000})
  const isFirstPage = !args.has('cursor') || args.text('cursor') === ''
  return {
    messages: [
      ...(tombstone !== undefined && isFirstPage ? [shape.tombstone(tombstone)] : []),
      ...page.map(toShape(desk, args)),
    ],
    ...rest,
  }
}

/** https://docs.slack.dev/reference/methods/conversations.history: newest first, without replies. */
function history(desk: Desk, args: Arguments): Answer {
  const channel = joinedChannel(desk, args)
  const messages = desk.messages
    .inChannel(channel.id)
    .filter(({threadTs}) => threadTs === undefined)
    .filter(rangeOf(args))
    .reverse()
  const {page, ...rest} = paged(args, messages, {fallback: 100, max: 999})
  return {messages: page.map(toShape(desk, args)), pin_count: 0, ...rest}
}

function open(desk: Desk, args: Arguments): Answer {
  const dm = args.has('channel') ? findChannel(desk, args) : findDm(desk, args)
  const channel = args.flag('return_im') ? toSlackChannel(desk, dm) : {id: dm.id}
  return {no_op: true, already_open: true, channel}
}

function findDm({workspace}: Desk, args: Arguments): Channel {
  const users = (args.text('users') ?? '').split(',').filter((id) => id !== '')
  const [userId, ...others] = users
  if (userId === undefined) throw new Refusal('users_list_not_supplied')
  if (workspace.member(userId) === undefined) throw new Refusal('user_not_found')
  const dm = workspace.dmOf(userId)
  if (others.length > 0 || dm === undefined || userId === workspace.app.userId) {
    throw new Refusal('invalid_user_combination')
  }
  return dm
}

function members(desk: Desk, args: Arguments): Answer {
  const channel = findChannel(desk, args)
  const {page, response_metadata} = paged(args, channel.memberIds, {fallback: 100, max: 1000})
  return {members: page, response_metadata}
}

function rangeOf(args: Arguments): (message: StoredMessage) => boolean {
  const bound = (name: 'oldest' | 'latest'): string | undefined => {
    const value = args.text(name)
    if (value === undefined || value === '' || value === '0') return undefined
    if (isTs(value)) return value
    if (!/^\d+(\.\d+)?$/.test(value)) throw new Refusal(`invalid_ts_${name}`)
    const [seconds = '', micros = ''] = value.split('.')
    return `${seconds.padStart(10, '0')}.${micros.padEnd(6, '0').slice(0, 6)}`
  }
  const oldest = bound('oldest')
  const latest = bound('latest')
  const isInclusive = args.flag('inclusive')
  return ({ts}) => {
    if (isInclusive && (ts === oldest || ts === latest)) return true
    return (oldest === undefined || ts > oldest) && (latest === undefined || ts < latest)
  }
}

function toShape({shape}: Desk, args: Arguments) {
  const includeMetadata = args.flag('include_all_metadata')
  return (message: StoredMessage) => shape.of(message, {includeMetadata})
}

function toSlackChannel({workspace}: Desk, channel: Channel): Answer {
  const {userId} = workspace.app
  const shared = {
    id: channel.id,
    created: channel.createdS,
    is_archived: channel.archived,
    is_org_shared: false,
    context_team_id: workspace.team.id,
    updated: channel.createdS * 1000,
  }
  if (channel.kind === 'dm') {
    const user = channel.memberIds.find((id) => id !== userId)
    return {...shared, is_im: true, user, is_user_deleted: false, is_open: true, priority: 0}
  }
  const note = {value: '', creator: '', last_set: 0}
  return {
    ...shared,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: false,
    is_general: channel.name === 'general',
    is_shared: false,
    is_ext_shared: false,
    is_pending_ext_shared: false,
    is_member: workspace.hasMember(channel.id, userId),
    unlinked: 0,
    creator: 'U0JANE',
    shared_team_ids: [workspace.team.id],
    pending_shared: [],
    parent_conversation: null,
    topic: note,
    purpose: note,
    previous_names: [],
  }
}
