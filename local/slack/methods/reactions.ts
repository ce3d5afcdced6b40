import type {Arguments} from '../edge/arguments.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {Refusal} from '../edge/refusal.ts'
import {isTs} from '../messages/timestamps.ts'
import {tier3Tight, type Answer, type Desk, type Method} from './method.ts'
import {findMessage, writableChannel} from './place.ts'

export const reactionsMethods: Record<string, Method> = {
  'reactions.add': {token: 'bot', rate: tier3Tight, handle: add},
  'reactions.remove': {token: 'bot', rate: tier3Tight, handle: remove},
}

/** https://docs.slack.dev/reference/methods/reactions.add */
function add(desk: Desk, args: Arguments): Answer {
  const {message, name} = readTarget(desk, args)
  desk.conversation.addReaction(message, desk.workspace.app.userId, name)
  return {}
}

/** https://docs.slack.dev/reference/methods/reactions.remove */
function remove(desk: Desk, args: Arguments): Answer {
  const {message, name} = readTarget(desk, args)
  desk.conversation.removeReaction(message, desk.workspace.app.userId, name)
  return {}
}

function readTarget(desk: Desk, args: Arguments): {message: StoredMessage; name: string} {
  const name = args.required('name').replace(/^:|:$/g, '')
  if (!/^[\p{L}\p{N}_+'-]+(::skin-tone-[2-6])?$/u.test(name)) throw new Refusal('invalid_name')
  const channel = writableChannel(desk, args)
  const ts = args.text('timestamp') ?? ''
  if (ts === '') throw new Refusal('no_item_specified')
  if (!isTs(ts)) throw new Refusal('bad_timestamp')
  return {message: findMessage(desk, channel, ts), name}
}
