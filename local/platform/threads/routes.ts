import {newThread} from '../../../src/platform/contract/bodies.ts'
import {parseListCursor, toListCursor} from '../edge/list-cursor.ts'
import {invalidRequest} from '../edge/errors.ts'
import {param, readBody, readLimit, type AddRoute, type Request} from '../edge/request.ts'
import {modelSchema, wordsSchema} from '../edge/schemas.ts'
import type {Access} from '../organization/access.ts'
import type {Conversation} from './conversation.ts'
import type {ThreadRow, Threads} from './threads.ts'
import {isStatus} from './vocabulary.ts'
import type {ShowThread} from './wire.ts'

export const kickoffSchema = newThread.extend({message: wordsSchema, model: modelSchema.optional()})

interface ThreadRoutes {
  threads: Threads
  access: Access
  conversation: Conversation
  showThread: ShowThread
}

/** Threads: create, list, read, stop, archive, take over. Section 4.1. */
export function addThreadRoutes(add: AddRoute, parts: ThreadRoutes): void {
  const {conversation} = parts
  const answer = (request: Request, thread: ThreadRow): Response =>
    request.json(parts.showThread(thread, request.get('principal')))
  const find = (request: Request): ThreadRow =>
    conversation.thread(request.get('principal'), param(request, 'threadId'))

  add('POST', '/threads', async (request) => {
    const {model, ...kickoff} = await readBody(request, kickoffSchema)
    const {thread, created} = conversation.create(request.get('principal'), {
      ...kickoff,
      ...(model !== undefined && {modelId: model.modelId, isModelAsked: true as const}),
    })
    request.set('applied', created)
    return answer(request, thread)
  })

  add('GET', '/threads', (request) => listThreads(request, parts))

  add('GET', '/threads/:threadId', (request) => answer(request, find(request)))

  add('POST', '/threads/:threadId/interrupt', (request) => {
    const interrupted = conversation.interrupt(find(request))
    request.set('applied', interrupted)
    return request.json({interrupted})
  })

  for (const verb of ['archive', 'unarchive'] as const) {
    add('POST', `/threads/:threadId/${verb}`, (request) => {
      const before = find(request)
      const after = conversation[verb](before)
      request.set('applied', before.archived !== after.archived)
      return answer(request, after)
    })
  }

  add('POST', '/threads/:threadId/takeover', (request) => {
    const before = find(request)
    const after = conversation.takeOver(request.get('principal'), before)
    request.set('applied', before.authorId !== after.authorId)
    return answer(request, after)
  })

  add('POST', '/threads/:threadId/regenerate-title', (request) => {
    const after = conversation.regenerateTitle(find(request))
    request.set('applied', true)
    return answer(request, after)
  })
}

function listThreads(request: Request, {threads, access, showThread}: ThreadRoutes): Response {
  const principal = request.get('principal')
  const projectId = request.req.query('projectId') ?? null
  if (projectId !== null) access.project(principal, projectId)
  const limit = readLimit(request)
  const rows = threads.list({
    projectId,
    status: readStatus(request),
    beforeSeq: parseListCursor(request.req.query('cursor')),
    limit: limit + 1,
    projectIds: principal.projectIds,
    userId: principal.userId,
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return request.json({
    items: page.map((row) => showThread(row, principal)),
    cursor: last === undefined ? null : toListCursor(last.seq),
  })
}

function readStatus(request: Request): string | null {
  const status = request.req.query('status')
  if (status === undefined || status === '') return null
  if (!isStatus(status)) throw invalidRequest(`status cannot be ${status}.`)
  return status
}
