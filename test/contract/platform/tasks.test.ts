import {expect, test} from 'vitest'
import type {Frame} from '../../../src/platform/stream/frame.ts'
import type {Task} from '../../../src/platform/model.ts'
import {PlatformTaskNotFound} from '../../../src/platform/errors.ts'
import {itemsOf} from '../../local/platform/client.ts'
import {all, eventually, sharedContract, type Contract} from './contract.ts'
import {only} from './following.ts'
import {framesOfRun} from './run.ts'

const quick = await sharedContract()
/** Where work is met in progress. */
const patient = await sharedContract({pace: 0.05})

const FAN_OUT = 'fan out over the cart'

const listTasks = (contract: Contract, threadId: string): Promise<Task[]> =>
  all(contract.client().listTasks(threadId, contract.signal))

/** A thread whose tasks have ended. */
const finishedFanOut = async (task = FAN_OUT) => {
  const {id, frames} = await framesOfRun(quick, task)
  return {id, frames, tasks: await listTasks(quick, id)}
}

/** A thread of the patient platform that stopped when its first task began to work, and goes on when it is let go. */
const workingTask = async () => {
  const {control} = patient.platform
  using start = control.hold()
  const {id: threadId} = await patient.begin(FAN_OUT)
  const held = control.holdAt(threadId, ({kind}) => kind === 'task')
  start[Symbol.dispose]()
  const [task] = await eventually(
    'a task',
    () => listTasks(patient, threadId),
    (tasks) => tasks.length > 0,
  )
  return {threadId, taskId: task?.id ?? '', held}
}

const hasStatus = (frames: readonly Frame[]): boolean => only('status', frames).length > 0

const STATUSES = ['working', 'waiting', 'idle', 'done', 'failed']

test('3.2.r1 a task shows only the five task statuses', async () => {
  const {frames, tasks} = await finishedFanOut('fan out and fail')
  const shown = [...only('task', frames), ...tasks].map(({status}) => status)
  expect(shown.filter((status) => !STATUSES.includes(status))).toEqual([])
  expect(new Set(shown)).toEqual(new Set(['working', 'waiting', 'done', 'failed']))
})

test('3.2.r1 a task that was stopped is idle, and works again when its thread does', async () => {
  const {threadId, taskId, held} = await workingTask()
  const client = patient.client()
  await client.interrupt(threadId, patient.signal)
  held[Symbol.dispose]()
  expect((await client.getTask(taskId, patient.signal)).status).toBe('idle')
  await patient.say(threadId, 'go on')
  const read = () => client.getTask(taskId, patient.signal)
  await eventually('the end of the task', read, ({status}) => status === 'done')
})

test('3.2.r2 reaching done closes the stream of the task with done', async () => {
  const {taskId, held} = await workingTask()
  await using stream = patient.follow({taskId})
  await stream.until('a status', hasStatus)
  held[Symbol.dispose]()
  const frames = await stream.ended()
  expect(frames.slice(-2)).toEqual([
    {type: 'status', taskId, taskPath: '1', status: 'done', archived: false},
    {type: 'done'},
  ])
  await using late = patient.follow({taskId})
  const transcript = only('transcript', frames)
  expect(only('transcript', await late.ended())).toEqual(transcript)
})

test('4.1.r5 task pages walk depth-first, and every page prefix is a coherent subtree', async () => {
  const {id, tasks} = await finishedFanOut()
  const paths = tasks.map(({taskPath}) => taskPath)
  expect(paths).toEqual(['1', '2', '2.1', '2.2', '2.2.1'])

  const from = quick.platform.ledger.length
  const small = quick.client('human', {pageSize: 1})
  expect(await all(small.listTasks(id, quick.signal))).toEqual(tasks)
  const sent = quick.platform.ledger
    .slice(from)
    .map(({path}) => new URLSearchParams(path.split('?')[1]).get('after'))
  // The cursor is the id of the last task of the page before.
  expect(sent).toEqual([null, ...tasks.slice(0, -1).map((task) => task.id)])

  for (const limit of [2, 3, 4]) {
    const {body} = await quick.raw().get(`/threads/${id}/tasks?limit=${limit}`)
    expect(body['cursor']).toBe(tasks[limit - 1]?.id)
  }
  const {body} = await quick.raw().get(`/threads/${id}/tasks?limit=${tasks.length}`)
  expect(body['cursor']).toBeNull()
})

