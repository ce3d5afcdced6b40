import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {createId} from '../id.ts'

/** Section 3.2. `idle` is a task that was stopped. */
export type TaskStatus = 'working' | 'waiting' | 'idle' | 'done' | 'failed'

/** One subagent of a thread. Section 2.7. */
export interface TaskRow {
  id: string
  threadId: string
  /** The task that began it; `null`: the thread itself. */
  parentId: string | null
  /** The step of the parent that began it. */
  batch: string
  taskPath: string
  /** The same so that text sorts depth-first, parents before children. */
  position: string
  title: string
  status: TaskStatus
  archived: 0 | 1
  /** What it does: JSON of a script. */
  script: string
  /** Where it stands in its script: the first turn and step that have not committed. */
  turn: number
  step: number
  createdAt: string
  updatedAt: string
}

/** How a task stands, as streams tell it. Section 6.2. */
export interface TaskState {
  taskId: string
  taskPath: string
  status: TaskStatus
  archived: boolean
}

export function toTaskState({id, taskPath, status, archived}: TaskRow): TaskState {
  return {taskId: id, taskPath, status, archived: archived === 1}
}

type NewTask = Pick<TaskRow, 'threadId' | 'parentId' | 'batch' | 'title' | 'script'>

/** The tasks of all threads: a tree under each. */
export interface Tasks {
  add(task: NewTask): TaskRow
  find(id: string): TaskRow | undefined
  /** The tasks of a thread after a position, depth-first. Section 4.1, rule 5. */
  after(threadId: string, position: string, limit: number): TaskRow[]
  /** The ids of a task and of all below it. */
  subtree(task: TaskRow): string[]
  hasBatch(batch: string): boolean
  /** The children that are neither done nor failed; `null`: those of the thread itself. */
  unfinished(threadId: string, parentId: string | null): TaskRow[]
  /** How many tasks of the thread were stopped. */
  countStopped(threadId: string): number
  setProgress(id: string, turn: number, step: number): void
  setStatus(id: string, status: TaskStatus): TaskRow
  /** Stops all that work or wait, and answers them. */
  stop(threadId: string): TaskRow[]
  /** Answers those that it changed. */
  setArchived(threadId: string, archived: 0 | 1): TaskRow[]
}

export function createTasks(database: Database, clock: Clock): Tasks {
  database.exec(SCHEMA)
  return {...createReads(database), ...createWrites(database, clock)}
}

const UNFINISHED = `status not in ('done', 'failed')`

type Reads = Pick<Tasks, 'find' | 'after' | 'subtree' | 'hasBatch' | 'unfinished' | 'countStopped'>

function createReads(database: Database): Reads {
  const find = database.prepare<[string], TaskRow>('select * from tasks where id = ?')
  const after = database.prepare<[string, string, number], TaskRow>(
    'select * from tasks where threadId = ? and position > ? order by position limit ?',
  )
  const subtree = database
    .prepare<TaskRow, string>(
      `select id from tasks where threadId = @threadId
       and (position = @position or position like @position || '.%')`,
    )
    .pluck()
  const hasBatch = database
    .prepare<[string], 1>('select 1 from tasks where batch = ? limit 1')
    .pluck()
  const unfinished = database.prepare<[string, string | null], TaskRow>(
    `select * from tasks where threadId = ? and parentId is ? and ${UNFINISHED} order by position`,
  )
  const countStopped = database
    .prepare<[string], number>(`select count(*) from tasks where threadId = ? and status = 'idle'`)
    .pluck()
  return {
    find: (id) => find.get(id),
    after: (threadId, position, limit) => after.all(threadId, position, limit),
    subtree: (task) => subtree.all(task),
    hasBatch: (batch) => hasBatch.get(batch) === 1,
    unfinished: (threadId, parentId) => unfinished.all(threadId, parentId),
    countStopped: (threadId) => countStopped.get(threadId) ?? 0,
  }
}

type Writes = Omit<Tasks, keyof Reads>

function createWrites(database: Database, clock: Clock): Writes {
  const setProgress = database.prepare('update tasks set turn = ?, step = ? where id = ?')
  const update = (assignment: string, condition: string) =>
    database.prepare<Record<string, unknown>, TaskRow>(
      `update tasks set ${assignment}, updatedAt = @now where ${condition} returning *`,
    )
  const setStatus = update('status = @status', 'id = @id')
  const stop = update(
    `status = 'idle'`,
    `threadId = @threadId and status in ('working', 'waiting')`,
  )
  const setArchived = update(
    'archived = @archived',
    'threadId = @threadId and archived <> @archived',
  )
  return {
    add: createAdd(database, clock),
    setProgress: (id, turn, step) => void setProgress.run(turn, step, id),
    setStatus: (id, status) => required(setStatus.get({id, status, now: isoNow(clock)})),
    stop: (threadId) => stop.all({threadId, now: isoNow(clock)}).toSorted(byPosition),
    setArchived: (threadId, archived) =>
      setArchived.all({threadId, archived, now: isoNow(clock)}).toSorted(byPosition),
  }
}

function createAdd(database: Database, clock: Clock): Tasks['add'] {
  const siblings = database
    .prepare<NewTask, number>(
      'select count(*) from tasks where threadId = @threadId and parentId is @parentId',
    )
    .pluck()
  const parentPath = database
    .prepare<[string | null], string>('select taskPath from tasks where id = ?')
    .pluck()
  const insert = database.prepare<Record<string, unknown>, TaskRow>(
    `insert into tasks (id, threadId, parentId, batch, taskPath, position, title, status, archived,
       script, turn, step, createdAt, updatedAt)
     values (@id, @threadId, @parentId, @batch, @taskPath, @position, @title, 'working',
       (select archived from threads where id = @threadId), @script, 0, 0, @now, @now) returning *`,
  )
  return (task) => {
    const ordinal = (siblings.get(task) ?? 0) + 1
    const parent = parentPath.get(task.parentId)
    const taskPath = parent === undefined ? `${ordinal}` : `${parent}.${ordinal}`
    const position = toPosition(taskPath)
    const id = createId('task')
    return required(insert.get({...task, id, taskPath, position, now: isoNow(clock)}))
  }
}

/** `1.12` → `00001.00012`. */
function toPosition(taskPath: string): string {
  return taskPath
    .split('.')
    .map((ordinal) => ordinal.padStart(5, '0'))
    .join('.')
}

function byPosition(a: TaskRow, b: TaskRow): number {
  return a.position < b.position ? -1 : 1
}

function required(row: TaskRow | undefined): TaskRow {
  if (row === undefined) throw new Error('There is no such task to change.')
  return row
}

const SCHEMA = `
create table if not exists tasks (
  id text primary key, threadId text not null references threads (id),
  parentId text references tasks (id), batch text not null, taskPath text not null,
  position text not null, title text not null, status text not null, archived integer not null,
  script text not null, turn integer not null, step integer not null,
  createdAt text not null, updatedAt text not null, unique (threadId, position)
) strict;
create index if not exists tasksOfBatch on tasks (batch);
`
