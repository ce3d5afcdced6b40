import type {Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {rateLimited, webhookNotFound} from '../edge/errors.ts'
import {reachesProject, reachesThread} from '../organization/access.ts'
import type {Keys, Principal} from '../organization/keys.ts'
import type {Conversation} from '../threads/conversation.ts'
import type {ThreadRow, Threads} from '../threads/threads.ts'
import type {Deliveries} from './deliveries.ts'
import {dayOf, type AutomationRecords, type AutomationRow} from './records.ts'

interface Work {
  message: string
  /** Of the webhook delivery that asks for it: remembered together with the run, or not at all. */
  idempotencyKey?: string | undefined
}

/** What decides whether an automation runs. Sections 2.11 and 3.7. */
interface Admission {
  /**
   * Admits one run. Refuses it above the daily cap with 429, and disables an automation whose creator is
   * gone, which from then on is nowhere to be found.
   */
  admit(automation: AutomationRow, work: Work): void
}

export interface AdmissionOptions {
  database: Database
  clock: Clock
  keys: Keys
  threads: Threads
  conversation: Conversation
  records: AutomationRecords
  deliveries: Deliveries
  /** The thread of a captain. */
  findCaptainThread: (jamId: string) => ThreadRow | undefined
}

export function createAdmission(options: AdmissionOptions): Admission {
  const {database, records, deliveries} = options
  return {
    admit: (automation, {message, idempotencyKey}) => {
      const actor = findActor(options, automation)
      if (actor === undefined) {
        records.suspend(automation.id, 'run_as_unavailable')
        throw webhookNotFound()
      }
      checkCap(options, automation)
      database.transaction(() => {
        if (idempotencyKey !== undefined) deliveries.add(automation.id, idempotencyKey)
        records.countRun(automation.id)
        wake(options, automation, actor, message)
      })()
    },
  }
}

/** The creator, as long as it is there and reaches the project. */
function findActor(
  {keys}: AdmissionOptions,
  {runAsKind, runAsId, projectId}: AutomationRow,
): Principal | undefined {
  const owner = keys.owner(runAsKind, runAsId)
  return owner !== undefined && reachesProject(owner, projectId) ? owner : undefined
}

const DAY_MS = 24 * 60 * 60 * 1000

function checkCap({clock}: AdmissionOptions, {definition, runDay, runsOfDay}: AutomationRow): void {
  if (definition.maxRunsPerDay === undefined || runDay !== dayOf(clock)) return
  if (runsOfDay < definition.maxRunsPerDay) return
  throw rateLimited(Math.ceil((DAY_MS - (clock.nowMs() % DAY_MS)) / 1000))
}

function wake(
  options: AdmissionOptions,
  automation: AutomationRow,
  actor: Principal,
  message: string,
): void {
  const {conversation, records} = options
  const {threadMode, model, machineSize} = automation.definition
  const modelId = model?.modelId
  const standing = threadMode === 'single' ? findStanding(options, automation, actor) : undefined
  if (standing !== undefined) {
    conversation.send(standing, {text: message, delivery: 'queue', modelId}, actor.name)
    return
  }
  const {projectId} = automation
  const {thread} = conversation.create(actor, {projectId, message, modelId, machineSize})
  if (threadMode === 'single') records.setThread(automation.id, thread.id)
}

/** Where the runs of `threadMode` `single` take place: with the captain, if it is there, else in the first run's thread. */
function findStanding(
  {threads, findCaptainThread}: AdmissionOptions,
  {definition: {singleJamId}, threadId}: AutomationRow,
  actor: Principal,
): ThreadRow | undefined {
  const captain = singleJamId === undefined ? undefined : findCaptainThread(singleJamId)
  const own = threadId === null ? undefined : threads.find(threadId)
  return [captain, own].find((thread) => thread !== undefined && reachesThread(actor, thread))
}
