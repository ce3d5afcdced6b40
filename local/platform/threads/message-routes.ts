import {newMessage} from '../../../src/platform/contract/bodies.ts'
import type {Conversation} from './conversation.ts'
import type {Entries} from './entries.ts'
import {invalidRequest} from '../edge/errors.ts'
import {param, readBody, readLimit, type AddRoute, type Request} from '../edge/request.ts'
import {modelSchema, wordsSchema} from '../edge/schemas.ts'
import type {ThreadRow} from './threads.ts'

export const sendingSchema = newMessage.extend({text: wordsSchema, model: modelSchema.optional()})

interface MessageRoutes {
  entries: Entries
  conversation: Conversation
}

/** Messages of people, and the transcript in pages. Sections 4.1 and 3.3. */
export function addMessageRoutes(add: AddRoute, {entries, conversation}: MessageRoutes): void {
  const find = (request: Request): ThreadRow =>
    conversation.thread(request.get('principal'), param(request, 'threadId'))

  add('POST', '/threads/:threadId/message', async (request) => {
    const {text, model, delivery} = await readBody(request, sendingSchema)
    const asked = model && {modelId: model.modelId, isModelAsked: true as const}
    const sending = {text, delivery, ...asked}
    const id = conversation.send(find(request), sending, request.get('principal').name)
    request.set('applied', true)
    return request.json({id, deduped: false})
  })

  add('GET', '/threads/:threadId/messages', (request) =>
    answerTranscript(request, entries, find(request).id),
  )

  add('POST', '/threads/:threadId/messages/:eventId/cancel', (request) => {
    const result = conversation.cancel(find(request), param(request, 'eventId'))
    request.set('applied', result.outcome === 'cancelled')
    return request.json(result)
  })

  add('POST', '/threads/:threadId/messages/:eventId/send-now', (request) => {
    const result = conversation.sendNow(find(request), param(request, 'eventId'))
    request.set('applied', result.outcome === 'sent')
    return request.json(result)
  })
}

/** A page of the transcript of a thread or a task. */
export function answerTranscript(request: Request, entries: Entries, ownerId: string): Response {
  const limit = readLimit(request)
  const afterSeq = parseCursor(entries, ownerId, request.req.query('after'), 'after')
  const found = entries.after(ownerId, afterSeq, limit + 1)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const items = page.map(({json}): unknown => JSON.parse(json))
  return request.json({items, cursor: last?.cursor ?? null})
}

/** The position of a transcript cursor; without one, the beginning. Section 4.3. */
export function parseCursor(
  entries: Entries,
  ownerId: string,
  cursor: string | undefined,
  name: string,
): number {
  if (cursor === undefined || cursor === '') return 0
  // In a query that nobody encoded, the plus signs of base64 arrive as blanks.
  const seq = entries.seqOf(ownerId, cursor.replaceAll(' ', '+'))
  if (seq === undefined) throw invalidRequest(`${name} is not a cursor of this transcript.`)
  return seq
}
