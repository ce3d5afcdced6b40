import {z} from 'zod'
import {parseJson, type Arguments} from '../edge/arguments.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {Refusal} from '../edge/refusal.ts'
import {isTs} from '../messages/timestamps.ts'
import {tier3, type Answer, type Desk, type Method} from './method.ts'
import {paged} from './paging.ts'
import {readableChannel} from './place.ts'

/** Reading messages. */
export const conversationsMethods: Record<string, Method> = {
  'conversations.replies': {token: 'bot', rate: tier3, handle: replies},
  'conversations.history': {token: 'bot', rate: tier3, handle: history},
}

/** https://docs.slack.dev/reference/methods/conversations.replies: the parent first, on the first page. */
function replies(desk: Desk, args: Arguments): Answer {
  const channel = readableChannel(desk, args)
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

/** https://docs.slack.dev/reference/methods/conversations.history: newest first, without replies that stand in threads alone. */
function history(desk: Desk, args: Arguments): Answer {
  const channel = readableChannel(desk, args)
  const messages = desk.messages
    .inChannel(channel.id)
    .filter(({threadTs, isBroadcast}) => threadTs === undefined || isBroadcast)
    .filter(rangeOf(args))
    .reverse()
  const {page, ...rest} = paged(args, messages, {fallback: 100, max: 999})
  return {messages: page.map(toShape(desk, args)), pin_count: 0, ...rest}
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
  const hasAll = args.flag('include_all_metadata')
  const keys = readMetadataKeys(args)
  return (message: StoredMessage) => {
    const isWanted = keys?.includes(message.metadata?.event_type ?? '') === true
    return shape.of(message, {includeMetadata: hasAll || isWanted})
  }
}

/** The event types whose metadata is wanted. */
function readMetadataKeys(args: Arguments): string[] | undefined {
  const value = args.values['metadata_keys_to_include']
  if (value === undefined || value === '') return undefined
  const keys = z.array(z.string()).safeParse(typeof value === 'string' ? parseJson(value) : value)
  if (!keys.success) throw new Refusal('invalid_metadata_filter_keys')
  return keys.data
}
