import type {Clock} from '../clock.ts'
import {createId} from '../id.ts'
import type {TaskRow, Tasks} from '../tasks/tasks.ts'
import type {StoredEntry} from '../threads/entries.ts'
import type {Message, Messages} from '../threads/messages.ts'
import type {Threads} from '../threads/threads.ts'
import type {ThreadState} from '../threads/vocabulary.ts'
import {writeScript} from './agent.ts'
import type {RunRecord, RunRecords} from './run-records.ts'
import {resume, type Script} from './script.ts'
import type {Scripted} from './scripted.ts'
import {performTurn, tellRunEnd, type Actor, type Theatre} from './stage.ts'
import {readScript} from './stored-script.ts'
import {createTaskRuns, type TaskRuns} from './task-runs.ts'
import {createWaits, type Waits} from './waits.ts'

interface RunsOptions extends Theatre {
  clock: Clock
  threads: Threads
  tasks: Tasks
  messages: Messages
  records: RunRecords
  scripted: Scripted
  /** At the code-hosting provider, one for each thread; its address. */
  openPullRequest: (threadId: string, title: string) => string
  /** There, too: a fix is pushed to the one of this address. */
  fixPullRequest: (address: string) => void
  /** Where code on agents' machines finds a bot; `undefined`: nowhere. */
  bot: string | undefined
}

/**
 * The runs in progress, at most one for each thread. A run is one wake of the agent: `begin` delivers a
 * message and starts it; it ends by itself, by `abort`, or goes on after the process died (`recover`). A run
 * that ends in a wait is followed by another one when the wait is over, unless something else starts before.
 * The tasks that a run fans out to stop with it, and the next run resumes them first.
 * Whatever must survive is committed before it is published.
 */
export interface Runs extends AsyncDisposable {
  begin(message: Message): void
  /** Notes that the agent shall act on `prompt` without a message; belongs into a transaction, before `wake`. */
  intend(threadId: string, prompt: string): void
  wake(threadId: string): void
  /** Stops the run in progress, or the wait, leaving the thread in `state`. `false` when there was none. */
  abort(threadId: string, state: ThreadState): boolean
  /** Begins a run for the message that waits longest, if nothing runs. */
  beginNext(threadId: string): void
  /** Goes on where the last process stopped. */
  recover(): void
  /** Calls back whenever a run starts. */
  onStart(listener: (threadId: string) => void): void
  /** Calls back whenever a run has ended and nothing else waits. */
  onRest(listener: (threadId: string) => void): void
}

export function createRuns(options: RunsOptions): Runs {
  const onDue = (threadId: string): void => awaken(engine, threadId)
  const engine: Engine = {
    ...options,
    running: new Map(),
    flights: new Set(),
    waits: createWaits({...options, onDue}),
    taskRuns: createTaskRuns(options),
    startListeners: [],
    restListeners: [],
  }
  const {records, messages, running, flights, waits} = engine
  return {
    begin: (message) => start(engine, message.threadId, () => deliver(engine, message)),
    intend: (threadId, prompt) => {
      engine.threads.setState(threadId, 'active')
      intend(engine, threadId, chooseScript(engine, threadId, prompt, {ordinal: 0, earlier: []}))
    },
    wake: (threadId) => spawn(engine, threadId),
    abort: (threadId, state) => abort(engine, threadId, state),
    beginNext: (threadId) => {
      beginNext(engine, threadId)
      tellRest(engine, threadId)
    },
    recover: () => {
      for (const {threadId} of records.all()) spawn(engine, threadId)
      for (const threadId of messages.waitingThreads()) beginNext(engine, threadId)
      waits.recover()
    },
    onStart: (listener) => void engine.startListeners.push(listener),
    onRest: (listener) => void engine.restListeners.push(listener),
    [Symbol.asyncDispose]: async () => {
      waits[Symbol.dispose]()
      for (const controller of running.values()) controller.abort()
      running.clear()
      await Promise.all(flights)
    },
  }
}

interface Engine extends RunsOptions {
  running: Map<string, AbortController>
  /** The work in progress, for whoever closes. */
  flights: Set<Promise<void>>
  waits: Waits
  taskRuns: TaskRuns
  startListeners: ((threadId: string) => void)[]
  restListeners: ((threadId: string) => void)[]
}

/** Starts a run on what `admit` intends; inside its transaction, so that both happen or none. */
function start(engine: Engine, threadId: string, admit: () => StoredEntry | undefined): void {
  const {database, threads, live, waits} = engine
  const before = threads.status(threadId)
  const entry = database.transaction(() => {
    threads.setState(threadId, 'active')
    waits.take(threadId)
    return admit()
  })()
  if (entry !== undefined) live.publish(threadId, {kind: 'entry', entry})
  tellStatus(engine, threadId, before)
  spawn(engine, threadId)
}

/** Makes a message an entry and the thing that the run works on. Inside a transaction. */
function deliver(engine: Engine, message: Message): StoredEntry {
  const {entries, messages, threads} = engine
  const {id, threadId, text, authorName} = message
  const earlier = entries.userTexts(threadId)
  const entry = entries.append(threadId, {id, source: 'user', text, authorName})
  messages.move(id, 'delivered')
  const ordinal = threads.countDelivery(threadId, message.modelId)
  intend(engine, threadId, chooseScript(engine, threadId, text, {ordinal, earlier}))
  return entry
}