test('4.2.r1 a task reads back by its opaque id, with its messages', async () => {
  const {id, tasks} = await finishedFanOut()
  const client = quick.client()
  for (const task of tasks) {
    expect(await client.getTask(task.id, quick.signal)).toEqual(task)
    expect(task).toMatchObject({status: 'done', archived: false})
    const entries = await all(client.listTaskMessages(task.id, undefined, quick.signal))
    expect(entries.at(-1)?.source).toBe('assistant')
    const small = quick.client('human', {pageSize: 1})
    expect(await all(small.listTaskMessages(task.id, undefined, quick.signal))).toEqual(entries)
  }
  const {usage} = await client.getThread(id, quick.signal)
  const [first, second] = tasks.map((task) => task.usage?.totalCredits ?? 0)
  expect(first).toBeGreaterThan(0)
  // The second one's totals include its whole subtree.
  const below = tasks.slice(2).map((task) => task.usage?.totalCredits ?? 0)
  expect(second).toBeGreaterThan(Math.max(...below))
  expect(usage?.totalCredits).toBeGreaterThan((first ?? 0) + (second ?? 0))
})

test('4.2.r1 the messages of a task page behind after', async () => {
  const {tasks} = await finishedFanOut()
  const taskId = tasks[0]?.id ?? ''
  const whole = await all(quick.client().listTaskMessages(taskId, undefined, quick.signal))
  const page = await quick.raw().get(`/tasks/${taskId}/messages?limit=1`)
  const cursor = String(page.body['cursor'])
  expect(itemsOf(page)).toHaveLength(1)
  const rest = await all(quick.client().listTaskMessages(taskId, cursor, quick.signal))
  expect(rest).toEqual(whole.slice(1))
})

test('4.2.r2 legacy task ids are not accepted', async () => {
  const {tasks} = await finishedFanOut()
  for (const legacy of ['1', '12', 'WEB-1', tasks[0]?.taskPath ?? '']) {
    const read = quick.client().getTask(legacy, quick.signal)
    await expect(read).rejects.toBeInstanceOf(PlatformTaskNotFound)
    await using stream = quick.follow({taskId: legacy})
    await expect(stream.ended()).rejects.toBeInstanceOf(PlatformTaskNotFound)
  }
})

test('4.2.r3 tasks are read-only', async () => {
  const {id, tasks} = await finishedFanOut()
  const before = await listTasks(quick, id)
  const path = `/tasks/${tasks[0]?.id ?? ''}`
  for (const below of ['', '/message', '/messages', '/interrupt', '/archive', '/stream']) {
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH']) {
      const {status} = await quick.raw().request(method, path + below, {text: 'stop'})
      expect([404, 405]).toContain(status)
    }
  }
  expect(await listTasks(quick, id)).toEqual(before)
})

test('6.2.r5 task frames tell what becomes of tasks, and are not replayed', async () => {
  const {id, frames, tasks} = await finishedFanOut()
  const courses = Map.groupBy(only('task', frames), ({taskPath}) => taskPath)
  expect([...courses.keys()]).toEqual(tasks.map(({taskPath}) => taskPath))
  for (const task of tasks) {
    const course = courses.get(task.taskPath) ?? []
    const whose = course.map(({taskId, archived}) => ({taskId, archived}))
    expect(whose).toEqual(course.map(() => ({taskId: task.id, archived: false})))
    expect([course[0]?.status, course.at(-1)?.status]).toEqual(['working', 'done'])
    const statuses = course.map(({status}) => status)
    expect(statuses).toEqual(statuses.filter((status, at) => status !== statuses[at - 1]))
  }
  expect(only('task', await quick.finish(id))).toEqual([])
})

