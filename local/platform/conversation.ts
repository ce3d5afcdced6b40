import type {Delivery} from '../../src/platform/model.ts'
import {toTitle} from './agent.ts'
import type {Database} from './database.ts'
import {invalidRequest, messageNotFound, projectNotFound, threadNotFound} from './errors.ts'
import {createId} from './id.ts'
import type {Principal} from './keys.ts'
import type {Live} from './live.ts'
import type {Message, Messages} from './messages.ts'
import type {Organization} from './organization.ts'
import type {Runs} from './runs.ts'
import type {ThreadRow, Threads} from './threads.ts'

interface Kickoff {
  requestId: string
  projectId: string
  message: string
  title?: string | undefined
  modelId?: string | undefined
  machineSize?: string | undefined
  authorId?: string | undefined
}

interface Sending {
  text: string
  delivery: Delivery
  modelId?: string | undefined
}

type SendNowOutcome = {outcome: 'sent'; id: string} | {outcome: 'tooLate'}

/** The rules of threads and messages: what section 4.1 lets a client do. Absent things are refused. */
export interface Conversation {
  thread(threadId: string): ThreadRow
  /** `created` is false for a repeated `requestId`. Rule 1. */
  create(kickoff: Kickoff, principal: Principal): {thread: ThreadRow; created: boolean}
  /** Answers the event id of the message. */
  send(threadId: string, sending: Sending, principal: Principal): string
  cancel(threadId: string, eventId: string): {outcome: 'cancelled' | 'tooLate'}
  sendNow(threadId: string, eventId: string): SendNowOutcome
  /** Whether there was work to stop. */
  interrupt(threadId: string): boolean
  archive(threadId: string): ThreadRow
  unarchive(threadId: string): ThreadRow
}

interface ConversationOptions {
  database: Database
  organization: Organization
  threads: Threads
  messages: Messages
  runs: Runs
  live: Live
}

const DEFAULT_MODEL = 'standard'

export function createConversation(options: ConversationOptions): Conversation {
  return {
    thread: (threadId) => findThread(options, threadId),
    create: (kickoff, principal) => create(options, kickoff, principal),
    send: (threadId, sending, principal) => send(options, threadId, sending, principal),
    cancel: (threadId, eventId) => cancel(options, threadId, eventId),
    sendNow: (threadId, eventId) => sendNow(options, threadId, eventId),
    interrupt: (threadId) => interrupt(options, threadId),
    archive: (threadId) => setArchived(options, threadId, 1),
    unarchive: (threadId) => setArchived(options, threadId, 0),
  }
}

function findThread({threads}: ConversationOptions, threadId: string): ThreadRow {
  const found = threads.find(threadId)
  if (found === undefined) throw threadNotFound(threadId)
  return found
}

function findMessage(options: ConversationOptions, threadId: string, eventId: string): Message {
  findThread(options, threadId)
  const found = options.messages.find(threadId, eventId)
  if (found === undefined) throw messageNotFound(eventId)
  return found
}

function create(
  options: ConversationOptions,
  kickoff: Kickoff,
  principal: Principal,
): {thread: ThreadRow; created: boolean} {
  const {database, organization, threads, messages, runs} = options
  // Before all other checks: a repeated creation answers as the first one did, whatever changed since.
  const existing = threads.findByRequest(kickoff.requestId)
  if (existing !== undefined) return {thread: existing, created: false}
  const authorId = kickoff.authorId ?? principal.userId
  checkPlace(organization, kickoff.projectId, authorId)
  const threadId = createId('thread')
  const first = toMessage(threadId, {text: kickoff.message, delivery: 'interrupt'}, principal)
  database.transaction(() => {
    threads.insert({
      id: threadId,
      requestId: kickoff.requestId,
      projectId: kickoff.projectId,
      authorId,
      title: kickoff.title ?? toTitle(kickoff.message),
      titleCustom: kickoff.title === undefined ? 0 : 1,
      modelId: kickoff.modelId ?? DEFAULT_MODEL,
      machineSize: kickoff.machineSize ?? null,
    })
    messages.add(first)
  })()
  runs.begin(first)
  return {thread: findThread(options, threadId), created: true}
}

function send(
  options: ConversationOptions,
  threadId: string,
  sending: Sending,
  principal: Principal,
): string {
  setArchived(options, threadId, 0)
  const sent = toMessage(threadId, sending, principal)
  options.messages.add(sent)
  if (sending.delivery === 'interrupt') breakIn(options, sent)
  else options.runs.beginNext(threadId)
  return sent.id
}

/** Puts a message before everything that waits: work in progress stops for it. */
function breakIn({runs}: ConversationOptions, urgent: Message): void {
  runs.abort(urgent.threadId, 'active')
  runs.begin(urgent)
}

function cancel(
  options: ConversationOptions,
  threadId: string,
  eventId: string,
): {outcome: 'cancelled' | 'tooLate'} {
  const {state} = findMessage(options, threadId, eventId)
  if (state === 'waiting') options.messages.move(eventId, 'cancelled')
  return {outcome: state === 'waiting' || state === 'cancelled' ? 'cancelled' : 'tooLate'}
}

function sendNow(options: ConversationOptions, threadId: string, eventId: string): SendNowOutcome {
  const {database, messages} = options
  const waiting = findMessage(options, threadId, eventId)
  if (waiting.state !== 'waiting') return {outcome: 'tooLate'}
  const sent: Message = {...waiting, id: createId('msg'), delivery: 'interrupt'}
  database.transaction(() => {
    messages.move(eventId, 'replaced')
    messages.add(sent)
  })()
  breakIn(options, sent)
  return {outcome: 'sent', id: sent.id}
}

function interrupt(options: ConversationOptions, threadId: string): boolean {
  findThread(options, threadId)
  const stopped = options.runs.abort(threadId, 'idle')
  options.runs.beginNext(threadId)
  return stopped
}

function setArchived(options: ConversationOptions, threadId: string, archived: 0 | 1): ThreadRow {
  const before = findThread(options, threadId)
  if (before.archived === archived) return before
  options.threads.setArchived(threadId, archived)
  const after = findThread(options, threadId)
  options.live.publish(threadId, {kind: 'status', status: after.status})
  return after
}

function checkPlace(organization: Organization, projectId: string, authorId: string): void {
  if (organization.project(projectId) === undefined) throw projectNotFound(projectId)
  if (organization.user(authorId) === undefined) {
    throw invalidRequest(`authorId ${authorId} is not an active member of the organization.`)
  }
}

function toMessage(threadId: string, sending: Sending, principal: Principal): Message {
  return {
    id: createId('msg'),
    threadId,
    text: sending.text,
    delivery: sending.delivery,
    modelId: sending.modelId ?? null,
    authorName: principal.name,
    state: 'waiting',
  }
}
