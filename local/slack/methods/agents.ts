import type {AgentSession, Prompt} from '../agents/agent-threads.ts'
import type {Arguments} from '../edge/arguments.ts'
import {createCheck} from '../blocks/check.ts'
import {pointers, Refusal} from '../edge/refusal.ts'
import {readPersona} from '../messages/persona.ts'
import {isTs} from '../messages/timestamps.ts'
import type {CodeChannel} from '../workspace/code-channel.ts'
import {isSessionStatus} from '../workspace/session-status.ts'
import type {Channel} from '../workspace/workspace.ts'
import {tier3, tier4, type Answer, type Desk, type Method} from './method.ts'

/** What an app shows around the threads that it works in: status, title, prompts and sessions. */
export const agentMethods: Record<string, Method> = {
  'agents.sessions.rename': {token: 'bot', rate: tier3, handle: renameSession},
  'agents.sessions.setStatus': {token: 'bot', rate: tier3, handle: setSessionStatus},
  'assistant.threads.setStatus': {
    token: 'bot',
    // "Special", and nowhere written down: ten a second by default.
    rate: {perMinute: 600, burst: 50},
    handle: setStatus,
  },
  'assistant.threads.setSuggestedPrompts': {token: 'bot', rate: tier4, handle: setPrompts},
  'assistant.threads.setTitle': {token: 'bot', rate: tier4, handle: setTitle},
}

const maxLoadingMessages = 10
const maxPrompts = 4
const maxSessionTitle = 200
/** Names that Slack keeps for itself. */
const reservedNames = ['slack', 'slackbot', 'here', 'channel', 'everyone', 'group']

/** https://docs.slack.dev/reference/methods/assistant.threads.setStatus: an empty one clears it. */
function setStatus(desk: Desk, args: Arguments): Answer {
  const {channel, threadTs} = findThread(desk, args)
  const status = args.text('status')
  if (status === undefined) throw invalid('missing required field: status')
  const name = args.text('username')?.toLowerCase() ?? ''
  if (reservedNames.includes(name)) throw new Refusal('reserved_username')
  const loadingMessages = readTexts(args, 'loading_messages')
  const {persona} = readPersona(args, desk.grants)
  desk.agentThreads.change(channel, threadTs, {status, loadingMessages, persona})
  return {}
}

/** https://docs.slack.dev/reference/methods/assistant.threads.setTitle */
function setTitle(desk: Desk, args: Arguments): Answer {
  const {channel, threadTs} = findThread(desk, args)
  desk.agentThreads.change(channel, threadTs, {title: args.required('title')})
  return {}
}

/** https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts */
function setPrompts(desk: Desk, args: Arguments): Answer {
  const {agentThreads, messages} = desk
  if (agentThreads.options === undefined) throw new Refusal('not_agent_app')
  const hasThread = (args.text('thread_ts') ?? '') !== ''
  const title = args.text('title')
  const prompts = {prompts: readPrompts(args), ...(title === undefined ? {} : {title})}
  if (agentThreads.options.view === 'assistant_view') {
    if (!hasThread) throw new Refusal('missing_thread_ts')
    const {channel, threadTs} = findThread(desk, args)
    agentThreads.change(channel, threadTs, {prompts})
    return {}
  }
  const channel = findPlace(desk, args)
  // Slack accepts a thread there, and shows nothing.
  if (hasThread) return {}
  const latest = messages.inChannel(channel).at(-1)
  if (latest === undefined) throw new Refusal('message_not_found')
  agentThreads.change(channel, latest.threadTs ?? latest.ts, {prompts})
  return {}
}

/** https://docs.slack.dev/reference/methods/agents.sessions.setStatus */
function setSessionStatus(desk: Desk, args: Arguments): Answer {
  const {agentThreads} = desk
  const {options} = agentThreads
  if (options === undefined) throw new Refusal('not_agent_app')
  const status = args.required('status')
  if (!isSessionStatus(status)) throw invalid('must be a valid enum value [json-pointer:/status]')
  const place = findCodeChannel(desk, args)
  const session =
    place === undefined
      ? setThreadSession(desk, args, status)
      : {
          ...desk.channels.setCode(place.channel, {...place.code, ...asOf(desk, status)}).code,
          status,
        }
  const warning = 'missing_agent_session_stopped_event_subscription'
  const isDeaf = status === 'processing' && options.stopEvent === 'absent'
  return {
    status,
    ...(session.title === undefined ? {} : {title: session.title}),
    ...(isDeaf ? {warning, response_metadata: {warnings: [warning]}} : {}),
  }
}

