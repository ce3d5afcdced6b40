import type {Clock} from '../clock.ts'
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response'
import type {Conversation} from '../threads/conversation.ts'
import type {Entries} from '../threads/entries.ts'
import {invalidRequest, rateLimited} from '../edge/errors.ts'
import type {Live} from './live.ts'
import type {Pulse} from './pulse.ts'
import {startReader} from './reader.ts'
import {parseCursor} from '../threads/message-routes.ts'
import {param, type AddRoute, type Request} from '../edge/request.ts'

interface StreamRoutes {
  entries: Entries
  conversation: Conversation
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

/** The live stream of a thread. Sections 4.3 and 6. */
export function addStreamRoutes(add: AddRoute, options: StreamRoutes): void {
  const {entries, conversation, live, pulse, clock, streamLimit} = options
  add('GET', '/threads/:threadId/stream', (request) => {
    const principal = request.get('principal')
    const {id: threadId} = conversation.thread(principal, param(request, 'threadId'))
    const untilRun = parseUntil(request.req.query('until'))
    const afterSeq = parsePosition(entries, threadId, request)
    if (pulse.size >= streamLimit.max) throw rateLimited(RETRY_AFTER_SECONDS)
    const {outgoing: response} = request.env
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    pulse.open((onClose) =>
      startReader({
        threadId,
        key: principal.key,
        afterSeq,
        untilRun,
        response,
        clock,
        live,
        entries,
        status: () => conversation.thread(principal, threadId).status,
        onClose,
      }),
    )
    return RESPONSE_ALREADY_SENT
  })
}

function parsePosition(entries: Entries, threadId: string, request: Request): number {
  const header = request.req.header('last-event-id')
  if (header !== undefined && header !== '') {
    return parseCursor(entries, threadId, header, 'Last-Event-ID')
  }
  return parseCursor(entries, threadId, request.req.query('after'), 'after')
}

function parseUntil(until: string | undefined): boolean {
  if (until !== undefined && until !== 'run') throw invalidRequest('until can only be run.')
  return until === 'run'
}
