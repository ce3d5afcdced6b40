import {createId} from '../id.ts'
import type {TaskRow, TaskStatus, Tasks} from '../tasks/tasks.ts'
import {tellTask} from '../tasks/tell-task.ts'
import {performTurn, tellRunEnd, type Actor, type Theatre} from './stage.ts'
import type {TaskPlan} from './script.ts'
import {readTaskPlan} from './stored-script.ts'

/**
 * The task subagents at work. A task is `working`, `waiting` while children of its own work, and in the end
 * `done` or `failed`; stopped it is `idle` until the next run of its thread resumes it. Section 3.2. It goes
 * by the signal of the thread's run: whoever stops that run notes and tells that its tasks are idle.
 */
export interface TaskRuns {
  /** Begins the tasks of a batch, if they are new, resumes what was stopped, and waits until nothing is left. */
  fanOut(parent: Actor, batch: string, plans: readonly TaskPlan[]): Promise<boolean>
  /** Says that a task was stopped. */
  tellStopped(task: TaskRow): void
}

interface TaskRunsOptions extends Theatre {
  tasks: Tasks
}

export function createTaskRuns(options: TaskRunsOptions): TaskRuns {
  return {
    fanOut: (parent, batch, plans) => fanOut(options, parent, batch, plans),
    tellStopped: (task) => tellEnd(options, task),
  }
}

async function fanOut(
  options: TaskRunsOptions,
  parent: Actor,
  batch: string,
  plans: readonly TaskPlan[],
): Promise<boolean> {
  const {tasks, live} = options
  for (const task of beginBatch(options, parent, batch, plans)) tellTask(live, task)
  const children = tasks.unfinished(parent.threadId, parent.taskId)
  await Promise.all(children.map((child) => run(options, child, parent)))
  return !parent.signal.aborted
}

function beginBatch(
  {database, tasks, entries}: TaskRunsOptions,
  {threadId, taskId: parentId}: Actor,
  batch: string,
  plans: readonly TaskPlan[],
): TaskRow[] {
  const begin = (plan: TaskPlan): TaskRow => {
    const {title, prompt: text} = plan
    const task = tasks.add({threadId, parentId, batch, title, script: JSON.stringify(plan)})
    entries.append(task.id, {id: createId('msg'), source: 'user', text, authorName: 'Agent'})
    return task
  }
  return database.transaction(() => (tasks.hasBatch(batch) ? [] : plans.map(begin)))()
}

async function run(options: TaskRunsOptions, task: TaskRow, parent: Actor): Promise<void> {
  const {tasks, live} = options
  const {turns, rest} = readTaskPlan(task.script)
  if (task.status === 'idle') setStatus(options, task.id, 'working')
  live.publish(task.id, {kind: 'run', phase: 'start'})
  const actor = toActor(options, task, parent)
  for (let {turn, step} = task; turn < turns.length; turn += 1, step = 0) {
    if (!(await performTurn(options, actor, {turns}, {turn, step}))) return
  }
  tellEnd(options, tasks.setStatus(task.id, rest))
}

function toActor(options: TaskRunsOptions, task: TaskRow, parent: Actor): Actor {
  const {id, threadId} = task
  const {modelId, signal} = parent
  const actor: Actor = {
    id,
    threadId,
    taskId: id,
    modelId,
    runId: id,
    signal,
    setProgress: (turn, step) => options.tasks.setProgress(id, turn, step),
    fanOut: async (batch, plans) => {
      setStatus(options, id, 'waiting')
      if (!(await fanOut(options, actor, batch, plans))) return false
      setStatus(options, id, 'working')
      return true
    },
    // Only threads have states that a script may choose.
    setState: () => undefined,
  }
  return actor
}

function setStatus({tasks, live}: TaskRunsOptions, id: string, status: TaskStatus): void {
  if (tasks.find(id)?.status !== status) tellTask(live, tasks.setStatus(id, status))
}

function tellEnd({live}: TaskRunsOptions, task: TaskRow): void {
  tellRunEnd(live, task.id)
  tellTask(live, task)
  live.publish(task.id, {kind: 'rest'})
}
