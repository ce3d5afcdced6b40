import {invalidRequest} from '../edge/errors.ts'
import {param, readLimit, type AddRoute, type Request} from '../edge/request.ts'
import type {Conversation} from '../threads/conversation.ts'
import type {Entries} from '../threads/entries.ts'
import {answerTranscript} from '../threads/message-routes.ts'
import type {Usage} from '../usage/usage.ts'
import type {FindTask} from './find-task.ts'
import type {TaskRow, Tasks} from './tasks.ts'

interface TaskRoutes {
  conversation: Conversation
  entries: Entries
  findTask: FindTask
  tasks: Tasks
  usage: Usage
}

/** The task tree of a thread, read-only. Sections 4.1 and 4.2. */
export function addTaskRoutes(add: AddRoute, parts: TaskRoutes): void {
  const {conversation, entries, findTask} = parts
  const find = (request: Request): TaskRow =>
    findTask(request.get('principal'), param(request, 'taskId'))

  add('GET', '/threads/:threadId/tasks', (request) => {
    const {id} = conversation.thread(request.get('principal'), param(request, 'threadId'))
    return listTasks(request, id, parts)
  })

  add('GET', '/tasks/:taskId', (request) => request.json(showTask(find(request), parts)))

  add('GET', '/tasks/:taskId/messages', (request) =>
    answerTranscript(request, entries, find(request).id),
  )
}

function listTasks(request: Request, threadId: string, parts: TaskRoutes): Response {
  const {tasks} = parts
  const limit = readLimit(request)
  const position = parseAfter(tasks, threadId, request.req.query('after'))
  const found = tasks.after(threadId, position, limit + 1)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return request.json({items: page.map((task) => showTask(task, parts)), cursor: last?.id ?? null})
}

/** The position of the task that a cursor names; without one, the beginning. Section 4.1. */
function parseAfter(tasks: Tasks, threadId: string, after: string | undefined): string {
  if (after === undefined || after === '') return ''
  const task = tasks.find(after)
  if (task?.threadId !== threadId) throw invalidRequest('after is not a task of this thread.')
  return task.position
}

/** Section 2.7 names the fields up to `usage`; the others are our choice. */
function showTask(task: TaskRow, {tasks, usage}: TaskRoutes): Record<string, unknown> {
  return {
    id: task.id,
    taskPath: task.taskPath,
    status: task.status,
    archived: task.archived === 1,
    title: task.title,
    usage: usage.ofTasks(task.threadId, tasks.subtree(task)),
    threadId: task.threadId,
    parentId: task.parentId,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
  }
}
