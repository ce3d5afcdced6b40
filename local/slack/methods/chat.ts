import type {Arguments} from '../edge/arguments.ts'
import {isTruncated, readContent, readMetadata, type Content} from '../messages/content.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {readPersona} from '../messages/persona.ts'
import {Refusal} from '../edge/refusal.ts'
import {isTs} from '../messages/timestamps.ts'
import {
  perChannel,
  tier3,
  tier3Tight,
  tier4,
  type Answer,
  type Desk,
  type Method,
} from './method.ts'
import {findChannel, findMessage, postableChannel, writableChannel} from './place.ts'
import {requirePosting, requireWhisper} from './posting.ts'

/** An edit's text, and that of an ephemeral message: facts of chat.update's page. */
const maxShortText = 4_000

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': {
    token: 'bot',
    rate: {perMinute: 300, burst: 60},
    channelRate: perChannel,
    handle: postMessage,
  },
  'chat.update': {token: 'bot', rate: tier3Tight, handle: update},
  'chat.delete': {token: 'bot', rate: tier3, handle: remove},
  'chat.postEphemeral': {token: 'bot', rate: tier4, handle: postEphemeral},
  'chat.getPermalink': {token: 'bot', handle: getPermalink},
}

/** https://docs.slack.dev/reference/methods/chat.postMessage */
function postMessage(desk: Desk, args: Arguments): Answer {
  const channel = postableChannel(desk, args)
  const thread = threadOf(args)
  requirePosting(desk, channel, thread.threadTs)
  const metadata = readMetadata(args)
  const message = desk.conversation.post({
    channel: channel.id,
    ...author(desk),
    ...readPersona(args, desk.grants),
    ...requireContent(args),
    ...thread,
    ...(thread.threadTs !== undefined && args.flag('reply_broadcast') && {isBroadcast: true}),
    ...(metadata === undefined || metadata === 'none' ? {} : {metadata}),
  })
  return {
    channel: channel.id,
    ts: message.ts,
    message: desk.shape.of(message, {includeMetadata: true}),
    ...(isTruncated(args)
      ? {warning: 'message_truncated', response_metadata: {warnings: ['message_truncated']}}
      : {}),
  }
}

/** https://docs.slack.dev/reference/methods/chat.update */
function update(desk: Desk, args: Arguments): Answer {
  desk.streams.settleDue()
  const channel = postableChannel(desk, args, 'is_inactive')
  const previous = ownMessage(desk, findMessage(desk, channel, args.required('ts')), 'update')
  requireEditing(desk, previous)
  const content = readEdit(args, previous)
  const metadata = readMetadata(args)
  const isBroadcast = readBroadcast(args, previous, content)
  if (!isBroadcast && content === undefined && metadata === undefined) throw new Refusal('no_text')
  const message = desk.conversation.edit(previous, {
    ...(content === undefined ? {} : {content}),
    ...(metadata === undefined ? {} : {metadata}),
    ...(isBroadcast && {isBroadcast}),
    by: desk.workspace.app.userId,
    hasLabel: content !== undefined && content.blocks === undefined,
  })
  return {
    channel: channel.id,
    ts: message.ts,
    text: message.text,
    message: desk.shape.of(message, {includeMetadata: true}),
  }
}

/**
 * Text alone takes the blocks away; an empty list of blocks does so too and keeps the text. What comes
 * with neither, as attachments alone do, leaves both as they are.
 */
function readEdit(args: Arguments, previous: StoredMessage): Content | undefined {
  const content = readContent(args, maxShortText)
  const isSaid = ['text', 'blocks', 'markdown_text'].some((name) => args.has(name))
  if (content !== undefined && !isSaid) {
    const {text, blocks} = previous
    return {...content, text, ...(blocks === undefined ? {} : {blocks})}
  }
  if (content !== undefined) return content
  const blocks = args.values['blocks']
  const isCleared = Array.isArray(blocks) && blocks.length === 0 && previous.text !== ''
  return isCleared ? {text: previous.text} : undefined
}

/** Whether the edit sends a reply to the channel as well: what stands there already may say something new. */
function readBroadcast(args: Arguments, previous: StoredMessage, content?: Content): boolean {
  if (!args.flag('reply_broadcast')) return false
  if (previous.threadTs === undefined) throw new Refusal('cant_broadcast_message')
  const isNew = previous.isBroadcast !== true
  if (isNew && content !== undefined) throw new Refusal('no_dual_broadcast_content_update')
  return isNew
}

/** https://docs.slack.dev/reference/methods/chat.delete */
function remove(desk: Desk, args: Arguments): Answer {
  desk.streams.settleDue()
  const channel = postableChannel(desk, args, 'cant_delete_message')
  const message = ownMessage(desk, findMessage(desk, channel, args.required('ts')), 'delete')
  if (message.streaming === 'in_progress') throw new Refusal('cant_delete_message')
  desk.conversation.remove(message)
  return {channel: channel.id, ts: message.ts}
}

/** https://docs.slack.dev/reference/methods/chat.postEphemeral */
function postEphemeral(desk: Desk, args: Arguments): Answer {
  const channel = writableChannel(desk, args)
  const thread = threadOf(args)
  requireWhisper(desk, channel, thread.threadTs)
  const ephemeralTo = args.required('user')
  const content = requireContent(args, maxShortText)
  if (!desk.workspace.hasMember(channel.id, ephemeralTo)) throw new Refusal('user_not_in_channel')
  const message = desk.conversation.post({
    channel: channel.id,
    ...author(desk),
    ...readPersona(args, desk.grants),
    ...content,
    ...thread,
    ephemeralTo,
  })
  return {message_ts: message.ts}
}

/** https://docs.slack.dev/reference/methods/chat.getPermalink */
function getPermalink(desk: Desk, args: Arguments): Answer {
  const channel = findChannel(desk, args)
  const {ts, threadTs} = findMessage(desk, channel, args.required('message_ts'))
  const path = `/archives/${channel.id}/p${ts.replace('.', '')}`
  const query = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channel.id}`
  return {channel: channel.id, permalink: `${desk.origin}${path}${query}`}
}

/** What settings say of an edit. */
function requireEditing({workspace, now}: Desk, {ts}: StoredMessage): void {
  const {editWindowS = Infinity, isMessageLimitReached = false} = workspace.rules()
  if (isMessageLimitReached) throw new Refusal('message_limit_exceeded')
  if (now() / 1000 - Number(ts) > editWindowS) throw new Refusal('edit_window_closed')
}

function author({workspace: {app}}: Desk): {userId: string; botId: string} {
  return {userId: app.userId, botId: app.botId}
}

function requireContent(args: Arguments, maxChars?: number): Content {
  const content = readContent(args, maxChars)
  if (content === undefined) throw new Refusal('no_text')
  return content
}

/** Slack takes `thread_ts` as text only: a number has lost digits on its way. */
function threadOf(args: Arguments): {threadTs?: string} {
  const threadTs = args.values['thread_ts']
  if (threadTs === undefined || threadTs === null || threadTs === '') return {}
  if (typeof threadTs !== 'string' || !isTs(threadTs)) throw new Refusal('invalid_thread_ts')
  return {threadTs}
}

function ownMessage(
  {workspace}: Desk,
  message: StoredMessage,
  verb: 'update' | 'delete',
): StoredMessage {
  if (message.botId !== workspace.app.botId) throw new Refusal(`cant_${verb}_message`)
  return message
}
