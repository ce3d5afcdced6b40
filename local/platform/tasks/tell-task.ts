import type {Live} from '../streams/live.ts'
import {toTaskState, type TaskRow} from './tasks.ts'

/** Tells how a task stands, on its own stream and on its thread's. Section 6.2. */
export function tellTask(live: Live, task: TaskRow): void {
  const event = {kind: 'task', task: toTaskState(task)} as const
  live.publish(task.threadId, event)
  live.publish(task.id, event)
}
