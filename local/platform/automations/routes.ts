import {parseListCursor, toListCursor} from '../edge/list-cursor.ts'
import {param, readBody, readLimit, type AddRoute, type Request} from '../edge/request.ts'
import type {Automations} from './automations.ts'
import {creationSchema, webhooksOf} from './definition.ts'
import {WEBHOOK_PATH} from './webhook-routes.ts'
import {showAutomation} from './wire.ts'

/** Automations: create, list, switch on and off, delete and restore. Section 4.7. */
export function addAutomationRoutes(
  add: AddRoute,
  {automations}: {automations: Automations},
): void {
  add('GET', '/automations', (request) => listAutomations(request, automations))

  add('POST', '/automations', async (request) => {
    const creation = await readBody(request, creationSchema)
    const {automation, created, secret} = automations.create(request.get('principal'), creation)
    request.set('applied', created)
    const shown = showAutomation(automation)
    if (webhooksOf(automation.definition).length === 0) return request.json(shown)
    const webhookUrl = secret === null ? null : toWebhookUrl(request, secret)
    return request.json({...shown, webhookUrl})
  })

  for (const change of ['enable', 'disable', 'delete', 'restore'] as const) {
    add('POST', `/automations/:automationId/${change}`, (request) => {
      const id = param(request, 'automationId')
      const before = automations.automation(request.get('principal'), id)
      const {automation, changed} = automations.change(before, change)
      request.set('applied', changed)
      return request.json(showAutomation(automation))
    })
  }
}

function listAutomations(request: Request, automations: Automations): Response {
  const limit = readLimit(request)
  const rows = automations.list(request.get('principal'), {
    projectId: request.req.query('projectId') ?? null,
    beforeSeq: parseListCursor(request.req.query('cursor')),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return request.json({
    items: page.map(showAutomation),
    cursor: last === undefined ? null : toListCursor(last.seq),
  })
}

/** On the host that the client already talks to. */
function toWebhookUrl(request: Request, secret: string): string {
  return `${new URL(request.req.url).origin}${WEBHOOK_PATH}/${secret}`
}