function setThreadSession(
  desk: Desk,
  args: Arguments,
  status: AgentSession['status'],
): AgentSession {
  const {agentThreads} = desk
  const {channel, threadTs} = findThread(desk, args)
  const known = agentThreads.of(channel, threadTs).session
  const session = {...(known ?? newSession(desk, channel, args)), status}
  agentThreads.change(channel, threadTs, {session})
  return session
}

function asOf({agentThreads, now}: Desk, status: AgentSession['status']) {
  return {status, processingEndsAtMs: now() + agentThreads.processingMs}
}

/** https://docs.slack.dev/reference/methods/agents.sessions.rename: a code channel gets the name, too. */
function renameSession(desk: Desk, args: Arguments): Answer {
  const {agentThreads} = desk
  if (agentThreads.options === undefined) throw new Refusal('not_agent_app')
  const title = readSessionTitle(args.required('title'))
  const place = findCodeChannel(desk, args)
  if (place !== undefined) {
    const titled = desk.channels.setCode(place.channel, {...place.code, title})
    const name = desk.channels.nameFor(title)
    // Named so already, if only with a number behind it.
    if (!name.startsWith(`${titled.name}-`)) desk.channels.rename(titled, name)
    return {title}
  }
  const {channel, threadTs} = findThread(desk, args)
  const {session} = agentThreads.of(channel, threadTs)
  if (session === undefined) throw new Refusal('session_not_found')
  agentThreads.change(channel, threadTs, {session: {...session, title}})
  return {title}
}

/** Title and initiator count at the beginning only. */
function newSession({workspace}: Desk, channel: string, args: Arguments): AgentSession {
  const title = args.text('title')
  const initiatorUserId = args.text('initiator_user_id')
  if (initiatorUserId !== undefined && !workspace.hasMember(channel, initiatorUserId)) {
    throw invalid('must be a member of the channel [json-pointer:/initiator_user_id]')
  }
  return {
    status: 'active',
    ...(title === undefined ? {} : {title: readSessionTitle(title)}),
    ...(initiatorUserId === undefined ? {} : {initiatorUserId}),
  }
}

function readSessionTitle(title: string): string {
  if (title.length <= maxSessionTitle) return title
  throw invalid(`must be less than ${maxSessionTitle + 1} characters [json-pointer:/title]`)
}

/** The app must be a member: where it is none, these methods know no channel. */
function findPlace({workspace}: Desk, args: Arguments): string {
  const id = args.required('channel_id')
  const channel = workspace.channel(id) ?? workspace.dmOf(id)
  const isSeen = channel !== undefined && workspace.hasMember(channel.id, workspace.app.userId)
  if (!isSeen) throw new Refusal('channel_not_found')
  return channel.id
}

/** Of a code channel there is one session, and none of its threads has another. */
function findCodeChannel(
  desk: Desk,
  args: Arguments,
): {channel: Channel; code: CodeChannel} | undefined {
  const channel = desk.workspace.channel(findPlace(desk, args))
  if (channel?.code?.agentId !== desk.workspace.app.userId) return undefined
  if (args.has('thread_ts')) throw invalid('must be omitted [json-pointer:/thread_ts]')
  if (channel.archived) throw new Refusal('is_archived')
  return {channel, code: channel.code}
}

function findThread(desk: Desk, args: Arguments): {channel: string; threadTs: string} {
  const channel = findPlace(desk, args)
  const threadTs = args.required('thread_ts')
  const root = isTs(threadTs) ? desk.messages.find(channel, threadTs) : undefined
  const isRoot = root !== undefined && root.threadTs === undefined && root.ephemeralTo === undefined
  if (!isRoot) throw new Refusal('invalid_thread_ts')
  return {channel, threadTs}
}

function readTexts(args: Arguments, name: string): string[] {
  const value = args.values[name]
  if (value === undefined || value === null || value === '') return []
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
  if (!Array.isArray(value) || texts.length < value.length) {
    throw invalid(`must be an array of strings [json-pointer:/${name}]`)
  }
  if (texts.length <= maxLoadingMessages) return texts
  throw invalid(`no more than ${maxLoadingMessages} items allowed [json-pointer:/${name}]`)
}

function readPrompts(args: Arguments): Prompt[] {
  const check = createCheck()
  const spots = check.items({value: args.values, pointer: ''}, 'prompts', {min: 1, max: maxPrompts})
  for (const spot of spots) {
    check.string(spot, 'title', {max: Infinity})
    check.string(spot, 'message', {max: Infinity})
  }
  if (check.mistakes.length > 0) {
    throw new Refusal('invalid_arguments', pointers(check.mistakes))
  }
  return spots.map(({value}) => ({
    title: String(value['title']),
    message: String(value['message']),
  }))
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_arguments', pointers([message]))
}
