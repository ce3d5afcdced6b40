import {taskNotFound} from '../edge/errors.ts'
import {reachesThread} from '../organization/access.ts'
import type {Principal} from '../organization/keys.ts'
import type {Threads} from '../threads/threads.ts'
import type {TaskRow, Tasks} from './tasks.ts'

/** Finds a task by its id; refuses alike what is absent, a legacy address, or out of reach. Section 2.7. */
export type FindTask = (principal: Principal, taskId: string) => TaskRow

interface FindTaskOptions {
  tasks: Tasks
  threads: Threads
}

export function createFindTask({tasks, threads}: FindTaskOptions): FindTask {
  return (principal, taskId) => {
    const task = tasks.find(taskId)
    const thread = task && threads.find(task.threadId)
    if (task === undefined || thread === undefined || !reachesThread(principal, thread)) {
      throw taskNotFound(taskId)
    }
    return task
  }
}
