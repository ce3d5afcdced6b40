import {z} from 'zod'
import {boundedText, decline, newReview} from '../../../src/platform/contract/bodies.ts'
import {param, readBody, type AddRoute} from '../edge/request.ts'
import {wordsSchema} from '../edge/schemas.ts'
import type {Reviews} from './reviews.ts'

export const askedSchema = newReview.extend({
  prNumber: z.int().positive(),
  idempotencyKey: boundedText(191).optional(),
})

export const ruleSchema = z.object({
  body: wordsSchema,
  scopes: z.array(z.object({repo: z.string(), paths: z.array(z.string()).default([])})).default([]),
  file: z.object({repo: z.string(), path: z.string()}).optional(),
})

export const declineSchema = decline

/** Reviews, their rules and filters, and who pays for them. Section 4.8. */
export function addReviewRoutes(add: AddRoute, {reviews}: {reviews: Reviews}): void {
  add('POST', '/reviews', async (request) => {
    const asked = await readBody(request, askedSchema)
    const {round, adopted, sourceRecorded, applied} = reviews.start(request.get('principal'), asked)
    request.set('applied', applied)
    const {id: reviewId, threadId, headSha} = round
    const requestId = asked.idempotencyKey ?? round.requestId
    return request.json({reviewId, requestId, threadId, headSha, adopted, sourceRecorded})
  })

  add('POST', '/review-rules', async (request) => {
    const rule = await readBody(request, ruleSchema)
    request.set('applied', true)
    return request.json({rule: reviews.rules.create(request.get('principal'), rule)})
  })

  add('GET', '/review-filters/rules', (request) =>
    request.json({rules: reviews.filters.list(request.get('principal'))}),
  )

  add('DELETE', '/review-filters/rules/:id', (request) => {
    const id = param(request, 'id')
    const deleted = reviews.filters.delete(request.get('principal'), id)
    request.set('applied', deleted)
    return request.json({id, deleted})
  })

  add('POST', '/review-billing-transfer/decline', async (request) => {
    const {repo} = await readBody(request, declineSchema)
    const declined = reviews.transfers.decline(request.get('principal'), repo)
    request.set('applied', true)
    return request.json({...declined})
  })
}
