import {z} from 'zod'
import type {Conversation} from '../conversation.ts'
import {invalidRequest, projectNotFound} from '../errors.ts'
import type {Organization} from '../organization.ts'
import {toWireThread, type Threads} from '../threads.ts'
import {param, readBody, readLimit, type AddRoute, type Request} from './request.ts'

/** Section 2.5. */
export const modelSchema = z.object({
  modelId: z.string().min(1),
  reasoningMode: z
    .enum(['none', 'instant', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
    .optional(),
  modes: z
    .strictObject({
      fast: z.boolean().optional(),
      pro: z.boolean().optional(),
      ultrafast: z.boolean().optional(),
    })
    .optional(),
})

/** A text with something in it. */
export const wordsSchema = z.string().refine((text) => text.trim() !== '', 'must not be empty')

const MAX_REQUEST_ID_CHARS = 191

const kickoffSchema = z.object({
  requestId: z.string().refine((id) => {
    const length = Array.from(id).length
    return length >= 1 && length <= MAX_REQUEST_ID_CHARS
  }, `must have 1 to ${MAX_REQUEST_ID_CHARS} characters`),
  projectId: z.string(),
  message: wordsSchema,
  title: z.string().optional(),
  model: modelSchema.optional(),
  machineSize: z.enum(['small', 'medium', 'large', 'ultra', 'hyper', 'bigguy']).optional(),
  authorId: z.string().optional(),
})

/** The other vocabulary of section 3.1, in terms of the one that threads are served with. */
const STATUS_ALIASES: ReadonlyMap<string, string> = new Map([
  ['working', 'active'],
  ['failed', 'error'],
])

interface ThreadRoutes {
  threads: Threads
  organization: Organization
  conversation: Conversation
}

/** Threads: create, list, read, stop, archive. Section 4.1. */
export function addThreadRoutes(add: AddRoute, parts: ThreadRoutes): void {
  const {conversation} = parts
  add('POST', '/threads', async (request) => {
    const {model, ...kickoff} = await readBody(request, kickoffSchema)
    const {thread, created} = conversation.create(
      {...kickoff, modelId: model?.modelId},
      request.get('principal'),
    )
    request.set('applied', created)
    return request.json(toWireThread(thread))
  })

  add('GET', '/threads', (request) => listThreads(request, parts))

  add('GET', '/threads/:threadId', (request) =>
    request.json(toWireThread(conversation.thread(param(request, 'threadId')))),
  )

  add('POST', '/threads/:threadId/interrupt', (request) => {
    const interrupted = conversation.interrupt(param(request, 'threadId'))
    request.set('applied', interrupted)
    return request.json({interrupted})
  })

  for (const verb of ['archive', 'unarchive'] as const) {
    add('POST', `/threads/:threadId/${verb}`, (request) => {
      const threadId = param(request, 'threadId')
      const before = conversation.thread(threadId)
      const after = conversation[verb](threadId)
      request.set('applied', before.archived !== after.archived)
      return request.json(toWireThread(after))
    })
  }
}

function listThreads(request: Request, {threads, organization}: ThreadRoutes): Response {
  const projectId = request.req.query('projectId') ?? null
  if (projectId !== null && organization.project(projectId) === undefined) {
    throw projectNotFound(projectId)
  }
  const status = request.req.query('status') ?? null
  const limit = readLimit(request)
  const rows = threads.list({
    projectId,
    status: status && (STATUS_ALIASES.get(status) ?? status),
    beforeSeq: parseListCursor(request.req.query('cursor')),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return request.json({
    items: page.map(toWireThread),
    cursor: last === undefined ? null : toListCursor(last.seq),
  })
}

const LIST_CURSOR = /^before:([1-9][0-9]{0,14})$/

function toListCursor(seq: number): string {
  return Buffer.from(`before:${seq}`).toString('base64')
}

function parseListCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  const seq = LIST_CURSOR.exec(Buffer.from(cursor, 'base64').toString())?.[1]
  if (seq === undefined) throw invalidRequest('cursor is not one that this list gave out.')
  return Number(seq)
}