test('6.2.r5 task frames tell that tasks are stopped and resumed', async () => {
  const {threadId, taskId, held} = await workingTask()
  await using stream = patient.follow({threadId})
  await stream.until('a status', hasStatus)
  const of = (frames: readonly Frame[]): string[] =>
    only('task', frames)
      .filter((frame) => frame.taskId === taskId)
      .map(({status}) => status)
  await patient.client().interrupt(threadId, patient.signal)
  held[Symbol.dispose]()
  await stream.until('the stop', (frames) => of(frames).at(-1) === 'idle')
  await patient.say(threadId, 'go on')
  await stream.until('the end', (frames) => of(frames).at(-1) === 'done')
  expect(of(stream.frames)).toEqual(['idle', 'working', 'done'])
})

test('6.3.r6 a thread stream carries no tokens of its tasks; a task stream carries its own', async () => {
  const {threadId, taskId, held} = await workingTask()
  await using ofTask = patient.follow({taskId})
  await using ofThread = patient.follow({threadId}, {until: 'run'})
  for (const stream of [ofTask, ofThread]) await stream.until('a status', hasStatus)
  held[Symbol.dispose]()
  const taskFrames = await ofTask.ended()
  const threadFrames = await ofThread.ended()

  const entries = await all(patient.client().listTaskMessages(taskId, undefined, patient.signal))
  expect(only('transcript', taskFrames).map(({entry}) => entry)).toEqual(entries)
  const reply = entries.at(-1)
  const draft = only('assistant', taskFrames).filter(({callId}) => callId === reply?.callId)
  expect(draft.map(({text}) => text).join('')).toBe(reply?.text)
  for (const type of ['run', 'turn', 'tool_call'] as const) {
    expect(only(type, taskFrames).length).toBeGreaterThan(0)
  }

  const ownIds = (await patient.transcript(threadId)).map((entry) => entry.id)
  expect(only('transcript', threadFrames).map(({entry}) => entry.id)).toEqual(ownIds)
  const ownCalls = (await patient.transcript(threadId)).map(({callId}) => callId)
  const calls = only('assistant', threadFrames).map(({callId}) => callId)
  expect(calls.filter((callId) => !ownCalls.includes(callId))).toEqual([])
})

test('4.3.r2 the stream of a task resumes from its cursors too', async () => {
  const {tasks} = await finishedFanOut()
  const taskId = tasks[0]?.id ?? ''
  await using whole = quick.follow({taskId})
  const entries = only('transcript', await whole.ended())
  for (const [index, {cursor = ''}] of entries.entries()) {
    await using rest = quick.follow({taskId}, {after: cursor})
    expect(only('transcript', await rest.ended())).toEqual(entries.slice(index + 1))
  }
})

test('4.3.r5 until=run closes the stream of a task with done, too', async () => {
  const {taskId, held} = await workingTask()
  await using stream = patient.follow({taskId}, {until: 'run'})
  await stream.until('a status', hasStatus)
  held[Symbol.dispose]()
  const frames = await stream.ended()
  expect(frames.at(-1)).toEqual({type: 'done'})
  expect(only('transcript', frames).at(-1)?.entry.source).toBe('assistant')
})

test('4.3.r6 until=run closes the stream of a task that was stopped at once', async () => {
  const {threadId, taskId, held} = await workingTask()
  await patient.client().interrupt(threadId, patient.signal)
  held[Symbol.dispose]()
  await using stream = patient.follow({taskId}, {until: 'run'})
  const frames = await stream.ended()
  expect(only('status', frames)).toMatchObject([{taskId, status: 'idle'}])
  expect(frames.at(-1)).toEqual({type: 'done'})
})

test('4.3.r7 a cursor of the thread is none of its task, and answers 400', async () => {
  const {id, tasks} = await finishedFanOut()
  await using stream = quick.follow({threadId: id}, {until: 'run'})
  const {cursor = ''} = only('transcript', await stream.ended())[0] ?? {}
  for (const after of ['nonsense', cursor]) {
    const path = `/tasks/${tasks[0]?.id ?? ''}/stream?after=${encodeURIComponent(after)}`
    const {status, body} = await quick.raw().get(path)
    expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  }
})
