import type {Script, TaskPlan} from './script.ts'

/** A script from the database; what the platform wrote itself needs no check. */
export function readScript(json: string): Script {
  return JSON.parse(json) as Script
}

/** What a task does, from the database. */
export function readTaskPlan(json: string): TaskPlan {
  return JSON.parse(json) as TaskPlan
}
