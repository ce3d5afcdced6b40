import type {Database} from '../database.ts'
import type {Live} from '../streams/live.ts'
import type {Entries} from '../threads/entries.ts'
import type {ThreadState} from '../threads/vocabulary.ts'
import type {Usage} from '../usage/usage.ts'
import type {Holds} from './holds.ts'
import type {Machine} from './machine.ts'
import {pause} from './pause.ts'
import {priceOf} from './price.ts'
import type {Script, TaskPlan} from './script.ts'
import {playTurn, type Stage} from './turn.ts'

/** What every stage stands on. */
export interface Theatre {
  database: Database
  entries: Entries
  usage: Usage
  live: Live
  /** Multiplies every delay of the agent. */
  pace: number
  holds: Holds
  machine: Machine
}

/** Who plays a script: the agent of a thread, or one of its task subagents. */
export interface Actor {
  /** The thread or the task: whose transcript and stream these are. */
  id: string
  threadId: string
  taskId: string | null
  modelId: string
  /** New for each script that is begun. */
  runId: string
  signal: AbortSignal
  /** Notes the first turn and step that have not committed; belongs into a transaction. */
  setProgress(turn: number, step: number): void
  /** Begins tasks, once for each `batch`, and waits for them. `false` when the run was stopped. */
  fanOut(batch: string, tasks: readonly TaskPlan[]): Promise<boolean>
  setState(state: ThreadState): void
}

/** Plays one turn of a script from a step on; `false` when the run was stopped. */
export function performTurn(
  theatre: Theatre,
  actor: Actor,
  {turns}: Pick<Script, 'turns'>,
  {turn: index, step}: {turn: number; step: number},
): Promise<boolean> {
  const turn = turns[index]
  if (turn === undefined) throw new Error(`The script has no turn ${index}.`)
  const {database, entries, usage, live, pace, holds, machine} = theatre
  const {id, threadId, taskId, modelId, runId, signal} = actor
  const stage: Stage = {
    modelId,
    wait: async (delayMs) => (await pause(delayMs * pace, signal)) && holds.pass(threadId, signal),
    publish: (event) => live.publish(id, event),
    commit: (at, draft) => {
      const entry = database.transaction(() => {
        actor.setProgress(index, at + 1)
        return entries.append(id, draft)
      })()
      live.publish(id, {kind: 'entry', entry})
    },
    fanOut: (at, tasks) => {
      actor.setProgress(index, at)
      return actor.fanOut(`${runId}.${index}.${at}`, tasks)
    },
    reach: (at, what) => {
      actor.setProgress(index, at)
      return what.kind === 'fetch'
        ? machine.fetch(threadId, what.file, signal)
        : machine.post(threadId, `${runId}.${index}.${at}`, what.post, signal)
    },
    setState: (state) => actor.setState(state),
    complete: database.transaction(() => {
      actor.setProgress(index + 1, 0)
      if (turn.outcome !== null) usage.add({threadId, taskId, modelId, ...priceOf(turn)})
    }),
  }
  return playTurn(turn, step, stage)
}

/** Says on a stream that the run has ended, wherever it stood. */
export function tellRunEnd(live: Live, ownerId: string): void {
  if (live.state(ownerId).turn !== undefined) {
    live.publish(ownerId, {kind: 'turn', phase: 'end', outcome: 'aborted'})
  }
  live.publish(ownerId, {kind: 'run', phase: 'end'})
}
