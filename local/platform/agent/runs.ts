import {writeScript} from './agent.ts'
import type {Database} from '../database.ts'
import type {Entries, StoredEntry} from '../threads/entries.ts'
import type {Live} from '../streams/live.ts'
import type {Message, Messages} from '../threads/messages.ts'
import {pause} from './pause.ts'
import type {RunRecord, RunRecords} from './run-records.ts'
import type {Turn} from './script.ts'
import type {Threads} from '../threads/threads.ts'
import type {Cost, Usage} from '../threads/usage.ts'
import type {ThreadState} from '../threads/vocabulary.ts'
import {playTurn, type Stage} from './turn.ts'

interface RunsOptions {
  database: Database
  threads: Threads
  entries: Entries
  usage: Usage
  messages: Messages
  records: RunRecords
  live: Live
  /** Multiplies every delay of the agent. */
  pace: number
}

/**
 * The runs in progress, at most one for each thread. A run is one wake of the agent: `begin` delivers a
 * message and starts it; it ends by itself, by `abort`, or goes on after the process died (`recover`).
 * Whatever must survive is committed before it is published.
 */
export interface Runs extends AsyncDisposable {
  begin(message: Message): void
  /** Stops the run in progress, leaving the thread in `state`. `false` when there was none. */
  abort(threadId: string, state: ThreadState): boolean
  /** Begins a run for the message that waits longest, if nothing runs. */
  beginNext(threadId: string): void
  /** Goes on where the last process stopped. */
  recover(): void
  /** Calls back whenever a run has ended and nothing else waits. */
  onRest(listener: (threadId: string) => void): void
}

export function createRuns(options: RunsOptions): Runs {
  const engine: Engine = {...options, running: new Map(), tasks: new Set(), restListeners: []}
  const {records, messages, running, tasks} = engine
  return {
    begin: (message) => begin(engine, message),
    abort: (threadId, state) => {
      const found = running.has(threadId)
      if (found) conclude(engine, threadId, state)
      return found
    },
    beginNext: (threadId) => {
      beginNext(engine, threadId)
      tellRest(engine, threadId)
    },
    recover: () => {
      for (const {threadId} of records.all()) spawn(engine, threadId)
      for (const threadId of messages.waitingThreads()) beginNext(engine, threadId)
    },
    onRest: (listener) => void engine.restListeners.push(listener),
    [Symbol.asyncDispose]: async () => {
      for (const controller of running.values()) controller.abort()
      await Promise.all(tasks)
    },
  }
}

interface Engine extends RunsOptions {
  running: Map<string, AbortController>
  tasks: Set<Promise<void>>
  restListeners: ((threadId: string) => void)[]
}

function begin(engine: Engine, message: Message): void {
  const {database, threads, live} = engine
  const {threadId} = message
  const before = threads.status(threadId)
  const entry = database.transaction(() => {
    threads.setState(threadId, 'active')
    return deliver(engine, message)
  })()
  live.publish(threadId, {kind: 'entry', entry})
  publishStatus(engine, threadId, before)
  spawn(engine, threadId)
}

/** Makes a message an entry and the thing that the run works on. Inside a transaction. */
function deliver(engine: Engine, message: Message): StoredEntry {
  const {entries, messages, threads, records} = engine
  const {id, threadId, text, authorName} = message
  const entry = entries.append(threadId, {id, source: 'user', text, authorName})
  messages.move(id, 'delivered')
  const ordinal = threads.countDelivery(threadId, message.modelId)
  records.put({threadId, text, ordinal, turn: 0, step: 0})
  return entry
}

function publishStatus({threads, live}: Engine, threadId: string, before: string): void {
  const status = threads.status(threadId)
  if (status !== before) live.publish(threadId, {kind: 'status', status})
}

function spawn(engine: Engine, threadId: string): void {
  const {running, tasks, live} = engine
  const controller = new AbortController()
  running.set(threadId, controller)
  live.publish(threadId, {kind: 'run', phase: 'start'})
  const task = drive(engine, threadId, controller.signal).finally(() => tasks.delete(task))
  tasks.add(task)
}

async function drive(engine: Engine, threadId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const record = engine.records.get(threadId)
    if (record === undefined) return
    const script = writeScript(record.text, record.ordinal)
    const turn = script.turns[record.turn]
    if (turn === undefined) {
      conclude(engine, threadId, script.rest)
      beginNext(engine, threadId)
      tellRest(engine, threadId)
      return
    }
    const stage = createStage(engine, record, turn, signal)
    if (!(await playTurn(turn, record.step, stage))) return
    steer(engine, threadId)
  }
}

function createStage(engine: Engine, record: RunRecord, turn: Turn, signal: AbortSignal): Stage {
  const {database, threads, entries, usage, records, live, pace} = engine
  const {threadId} = record
  const modelId = threads.find(threadId)?.modelId ?? ''
  return {
    modelId,
    wait: (delayMs) => pause(delayMs * pace, signal),
    publish: (event) => live.publish(threadId, event),
    commit: (step, draft) => {
      const entry = database.transaction(() => {
        records.put({...record, step: step + 1})
        return entries.append(threadId, draft)
      })()
      live.publish(threadId, {kind: 'entry', entry})
    },
    complete: database.transaction(() => {
      records.put({...record, turn: record.turn + 1, step: 0})
      usage.add({threadId, taskId: null, modelId, ...priceOf(turn)})
    }),
  }
}

/** Waiting messages that steer enter between two turns; the last one sets the new course. */
function steer(engine: Engine, threadId: string): void {
  for (const message of engine.messages.steering(threadId)) {
    const entry = engine.database.transaction(() => deliver(engine, message))()
    engine.live.publish(threadId, {kind: 'entry', entry})
  }
}

function conclude(engine: Engine, threadId: string, state: ThreadState): void {
  const {database, running, records, threads, live} = engine
  running.get(threadId)?.abort()
  running.delete(threadId)
  const before = threads.status(threadId)
  database.transaction(() => {
    records.remove(threadId)
    threads.setState(threadId, state)
  })()
  if (live.state(threadId).turn !== undefined) {
    live.publish(threadId, {kind: 'turn', phase: 'end', outcome: 'aborted'})
  }
  live.publish(threadId, {kind: 'run', phase: 'end'})
  publishStatus(engine, threadId, before)
  live.publish(threadId, {kind: 'rest'})
}

function tellRest({running, restListeners}: Engine, threadId: string): void {
  if (running.has(threadId)) return
  for (const listener of restListeners) listener(threadId)
}

function beginNext(engine: Engine, threadId: string): void {
  const next = engine.running.has(threadId) ? undefined : engine.messages.next(threadId)
  if (next !== undefined) begin(engine, next)
}

type Price = Omit<Cost, 'threadId' | 'taskId' | 'modelId'>

/** What one turn costs, for the model and for the machine. Section 2.3. */
function priceOf({steps}: Turn): Price {
  const fragments = steps.flatMap((step) => ('fragments' in step ? step.fragments : []))
  const tools = steps.filter(({kind}) => kind === 'tool')
  return {
    llmCredits: 20 + fragments.length,
    imageCredits: 0,
    vmCredits: 3 * tools.length,
    inputTokens: 1000 + 200 * tools.length,
    outputTokens: 4 * fragments.length,
    imageEndpoint: null,
  }
}
