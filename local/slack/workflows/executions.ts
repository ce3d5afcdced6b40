import type {SqlDatabase} from '../database.ts'
import {type Records, openRecords} from '../records.ts'

/** A step of an app's that a workflow has reached: `running → completed | failed`. */
export interface StepExecution {
  /** Begins with `Fx`. */
  id: string
  callbackId: string
  /** Who ran the workflow. */
  userId: string
  inputs: Readonly<Record<string, unknown>>
  state: 'running' | 'completed' | 'failed'
  /** What the workflow goes on with. */
  outputs?: Readonly<Record<string, unknown>>
  /** What whoever ran the workflow reads. */
  error?: string
}

export type StepExecutions = Records<StepExecution>

/** Those of an app in a workspace. */
export function openStepExecutions(database: SqlDatabase, scope: string): StepExecutions {
  return openRecords(database, {kind: 'executions', scope})
}
