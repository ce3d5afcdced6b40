import {alreadySent} from '../../already-sent.ts'
import type {Clock} from '../clock.ts'
import {invalidRequest, rateLimited} from '../edge/errors.ts'
import {param, type AddRoute, type Request} from '../edge/request.ts'
import {toTaskState} from '../tasks/tasks.ts'
import type {FindTask} from '../tasks/find-task.ts'
import type {Conversation} from '../threads/conversation.ts'
import type {Entries} from '../threads/entries.ts'
import {parseCursor} from '../threads/message-routes.ts'
import type {StateEvent} from './frames.ts'
import type {Live} from './live.ts'
import type {Pulse} from './pulse.ts'
import {startReader} from './reader.ts'

interface StreamRoutes {
  entries: Entries
  conversation: Conversation
  findTask: FindTask
  live: Live
  pulse: Pulse
  clock: Clock
  streamLimit: StreamLimit
}

/** How many streams may be open at once; it may change while the server runs. Section 8. */
export interface StreamLimit {
  max: number
}

const RETRY_AFTER_SECONDS = 2

/** The live streams of threads and tasks. Sections 4.2, 4.3 and 6. */
export function addStreamRoutes(add: AddRoute, parts: StreamRoutes): void {
  const {conversation, findTask} = parts
  add('GET', '/threads/:threadId/stream', (request) => {
    const principal = request.get('principal')
    const ownerId = param(request, 'threadId')
    const state = (): StateEvent => {
      return {kind: 'status', status: conversation.thread(principal, ownerId).status}
    }
    return openStream(request, {...parts, ownerId, state})
  })

  add('GET', '/tasks/:taskId/stream', (request) => {
    const principal = request.get('principal')
    const ownerId = param(request, 'taskId')
    const state = (): StateEvent => {
      return {kind: 'task', task: toTaskState(findTask(principal, ownerId))}
    }
    return openStream(request, {...parts, ownerId, state})
  })
}

interface Owner {
  ownerId: string
  /** Refuses with 404 what is absent or out of reach. */
  state: () => StateEvent
}

function openStream(request: Request, options: StreamRoutes & Owner): Response {
  const {entries, live, pulse, clock, streamLimit, ownerId, state} = options
  state()
  const untilRun = parseUntil(request.req.query('until'))
  const afterSeq = parsePosition(entries, ownerId, request)
  if (pulse.size >= streamLimit.max) throw rateLimited(RETRY_AFTER_SECONDS)
  const {key} = request.get('principal')
  const {outgoing: response} = request.env
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  pulse.open((onClose) =>
    startReader({ownerId, key, afterSeq, untilRun, response, clock, live, entries, state, onClose}),
  )
  return alreadySent()
}

function parsePosition(entries: Entries, ownerId: string, request: Request): number {
  const header = request.req.header('last-event-id')
  if (header !== undefined && header !== '') {
    return parseCursor(entries, ownerId, header, 'Last-Event-ID')
  }
  return parseCursor(entries, ownerId, request.req.query('after'), 'after')
}

function parseUntil(until: string | undefined): boolean {
  if (until !== undefined && until !== 'run') throw invalidRequest('until can only be run.')
  return until === 'run'
}
