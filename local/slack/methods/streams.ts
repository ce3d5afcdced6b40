import type {Arguments} from '../edge/arguments.ts'
import {readMetadata} from '../messages/content.ts'
import type {StoredMessage} from '../messages/messages.ts'
import {readPersona} from '../messages/persona.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {acceptStreamBlocks, readDelta} from '../streams/chunks.ts'
import type {TaskDisplayMode} from '../streams/content.ts'
import type {Channel} from '../workspace/workspace.ts'
import {isSessionStatus, type SessionStatus} from '../workspace/session-status.ts'
import {tier2Tight, tier4, type Answer, type Desk, type Method} from './method.ts'
import {findMessage, writableChannel} from './place.ts'
import {requirePosting} from './posting.ts'

export const streamMethods: Record<string, Method> = {
  'chat.startStream': {token: 'bot', rate: tier2Tight, handle: start},
  'chat.appendStream': {token: 'bot', rate: tier4, handle: append},
  'chat.stopStream': {token: 'bot', rate: tier2Tight, handle: stop},
}

/** https://docs.slack.dev/reference/methods/chat.startStream: it takes no metadata. */
function start(desk: Desk, args: Arguments): Answer {
  const channel = writableChannel(desk, args)
  const threadTs = args.required('thread_ts')
  requirePosting(desk, channel, threadTs)
  requireRecipient(desk, channel, args)
  const display = readDisplay(args)
  const delta = readDelta(args)
  const isEmpty = delta.mode === undefined && args.has('markdown_text')
  if (isEmpty) throw new Refusal('no_text')
  const {userId, botId} = desk.workspace.app
  const author = {userId, botId, ...readPersona(args, desk.grants)}
  const {ts} = desk.streams.start({channel: channel.id, threadTs, author, display, delta})
  return {channel: channel.id, ts}
}

/** https://docs.slack.dev/reference/methods/chat.appendStream */
function append(desk: Desk, args: Arguments): Answer {
  const message = streamedMessage(desk, args)
  const delta = readDelta(args)
  if (delta.mode === undefined) {
    const isSaid = args.has('markdown_text') || args.has('chunks')
    throw new Refusal(isSaid ? 'no_text' : 'markdown_text_or_chunks_required')
  }
  desk.streams.append(message, delta)
  return {channel: message.channel, ts: message.ts}
}

/** https://docs.slack.dev/reference/methods/chat.stopStream */
function stop(desk: Desk, args: Arguments): Answer {
  const message = streamedMessage(desk, args)
  const sessionStatus = readSessionStatus(args)
  const hasBlocks = args.has('blocks') && args.values['blocks'] !== ''
  const metadata = readMetadata(args)
  desk.streams.stop(message, {
    delta: readDelta(args),
    blocks: hasBlocks ? acceptStreamBlocks(args.values['blocks']) : [],
    ...(metadata === undefined ? {} : {metadata}),
  })
  const {channel, ts, threadTs} = message
  if (threadTs !== undefined) desk.agentThreads.streamStopped(channel, threadTs, sessionStatus)
  return {channel, ts}
}

function streamedMessage(desk: Desk, args: Arguments): StoredMessage {
  const channel = writableChannel(desk, args)
  const message = findMessage(desk, channel, args.required('ts'))
  requirePosting(desk, channel, message.threadTs)
  if (message.botId !== desk.workspace.app.botId) throw new Refusal('message_not_owned_by_app')
  return message
}

/** Whom the stream answers: optional only where that is plain. */
function requireRecipient({workspace}: Desk, channel: Channel, args: Arguments): void {
  const userId = args.text('recipient_user_id') ?? ''
  const teamId = args.text('recipient_team_id') ?? ''
  const isNeeded = channel.kind !== 'dm'
  if (isNeeded && userId === '') throw new Refusal('missing_recipient_user_id')
  if (isNeeded && teamId === '') throw new Refusal('missing_recipient_team_id')
  if (userId !== '' && workspace.member(userId) === undefined) throw new Refusal('user_not_found')
  const teams = ['', workspace.team.id, workspace.member(userId)?.teamId]
  if (!teams.includes(teamId)) throw new Refusal('team_not_found')
}

function readDisplay(args: Arguments): TaskDisplayMode {
  const mode = args.text('task_display_mode') ?? 'timeline'
  if (mode === 'timeline' || mode === 'plan' || mode === 'dense') return mode
  throw invalidEnum('task_display_mode')
}

function readSessionStatus(args: Arguments): SessionStatus {
  const status = args.text('session_status') ?? 'active'
  if (isSessionStatus(status)) return status
  throw invalidEnum('session_status')
}

function invalidEnum(name: string): Refusal {
  return new Refusal(
    'invalid_arguments',
    pointers([`must be a valid enum value [json-pointer:/${name}]`]),
  )
}
