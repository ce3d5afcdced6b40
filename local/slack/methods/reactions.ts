import type {Arguments} from '../edge/arguments.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {Refusal} from '../edge/refusal.ts'
import {isTs} from '../messages/timestamps.ts'
import {tier2Tight, tier3, tier3Tight, type Answer, type Desk, type Method} from './method.ts'
import {findChannel, findMessage, writableChannel} from './place.ts'

export const reactionsMethods: Record<string, Method> = {
  'reactions.add': {token: 'bot', rate: tier3Tight, handle: add},
  'reactions.get': {token: 'bot', rate: tier3, handle: get},
  'reactions.remove': {token: 'bot', rate: tier2Tight, handle: remove},
}

/** Of different emoji on one message, and of those of one person among them. */
const maxEmoji = 50
const maxOfOne = 23

/** https://docs.slack.dev/reference/methods/reactions.add */
function add(desk: Desk, args: Arguments): Answer {
  const {message, name} = readTarget(desk, args)
  requireRoom(message, desk.workspace.app.userId, name)
  desk.conversation.addReaction(message, desk.workspace.app.userId, name)
  return {}
}

/** https://docs.slack.dev/reference/methods/reactions.remove */
function remove(desk: Desk, args: Arguments): Answer {
  const {message, name} = readTarget(desk, args)
  desk.conversation.removeReaction(message, desk.workspace.app.userId, name)
  return {}
}

/** https://docs.slack.dev/reference/methods/reactions.get */
function get(desk: Desk, args: Arguments): Answer {
  const channel = findChannel(desk, args)
  const message = findMessage(desk, channel, readTimestamp(args))
  return {type: 'message', channel: channel.id, message: desk.shape.of(message)}
}

function requireRoom({reactions}: StoredMessage, userId: string, name: string): void {
  const own = reactions.filter(({userIds}) => userIds.includes(userId))
  if (own.some((one) => one.name === name)) return // told apart where it is kept
  if (own.length >= maxOfOne) throw new Refusal('too_many_reactions')
  const isNew = !reactions.some((one) => one.name === name)
  if (isNew && reactions.length >= maxEmoji) throw new Refusal('too_many_emoji')
}

function readTarget(desk: Desk, args: Arguments): {message: StoredMessage; name: string} {
  const name = args.required('name').replace(/^:|:$/g, '')
  if (!/^[\p{L}\p{N}_+'-]+(::skin-tone-[2-6])?$/u.test(name)) throw new Refusal('invalid_name')
  const channel = writableChannel(desk, args)
  const message = findMessage(desk, channel, readTimestamp(args))
  const isLocked = channel.lockedThreads?.includes(message.threadTs ?? message.ts) === true
  if (isLocked) throw new Refusal('thread_locked')
  return {message, name}
}

function readTimestamp(args: Arguments): string {
  const ts = args.text('timestamp') ?? ''
  if (ts === '') throw new Refusal('no_item_specified')
  if (!isTs(ts)) throw new Refusal('bad_timestamp')
  return ts
}
