import type {SqlDatabase} from '../database.ts'
import {isRecord} from '../edge/arguments.ts'
import type {Faults} from '../edge/faults.ts'
import type {LedgerWriter} from '../edge/ledger.ts'
import {createTimers} from '../timers.ts'
import {openWaitingEvents, type WaitingEvents} from './waiting-events.ts'
import type {Handover, HandoverAnswer, Payload, Transport} from './transport.ts'

/** Before the first, second and third retry of an event: https://docs.slack.dev/apis/events-api */
const retryDelaysMs = [0, 60_000, 300_000]
/** Events so close together change their places where a fault asks for it. */
const reorderWithinMs = 100
const windowMs = retryDelaysMs.reduce((sum, delayMs) => sum + delayMs, 0)

/**
 * Brings payloads to the app. An event is `waiting → handed → settled`: handed but not acknowledged it
 * waits for its next retry; with nobody connected it waits for a connection, at most as long as
 * the retries would have lasted. Waiting events survive a restart of the data file. What people
 * press and type is handed once: Slack shows them an error instead of trying again.
 */
export interface Deliveries {
  /** Resolves when the payload is settled: acknowledged, or given up. */
  send(payload: Payload): Promise<HandoverAnswer>
  /** Somebody is there now: hand over what waits for that. */
  flush(): void
  close(): Promise<void>
}

interface DeliveriesParts {
  database: SqlDatabase
  /** The app that they are for. */
  appId: string
  recordDelivery: LedgerWriter['recordDelivery']
  transport: Transport
  faults: Readonly<Pick<Faults, 'deliveries' | 'reorder'>>
  timeFactor: number
  now: () => number
}

interface Job {
  payload: Payload
  attempt: number
  firstAtMs: number
  settle: (answer: HandoverAnswer) => void
  reason?: string
}

export function createDeliveries(parts: DeliveriesParts): Deliveries {
  const floor: Floor = {
    parts,
    rows: openWaitingEvents(parts.database, parts.appId),
    timers: createTimers(),
    tasks: createTasks(),
    parked: new Map(),
    heldBack: [],
    isClosed: false,
  }
  resume(floor)
  return {
    send: (payload) =>
      new Promise((resolve) => {
        const job: Job = {payload, attempt: 0, firstAtMs: parts.now(), settle: resolve}
        const isEvent = payload.kind === 'events_api'
        if (!isEvent) {
          floor.tasks.start(tryOnce(floor, job))
          return
        }
        floor.rows.save(payload, 0, job.firstAtMs)
        if (parts.faults.reorder) holdBack(floor, job)
        else floor.tasks.start(tryEvent(floor, job))
      }),
    flush: () => {
      for (const [job, cancel] of [...floor.parked]) {
        floor.parked.delete(job)
        cancel()
        floor.tasks.start(tryEvent(floor, job))
      }
    },
    close: async () => {
      floor.isClosed = true
      floor.timers.clear()
      await floor.tasks.ended()
    },
  }
}

/** Where the jobs lie: everything that one set of deliveries shares. */
interface Floor {
  parts: DeliveriesParts
  rows: WaitingEvents
  timers: ReturnType<typeof createTimers>
  tasks: ReturnType<typeof createTasks>
  /** Jobs that wait for a connection, each with what cancels its end. */
  parked: Map<Job, () => void>
  /** Events that are to come in the opposite order, oldest first. */
  heldBack: Job[]
  isClosed: boolean
}

/** Events of an earlier run that nobody had acknowledged. */
function resume(floor: Floor): void {
  for (const row of floor.rows.all()) {
    const retried = row.attempt > 0 ? {reason: 'connection_failed'} : {}
    const job: Job = {...row, ...retried, settle: () => undefined}
    if (row.attempt > retryDelaysMs.length) floor.rows.remove(row.payload.key)
    else floor.tasks.start(tryEvent(floor, job))
  }
}

/** The first one waits for others; then the newest goes first, and each when the one before it was handed. */
function holdBack(floor: Floor, job: Job): void {
  const {heldBack, timers, tasks} = floor
  heldBack.push(job)
  if (heldBack.length > 1) return
  const release = async (): Promise<void> => {
    for (const held of heldBack.splice(0).reverse()) await tryEvent(floor, held)
  }
  timers.after(reorderWithinMs, () => tasks.start(release()))
}

async function tryEvent(floor: Floor, job: Job): Promise<void> {
  const {parts, rows, timers, tasks} = floor
  if (!parts.transport.isReady()) {
    park(floor, job)
    return
  }
  const {attempt} = job
  rows.save(job.payload, attempt + 1, job.firstAtMs)
  const answer = await hand(floor, job)
  const delayMs = retryDelaysMs[attempt]
  const isOver = floor.isClosed || answer.outcome === 'acked' || answer.isFinal === true
  if (isOver || delayMs === undefined) {
    settle(floor, job, answer)
    return
  }
  job.attempt = attempt + 1
  job.reason = answer.reason ?? 'unknown_error'
  timers.after(delayMs * parts.timeFactor, () => tasks.start(tryEvent(floor, job)))
}

async function tryOnce(floor: Floor, job: Job): Promise<void> {
  job.settle(await hand(floor, job))
}

function park(floor: Floor, job: Job): void {
  const {parts, parked, timers} = floor
  const leftMs = Math.max(0, job.firstAtMs + windowMs * parts.timeFactor - parts.now())
  const cancel = timers.after(leftMs, () => {
    parked.delete(job)
    parts.recordDelivery(toRecord(parts, job))('failed')
    settle(floor, job, {outcome: 'failed', reason: 'connection_failed'})
  })
  parked.set(job, cancel)
}

function settle({isClosed, rows}: Floor, job: Job, answer: HandoverAnswer): void {
  // What was cut off by the end of the server comes again after its next start.
  if (!isClosed) rows.remove(job.payload.key)
  job.settle(answer)
}

/** Hands the job over; a first try brings along the duplicates that a fault asks for. */
function hand({parts, tasks}: Floor, job: Job): Promise<HandoverAnswer> {
  const {payload, attempt, reason} = job
  const handed = handOnce(parts, {payload, attempt, ...(reason === undefined ? {} : {reason})})
  const copies = attempt === 0 ? parts.faults.deliveries : 1
  for (let copy = 1; copy < copies; copy += 1) {
    tasks.start(handOnce(parts, {payload, attempt: copy, reason: 'timeout'}))
  }
  return handed
}

async function handOnce(parts: DeliveriesParts, handover: Handover): Promise<HandoverAnswer> {
  const close = parts.recordDelivery(toRecord(parts, handover))
  const answer = await parts.transport.hand(handover)
  close(answer.outcome, answer.response)
  return answer
}

function toRecord({appId}: DeliveriesParts, {payload, attempt}: Pick<Job, 'payload' | 'attempt'>) {
  const {key, kind, body} = payload
  return {appId, teamId: teamOf(body), key, kind, attempt, payload: body}
}

/** Where the app is installed: an event out of another company names that one as its `team_id`. */
function teamOf({context_team_id, team_id, team}: Record<string, unknown>): string {
  const id = context_team_id ?? team_id ?? (isRecord(team) ? team['id'] : undefined)
  return typeof id === 'string' ? id : ''
}

function createTasks() {
  const running = new Set<Promise<void>>()
  return {
    start: (task: Promise<unknown>): void => {
      const kept: Promise<void> = task.then(() => void running.delete(kept))
      running.add(kept)
    },
    ended: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