function chooseScript(
  {bot, scripted, openPullRequest, fixPullRequest}: Engine,
  threadId: string,
  text: string,
  place: {ordinal: number; earlier: readonly string[]},
): Script {
  const given = scripted.take(threadId, text)
  if (given !== undefined) return given
  const open = (title: string): string => openPullRequest(threadId, title)
  return writeScript(text, {...place, bot, openPullRequest: open, fixPullRequest})
}

/** Notes what the run plays; tasks that were stopped come first. */
function intend({records, tasks}: Engine, threadId: string, script: Script): void {
  const stopped = tasks.countStopped(threadId)
  const turns = stopped === 0 ? script.turns : [resume(stopped), ...script.turns]
  const json = JSON.stringify({...script, turns})
  records.put({threadId, id: createId('run'), script: json, turn: 0, step: 0})
}

/** What the thread waited for has come. */
function awaken(engine: Engine, threadId: string): void {
  const script = engine.waits.take(threadId)
  if (script === undefined) return
  start(engine, threadId, () => {
    intend(engine, threadId, readScript(script))
    return undefined
  })
}

function tellStatus({threads, live}: Engine, threadId: string, before: string): void {
  const status = threads.status(threadId)
  if (status !== before) live.publish(threadId, {kind: 'status', status})
}

function spawn(engine: Engine, threadId: string): void {
  const {running, flights, live} = engine
  const controller = new AbortController()
  running.set(threadId, controller)
  for (const listener of engine.startListeners) listener(threadId)
  live.publish(threadId, {kind: 'run', phase: 'start'})
  const flight = drive(engine, threadId, controller.signal).finally(() => flights.delete(flight))
  flights.add(flight)
}

async function drive(engine: Engine, threadId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const record = engine.records.get(threadId)
    if (record === undefined) return
    const script = readScript(record.script)
    const outcome = await play(engine, record, script, signal)
    if (outcome === 'stopped') return
    if (outcome === 'steered') continue
    conclude(engine, threadId, script)
    beginNext(engine, threadId)
    tellRest(engine, threadId)
    return
  }
}

async function play(
  engine: Engine,
  record: RunRecord,
  script: Script,
  signal: AbortSignal,
): Promise<'ended' | 'steered' | 'stopped'> {
  const actor = toActor(engine, record, signal)
  for (let {turn, step} = record; turn < script.turns.length; turn += 1, step = 0) {
    if (!(await performTurn(engine, actor, script, {turn, step}))) return 'stopped'
    if (steer(engine, record.threadId)) return 'steered'
  }
  return 'ended'
}

function toActor(engine: Engine, {threadId, id: runId}: RunRecord, signal: AbortSignal): Actor {
  const {threads, records, taskRuns} = engine
  const actor: Actor = {
    id: threadId,
    threadId,
    taskId: null,
    modelId: threads.find(threadId)?.modelId ?? '',
    runId,
    signal,
    setProgress: (turn, step) => records.setProgress(threadId, turn, step),
    fanOut: (batch, plans) => taskRuns.fanOut(actor, batch, plans),
    setState: (state) => setState(engine, threadId, state),
  }
  return actor
}

function setState(engine: Engine, threadId: string, state: ThreadState): void {
  const before = engine.threads.status(threadId)
  engine.threads.setState(threadId, state)
  tellStatus(engine, threadId, before)
}

/**
 * Waiting messages that steer enter between two turns; the last one sets the new course. Answers whether there
 * were any.
 */
function steer(engine: Engine, threadId: string): boolean {
  const steering = engine.messages.steering(threadId)
  for (const message of steering) {
    const entry = engine.database.transaction(() => deliver(engine, message))()
    engine.live.publish(threadId, {kind: 'entry', entry})
  }
  return steering.length > 0
}

function abort(engine: Engine, threadId: string, state: ThreadState): boolean {
  if (engine.running.has(threadId)) {
    conclude(engine, threadId, {rest: state})
    return true
  }
  // A wait needs no end before the next run, which takes its place.
  if (state === 'active' || engine.threads.find(threadId)?.state !== 'waiting') return false
  engine.waits.take(threadId)
  setState(engine, threadId, state)
  return true
}

function conclude(
  engine: Engine,
  threadId: string,
  {rest, wake}: Pick<Script, 'rest' | 'wake'>,
): void {
  const {database, running, records, messages, threads, tasks, live, waits, taskRuns} = engine
  running.get(threadId)?.abort()
  running.delete(threadId)
  const before = threads.status(threadId)
  // Between this run and that of a message that waits, the thread does not rest.
  const state = messages.next(threadId) === undefined ? rest : 'active'
  const stopped = database.transaction((): TaskRow[] => {
    records.remove(threadId)
    threads.setState(threadId, state)
    if (wake !== undefined) {
      waits.set(threadId, wake.afterMs * engine.pace, JSON.stringify(wake.script))
    }
    return tasks.stop(threadId)
  })()
  for (const task of stopped) taskRuns.tellStopped(task)
  tellRunEnd(live, threadId)
  tellStatus(engine, threadId, before)
  live.publish(threadId, {kind: 'rest'})
}

function tellRest({running, restListeners}: Engine, threadId: string): void {
  if (running.has(threadId)) return
  for (const listener of restListeners) listener(threadId)
}

function beginNext(engine: Engine, threadId: string): void {
  const next = engine.running.has(threadId) ? undefined : engine.messages.next(threadId)
  if (next === undefined) return
  start(engine, threadId, () => deliver(engine, next))
}
