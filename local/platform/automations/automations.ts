import {randomBytes} from 'node:crypto'
import {Refusal, automationNotFound, projectNotFound, webhookNotFound} from '../edge/errors.ts'
import {createId} from '../id.ts'
import {reachesProject, type Access} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {Plan} from '../organization/plan.ts'
import {createAdmission, type AdmissionOptions} from './admission.ts'
import {webhooksOf, type Creation} from './definition.ts'
import {createDeliveries} from './deliveries.ts'
import {isWanted, quoteEvent} from './event.ts'
import {createAutomationRecords, type AutomationRow, type Change} from './records.ts'
import {createSchedule} from './schedule.ts'

interface Created {
  automation: AutomationRow
  /** `false` for a repeated `requestId`. */
  created: boolean
  /** Of the webhook: nobody can read it again. */
  secret: string | null
}

interface Delivery {
  event: unknown
  /** The event as it came. */
  json: string
  idempotencyKey: string | undefined
}

interface PageFilter {
  projectId: string | null
  beforeSeq: number
  limit: number
}

/** The rules of automations. What is absent, or out of the principal's reach, is refused alike. Section 4.7. */
export interface Automations extends Disposable {
  automation(principal: Principal, id: string): AutomationRow
  list(principal: Principal, filter: PageFilter): AutomationRow[]
  create(principal: Principal, creation: Creation): Created
  /** `changed` is false when it was so already. */
  change(automation: AutomationRow, change: Change): {automation: AutomationRow; changed: boolean}
  /** Refuses alike a secret that no webhook has and one whose automation does not run. Section 4.9. */
  webhook(secret: string): AutomationRow
  receive(automation: AutomationRow, delivery: Delivery): 'accepted' | 'duplicate' | 'no-match'
}

type AutomationsOptions = Omit<AdmissionOptions, 'records' | 'deliveries'> & {
  access: Access
  plan: Plan
}

export function createAutomations(options: AutomationsOptions): Automations {
  const engine = startEngine(options)
  const {access} = options
  const {records, schedule} = engine
  return {
    automation: (principal, id) => {
      const found = records.find(id)
      if (found === undefined || !reachesProject(principal, found.projectId)) {
        throw automationNotFound(id)
      }
      return found
    },
    list: (principal, filter) => {
      if (filter.projectId !== null) access.project(principal, filter.projectId)
      return records.list({...filter, projectIds: principal.projectIds})
    },
    create: (principal, creation) => create(engine, principal, creation),
    change: ({id}, change) => {
      const changed = records.change(id, change)
      const automation = readAgain(engine, id)
      if (changed) schedule.follow(automation)
      return {automation, changed}
    },
    webhook: (secret) => asLive(records.findBySecret(secret)),
    receive: (automation, delivery) => receive(engine, automation, delivery),
    [Symbol.dispose]: () => schedule[Symbol.dispose](),
  }
}

type Engine = ReturnType<typeof startEngine>

function startEngine(options: AutomationsOptions) {
  const {database, clock} = options
  const records = createAutomationRecords(database, clock)
  const deliveries = createDeliveries(database)
  const admission = createAdmission({...options, records, deliveries})
  const fire = (automation: AutomationRow): void => {
    try {
      admission.admit(automation, {message: automation.definition.prompt})
    } catch (error) {
      // The run that may not be is skipped; there is nobody to tell.
      if (!(error instanceof Refusal)) throw error
    }
  }
  const schedule = createSchedule({clock, records, fire})
  return {...options, records, deliveries, admission, schedule}
}

function create(engine: Engine, principal: Principal, creation: Creation): Created {
  const {records, access, plan, schedule} = engine
  const {requestId, projectId, enabled, runAsKind, runAsId, ...definition} = creation
  // Before all other checks: a repeated creation answers as the first one did, whatever changed since.
  const existing = records.findByRequest(requestId)
  if (existing !== undefined) {
    if (!reachesProject(principal, existing.projectId)) throw projectNotFound(projectId)
    return {automation: existing, created: false, secret: null}
  }
  access.project(principal, projectId)
  if (definition.machineSize !== undefined) plan.require(definition.machineSize)
  const member = runAsId === undefined ? undefined : access.member(runAsId, 'runAsId')
  const id = createId('automation')
  const secret = webhooksOf(definition).length === 0 ? null : createSecret()
  records.insert({
    id,
    requestId,
    projectId,
    definition,
    enabled: enabled ? 1 : 0,
    runAsKind: member === undefined ? principal.kind : (runAsKind ?? 'human'),
    runAsId: member?.id ?? principal.id,
    secret,
  })
  const automation = readAgain(engine, id)
  schedule.follow(automation)
  return {automation, created: true, secret}
}

function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Reads an automation again that is known to be there. */
function readAgain({records}: Engine, id: string): AutomationRow {
  const found = records.find(id)
  if (found === undefined) throw automationNotFound(id)
  return found
}

function asLive(automation: AutomationRow | undefined): AutomationRow {
  if (automation === undefined || automation.enabled === 0 || automation.deleted === 1) {
    throw webhookNotFound()
  }
  return automation
}

function receive(
  engine: Engine,
  {id}: AutomationRow,
  {event, json, idempotencyKey}: Delivery,
): 'accepted' | 'duplicate' | 'no-match' {
  // The body took its time to arrive: the automation may have changed meanwhile.
  const automation = asLive(engine.records.find(id))
  const {definition} = automation
  if (idempotencyKey !== undefined && engine.deliveries.has(id, idempotencyKey)) return 'duplicate'
  if (!isWanted(event, webhooksOf(definition))) return 'no-match'
  const message = quoteEvent(definition.prompt, json)
  engine.admission.admit(automation, {message, idempotencyKey})
  return 'accepted'
}
