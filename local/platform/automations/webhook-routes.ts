import type {Hono} from 'hono'
import {z} from 'zod'
import {invalidRequest, webhookNotFound} from '../edge/errors.ts'
import {param, readBody, type Env, type Request} from '../edge/request.ts'
import type {Automations} from './automations.ts'

export const WEBHOOK_PATH = '/webhooks/automations'

const eventSchema = z.record(z.string(), z.unknown())

/** Where events come in. The address is the credential, so below it all that is not served looks alike. Section 4.9. */
export function addWebhookRoutes(app: Hono<Env>, {automations}: {automations: Automations}): void {
  app.post(`${WEBHOOK_PATH}/:secret`, async (request) => {
    const automation = automations.webhook(param(request, 'secret'))
    const idempotencyKey = readIdempotencyKey(request)
    const event = await readBody(request, eventSchema)
    const json = await request.req.text()
    const outcome = automations.receive(automation, {event, json, idempotencyKey})
    request.set('applied', outcome === 'accepted')
    return request.json({outcome}, 202)
  })

  app.all(`${WEBHOOK_PATH}/*`, () => {
    throw webhookNotFound()
  })
}

const MAX_KEY_LENGTH = 255

function readIdempotencyKey(request: Request): string | undefined {
  const key = request.req.header('idempotency-key')
  if (key === undefined || (key !== '' && key.length <= MAX_KEY_LENGTH)) return key
  throw invalidRequest(`Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`)
}
