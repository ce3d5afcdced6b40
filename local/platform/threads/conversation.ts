import {toTitle} from '../agent/agent.ts'
import type {Runs} from '../agent/runs.ts'
import type {Database} from '../database.ts'
import {conflict, messageNotFound, projectNotFound, threadNotFound} from '../edge/errors.ts'
import {createId} from '../id.ts'
import {reachesThread, type Access} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {Plan} from '../organization/plan.ts'
import type {Feature} from '../../../src/platform/contract/refusals.ts'
import type {Sessions} from '../sessions/sessions.ts'
import type {Live} from '../streams/live.ts'
import type {Tasks} from '../tasks/tasks.ts'
import {tellTask} from '../tasks/tell-task.ts'
import type {Entries} from './entries.ts'
import {toMessage, type Message, type Messages, type Sending} from './messages.ts'
import type {ThreadRow, Threads} from './threads.ts'

interface Kickoff {
  /** Absent for threads that the platform itself begins. */
  requestId?: string | undefined
  projectId: string
  message: string
  title?: string | undefined
  modelId?: string | undefined
  /** A client asked for it: what cannot be used is refused. */
  isModelAsked?: true
  machineSize?: Feature | undefined
  authorId?: string | undefined
}

type SendNowOutcome = {outcome: 'sent'; id: string} | {outcome: 'tooLate'}

/**
 * The rules of threads and messages: what section 4.1 lets a client do. What is absent, or out of the
 * principal's reach, is refused alike.
 */
export interface Conversation {
  thread(principal: Principal, threadId: string): ThreadRow
  /** `created` is false for a repeated `requestId`. Rule 1. */
  create(principal: Principal, kickoff: Kickoff): {thread: ThreadRow; created: boolean}
  /** Answers the event id of the message. */
  send(thread: ThreadRow, sending: Sending, authorName: string): string
  cancel(thread: ThreadRow, eventId: string): {outcome: 'cancelled' | 'tooLate'}
  sendNow(thread: ThreadRow, eventId: string): SendNowOutcome
  /** Whether there was work to stop. */
  interrupt(thread: ThreadRow): boolean
  archive(thread: ThreadRow): ThreadRow
  unarchive(thread: ThreadRow): ThreadRow
  /** The key's member becomes the author. */
  takeOver(principal: Principal, thread: ThreadRow): ThreadRow
  regenerateTitle(thread: ThreadRow): ThreadRow
}

interface ConversationOptions {
  database: Database
  access: Access
  plan: Plan
  threads: Threads
  entries: Entries
  messages: Messages
  runs: Runs
  live: Live
  sessions: Sessions
  tasks: Tasks
}

export function createConversation(options: ConversationOptions): Conversation {
  return {
    thread: (principal, threadId) => findThread(options, principal, threadId),
    create: (principal, kickoff) => create(options, principal, kickoff),
    send: (thread, sending, authorName) => send(options, thread, sending, authorName),
    cancel: (thread, eventId) => cancel(options, thread, eventId),
    sendNow: (thread, eventId) => sendNow(options, thread, eventId),
    interrupt: (thread) => interrupt(options, thread),
    archive: (thread) => setArchived(options, thread, 1),
    unarchive: (thread) => setArchived(options, thread, 0),
    takeOver: (principal, thread) => takeOver(options, principal, thread),
    regenerateTitle: (thread) => regenerateTitle(options, thread),
  }
}

function findThread(
  {threads}: ConversationOptions,
  principal: Principal,
  threadId: string,
): ThreadRow {
  const found = threads.find(threadId)
  if (found === undefined || !reachesThread(principal, found)) throw threadNotFound(threadId)
  return found
}

/** Reads a thread again that is known to be there. */
function readAgain({threads}: ConversationOptions, {id}: ThreadRow): ThreadRow {
  const found = threads.find(id)
  if (found === undefined) throw threadNotFound(id)
  return found
}

function findMessage({messages}: ConversationOptions, {id}: ThreadRow, eventId: string): Message {
  const found = messages.find(id, eventId)
  if (found === undefined) throw messageNotFound(eventId)
  return found
}

function create(
  options: ConversationOptions,
  principal: Principal,
  kickoff: Kickoff,
): {thread: ThreadRow; created: boolean} {
  const {database, threads, messages, runs, plan} = options
  // Before all other checks: a repeated creation answers as the first one did, whatever changed since.
  const existing = findRepeated(options, principal, kickoff)
  if (existing !== undefined) return {thread: existing, created: false}
  const authorId = checkPlace(options, principal, kickoff)
  if (kickoff.isModelAsked === true) plan.checkModel(kickoff.modelId ?? '', 'any')
  const threadId = createId('thread')
  const title = kickoff.title?.trim() === '' ? undefined : kickoff.title
  const sending = {text: kickoff.message, delivery: 'interrupt'} as const
  const first = toMessage(threadId, sending, principal.name)
  database.transaction(() => {
    threads.insert({
      id: threadId,
      requestId: kickoff.requestId ?? null,
      projectId: kickoff.projectId,
      authorId,
      personal: 0,
      title: title ?? toTitle(kickoff.message),
      titleCustom: title === undefined ? 0 : 1,
      modelId: kickoff.modelId ?? plan.defaultModelId,
      machineSize: kickoff.machineSize ?? null,
    })
    for (const userId of new Set([authorId, principal.userId])) {
      if (userId !== null) threads.addParticipant(threadId, userId)
    }
    messages.add(first)
  })()
  runs.begin(first)
  return {thread: findThread(options, principal, threadId), created: true}
}

function findRepeated(
  {threads}: ConversationOptions,
  principal: Principal,
  {requestId, projectId}: Kickoff,
): ThreadRow | undefined {
  const existing = requestId === undefined ? undefined : threads.findByRequest(requestId)
  if (existing !== undefined && !reachesThread(principal, existing)) {
    throw projectNotFound(projectId)
  }
  return existing
}

/** Checks where the thread shall stand and answers whose it is: nobody's for a service key that names none. */
function checkPlace(
  {access, plan}: ConversationOptions,
  principal: Principal,
  {projectId, authorId, machineSize}: Kickoff,
): string | null {
  access.project(principal, projectId)
  if (machineSize !== undefined) plan.require(machineSize)
  return authorId === undefined ? principal.userId : access.member(authorId, 'authorId').id
}

function send(
  options: ConversationOptions,
  thread: ThreadRow,
  sending: Sending,
  authorName: string,
): string {
  const {modelId} = sending
  if (sending.isModelAsked === true && modelId !== undefined)
    options.plan.checkModel(modelId, 'any')
  setArchived(options, thread, 0)
  const sent = toMessage(thread.id, sending, authorName)
  options.messages.add(sent)
  if (sending.delivery === 'interrupt') breakIn(options, sent)
  else options.runs.beginNext(thread.id)
  return sent.id
}

/** Puts a message before everything that waits: work in progress stops for it. */
function breakIn({runs}: ConversationOptions, urgent: Message): void {
  runs.abort(urgent.threadId, 'active')
  runs.begin(urgent)
}

function cancel(
  options: ConversationOptions,
  thread: ThreadRow,
  eventId: string,
): {outcome: 'cancelled' | 'tooLate'} {
  const {state} = findMessage(options, thread, eventId)
  if (state === 'waiting') options.messages.move(eventId, 'cancelled')
  return {outcome: state === 'waiting' || state === 'cancelled' ? 'cancelled' : 'tooLate'}
}

function sendNow(options: ConversationOptions, thread: ThreadRow, eventId: string): SendNowOutcome {
  const {database, messages} = options
  const waiting = findMessage(options, thread, eventId)
  if (waiting.state !== 'waiting') return {outcome: 'tooLate'}
  const sent: Message = {...waiting, id: createId('msg'), delivery: 'interrupt'}
  database.transaction(() => {
    messages.move(eventId, 'replaced')
    messages.add(sent)
  })()
  breakIn(options, sent)
  return {outcome: 'sent', id: sent.id}
}

function interrupt(options: ConversationOptions, thread: ThreadRow): boolean {
  const stopped = options.runs.abort(thread.id, 'idle')
  options.runs.beginNext(thread.id)
  return stopped
}

function setArchived(options: ConversationOptions, thread: ThreadRow, archived: 0 | 1): ThreadRow {
  if (thread.archived === archived) return thread
  const {database, threads, tasks, sessions, live} = options
  const changed = database.transaction(() => {
    threads.setArchived(thread.id, archived)
    if (archived === 1) sessions.clear(thread.id)
    else if (thread.state === 'active') sessions.begin(thread.id)
    return tasks.setArchived(thread.id, archived)
  })()
  // First the tasks: the thread's own status ends its streams.
  for (const task of changed) tellTask(live, task)
  const after = readAgain(options, thread)
  live.publish(thread.id, {kind: 'status', status: after.status})
  return after
}

function takeOver(options: ConversationOptions, {userId}: Principal, thread: ThreadRow): ThreadRow {
  if (userId === null) throw conflict('A service key owns nothing: use the key of a member.')
  if (thread.archived === 1) throw conflict('The thread is archived: unarchive it first.')
  if (thread.authorId === userId) return thread
  options.threads.setAuthor(thread.id, userId)
  options.threads.addParticipant(thread.id, userId)
  return readAgain(options, thread)
}

/** The title that the newest message of a person suggests. */
function regenerateTitle(options: ConversationOptions, thread: ThreadRow): ThreadRow {
  const text = options.entries.lastUserText(thread.id)
  options.threads.setTitle(thread.id, text === undefined ? thread.title : toTitle(text))
  return readAgain(options, thread)
}
