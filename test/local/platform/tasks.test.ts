import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {z} from 'zod'
import {startPlatform, type Platform} from '../../../local/platform/server.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {
  clientOf,
  createClient,
  createHeard,
  entryIds,
  itemsOf,
  outline,
  runNew,
  type Client,
} from './client.ts'
import {openPlatform, sharedPlatform} from './open-platform.ts'

const platform = await sharedPlatform({pace: 0.03})
const client = clientOf(platform)

type Item = Record<string, unknown>
type Frame = Awaited<ReturnType<Client['run']>>[number]

const cursorSchema = z.string().nullable()
const PATHS = ['1', '2', '2.1', '2.2', '2.2.1']

const tasksOf = async (threadId: string, from = client): Promise<Item[]> =>
  itemsOf(await from.get(`/threads/${threadId}/tasks`))

const idOf = (tasks: Item[], taskPath: string): string =>
  String(tasks.find((task) => task['taskPath'] === taskPath)?.['id'])

const entriesOf = async (taskId: string, from = client): Promise<Item[]> =>
  itemsOf(await from.get(`/tasks/${taskId}/messages`))

const coursesOf = (frames: readonly Frame[], taskPath: string): unknown[] =>
  frames
    .filter(({event, data}) => event === 'task' && data['taskPath'] === taskPath)
    .map(({data}) => data['status'])

/** A new thread that stopped when a task of it began to work, and goes on when it is let go. */
const startedTask = async (
  message: string,
  taskPath: string,
  on = platform,
  by = client,
): Promise<{threadId: string; taskId: string; held: Disposable}> => {
  const {threadId, stream} = await createHeard(on, by, message)
  await using heard = stream
  const held = on.control.holdAt(
    threadId,
    (event) => event.kind === 'task' && event.task.taskPath === taskPath,
  )
  const isIt = ({event, data}: Frame): boolean => event === 'task' && data['taskPath'] === taskPath
  const frames = await heard.until(`task ${taskPath}`, (all) => all.some(isIt))
  return {threadId, taskId: String(frames.find(isIt)?.data['taskId']), held}
}

describe('a thread that fans out', () => {
  test('tells on its stream what becomes of each task, and none of their tokens', async () => {
    const {threadId, frames} = await runNew(platform, client, 'fan out to tasks')
    expect(coursesOf(frames, '1')).toEqual(['working', 'done'])
    expect(coursesOf(frames, '2')).toEqual(['working', 'waiting', 'working', 'done'])
    expect(coursesOf(frames, '2.2.1')).toEqual(['working', 'done'])
    const task = frames.find(({event}) => event === 'task')
    expect(task?.data).toEqual({
      taskId: expect.stringMatching(/^task_/) as string,
      taskPath: '1',
      status: 'working',
      archived: false,
    })
    const own = new Set(platform.transcript(threadId).flatMap(({id, callId}) => [id, callId]))
    const calls = frames.filter(({event}) => event === 'assistant' || event === 'tool_call')
    expect(calls.every(({data}) => own.has(String(data['callId'])))).toBe(true)
    const tool = platform.transcript(threadId).find(({source}) => source === 'tool')
    expect(tool?.text).toBe('Ran 2 tasks in parallel: “Read the call sites”, “Change the code”')
    expect(outline(frames).at(-2)).toBe('status idle')
  })

  test('does not tell a late reader again', async () => {
    const threadId = await client.create('fan out to tasks')
    await client.run(threadId)
    expect((await client.run(threadId)).filter(({event}) => event === 'task')).toEqual([])
  })

  test('goes on though a task fails', async () => {
    const threadId = await client.create('tasks that fail')
    await client.run(threadId)
    const tasks = await tasksOf(threadId)
    expect(tasks.map(({taskPath, status}) => [taskPath, status])).toEqual([
      ['1', 'done'],
      ['2', 'done'],
      ['2.1', 'done'],
      ['2.2', 'done'],
      ['2.2.1', 'failed'],
    ])
    expect(platform.transcript(threadId).at(-1)?.text).toContain('❌ failed')
  })

  test('is billed for all of them, and each task for all below it', async () => {
    const threadId = await client.create('fan out to tasks')
    await client.run(threadId)
    const tasks = await tasksOf(threadId)
    const creditsOf = (item: Item): number => (item['usage'] as {totalCredits: number}).totalCredits
    const [one = 0, two = 0, cart = 0, mails = 0, check = 0] = tasks.map(creditsOf)
    expect(Math.min(one, cart, check)).toBeGreaterThan(0)
    expect(mails).toBeGreaterThan(check)
    expect(two).toBeGreaterThan(cart + mails)
    const thread = (await client.get(`/threads/${threadId}`)).body
    expect(creditsOf(thread)).toBeGreaterThan(one + two)
  })
})

describe('the tree', () => {
  let threadId: string
  beforeAll(async () => {
    threadId = await client.create('fan out to tasks')
    await client.run(threadId)
  })

  test('is paged depth-first, parents before children', async () => {
    const seen: Item[] = []
    let cursor: string | null = ''
    do {
      const page = await client.get(`/threads/${threadId}/tasks?limit=2&after=${cursor}`)
      seen.push(...itemsOf(page))
      cursor = cursorSchema.parse(page.body['cursor'])
      if (cursor !== null) expect(cursor).toBe(seen.at(-1)?.['id'])
    } while (cursor !== null)
    expect(seen.map(({taskPath}) => taskPath)).toEqual(PATHS)
    for (const [index, {parentId}] of seen.entries()) {
      const before = [null, ...seen.slice(0, index).map(({id}) => id)]
      expect(before).toContain(parentId)
    }
  })

  test('sorts more than nine siblings by number', async () => {
    await client.post(`/threads/${threadId}/message`, {text: 'tasks'})
    await client.run(threadId)
    for (let round = 0; round < 4; round++) {
      await client.post(`/threads/${threadId}/message`, {text: 'tasks'})
      await client.run(threadId)
    }
    const roots = (await tasksOf(threadId)).filter(({parentId}) => parentId === null)
    expect(roots.map(({taskPath}) => taskPath)).toEqual(
      Array.from({length: 12}, (_, index) => `${index + 1}`),
    )
  })

  test.each([['after=nonsense'], ['limit=0'], ['limit=x']])('refuses %s', async (query) => {
    const {status, body} = await client.get(`/threads/${threadId}/tasks?${query}`)
    expect([status, body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })

  test('refuses a cursor of another thread', async () => {
    const other = await client.create('tasks')
    await client.run(other)
    const id = idOf(await tasksOf(other), '1')
    expect((await client.get(`/threads/${threadId}/tasks?after=${id}`)).status).toBe(400)
  })

  test('of a thread without tasks is empty', async () => {
    const plain = await client.create('quick')
    expect((await client.get(`/threads/${plain}/tasks`)).body).toEqual({items: [], cursor: null})
  })
})

describe('a task', () => {
  let threadId: string
  let tasks: Item[]
  beforeAll(async () => {
    threadId = await client.create('fan out to tasks')
    await client.run(threadId)
    tasks = await tasksOf(threadId)
  })

  test('has a record, the same alone and in the tree', async () => {
    const task = (await client.get(`/tasks/${idOf(tasks, '2.1')}`)).body
    expect(task).toEqual(tasks[2])
    expect(task).toMatchObject({
      taskPath: '2.1',
      status: 'done',
      archived: false,
      title: 'Change the cart',
      threadId,
      parentId: tasks[1]?.['id'],
    })
  })

  test('has a transcript of its own, in pages', async () => {
    const taskId = idOf(tasks, '2.1')
    const items = await entriesOf(taskId)
    expect(items.map(({source}) => source)).toEqual(['user', 'tool', 'tool', 'assistant'])
    expect(items[0]).toMatchObject({text: 'Move the rounding of src/cart to one place.'})
    const first = await client.get(`/tasks/${taskId}/messages?limit=3`)
    const after = encodeURIComponent(String(first.body['cursor']))
    const rest = await client.get(`/tasks/${taskId}/messages?after=${after}`)
    expect([...itemsOf(first), ...itemsOf(rest)]).toEqual(items)
    expect(rest.body['cursor']).toBeNull()
    const foreign = await client.get(`/threads/${threadId}/messages?after=${after}`)
    expect(foreign.status).toBe(400)
    const ofSibling = await client.get(`/tasks/${idOf(tasks, '1')}/messages?after=${after}`)
    expect(ofSibling.status).toBe(400)
  })

  test.each(['task_absent', 'WEB-12', '12', '2.1', 'thread'])(
    'called %s is absent',
    async (name) => {
      const id = name === 'thread' ? threadId : name
      for (const path of [`/tasks/${id}`, `/tasks/${id}/messages`, `/tasks/${id}/stream`]) {
        const {status, body} = await client.get(path)
        expect([status, body]).toEqual([404, {_tag: 'svc/TaskNotFound', taskId: id}])
      }
    },
  )

  test('out of the reach of a key is absent to it', async () => {
    const {body} = await client.post('/threads', {
      requestId: 'beyond',
      projectId: 'project_api',
      message: 'tasks',
    })
    const beyond = String(body['id'])
    await client.run(beyond)
    const taskId = idOf(await tasksOf(beyond), '1')
    const scoped = clientOf(platform, 'scoped')
    const answer = await scoped.get(`/tasks/${taskId}`)
    expect([answer.status, answer.body]).toEqual([404, {_tag: 'svc/TaskNotFound', taskId}])
    expect((await scoped.get(`/tasks/${taskId}/stream`)).status).toBe(404)
    const list = await scoped.get(`/threads/${beyond}/tasks`)
    expect(list.body['_tag']).toBe('svc/ThreadNotFound')
  })

  test('is read-only, to every key', async () => {
    const taskId = idOf(tasks, '1')
    for (const path of [
      `/tasks/${taskId}`,
      `/tasks/${taskId}/messages`,
      `/threads/${threadId}/tasks`,
    ]) {
      const {status, body} = await client.request('POST', path, {})
      expect([status, body['_tag']]).toEqual([405, 'svc/MethodNotAllowed'])
    }
    const reader = clientOf(platform, 'readOnly')
    expect((await reader.get(`/tasks/${taskId}`)).status).toBe(200)
  })
})

describe('the stream of a task', () => {
  test('has the frames of its own turns, and ends with done when the task is done', async () => {
    const {threadId, taskId, held} = await startedTask('fan out to tasks', '1')
    await using stream = await client.streamTask(taskId)
    held[Symbol.dispose]()
    await stream.ended()
    expect(stream.frames[0]?.data).toEqual({
      taskId: idOf(await tasksOf(threadId), '1'),
      taskPath: '1',
      status: 'working',
      archived: false,
    })
    const course = outline(stream.frames)
    expect(course.slice(0, 4)).toEqual([
      'status working',
      'transcript user',
      'run start',
      'turn start',
    ])
    expect(course.slice(-6)).toEqual([
      'assistant',
      'transcript assistant',
      'turn end settled',
      'run end',
      'status done',
      'done',
    ])
    const reply = stream.frames.findLast(({data}) => data['source'] === 'assistant')
    const fragments = stream.frames.filter(({event}) => event === 'assistant')
    expect(fragments.map(({data}) => data['text']).join('')).toBe(reply?.data['text'])
    expect(new Set(fragments.map(({data}) => data['callId']))).toEqual(
      new Set([reply?.data['callId']]),
    )
  })

  test('shows a wait for its children', async () => {
    const {taskId, held} = await startedTask('fan out to tasks', '2')
    await using stream = await client.streamTask(taskId)
    held[Symbol.dispose]()
    await stream.ended()
    const states = stream.frames.filter(({event}) => event === 'status')
    expect(states.map(({data}) => data['status'])).toEqual([
      'working',
      'waiting',
      'working',
      'done',
    ])
    expect(stream.frames.some(({event}) => event === 'task')).toBe(false)
  })

  test('of a done task is status, transcript and done, from every cursor', async () => {
    const threadId = await client.create('fan out to tasks')
    await client.run(threadId)
    const taskId = idOf(await tasksOf(threadId), '2')
    await using whole = await client.streamTask(taskId)
    await whole.ended()
    const known = whole.frames.filter(({event}) => event === 'transcript')
    expect(entryIds(whole.frames)).toEqual((await entriesOf(taskId)).map(({id}) => id))
    expect(whole.frames).toHaveLength(known.length + 2)
    for (const [index, {id = ''}] of known.entries()) {
      const header: Record<string, string> = index % 2 === 0 ? {'last-event-id': id} : {}
      const query = index % 2 === 0 ? '' : `?after=${encodeURIComponent(id)}`
      await using stream = await client.streamTask(taskId, query, header)
      await stream.ended()
      expect(entryIds(stream.frames)).toEqual(entryIds(known.slice(index + 1)))
      expect(outline(stream.frames).at(0)).toBe('status done')
      expect(outline(stream.frames).at(-1)).toBe('done')
    }
    const cursor = (await client.run(threadId)).find(({id}) => id !== undefined)?.id ?? ''
    const foreign = await client.request('GET', `/tasks/${taskId}/stream`, undefined, {
      'last-event-id': cursor,
    })
    expect([foreign.status, foreign.body['_tag']]).toEqual([400, 'svc/InvalidRequest'])
  })

  test('of a failed task stays open, with heartbeats, but not until=run', async () => {
    const {by, taskId} = await beatingFailure()
    await using stream = await by.streamTask(taskId)
    await stream.until('heartbeat', (frames) => frames.some(({event}) => event === 'heartbeat'))
    await using rest = await by.streamTask(taskId, '?until=run')
    await rest.ended()
    expect(outline(rest.frames)).toEqual([
      'status failed',
      'transcript user',
      'transcript tool',
      'done',
    ])
    expect((await by.get(`/tasks/${taskId}/stream?until=turn`)).status).toBe(400)
  })

  test('ends with done after the run when until=run is wanted', async () => {
    const {taskId, held} = await startedTask('tasks that fail', '2.2.1')
    await using stream = await client.streamTask(taskId, '?until=run')
    held[Symbol.dispose]()
    await stream.ended()
    expect(outline(stream.frames).slice(-5)).toEqual([
      'assistant',
      'turn end aborted',
      'run end',
      'status failed',
      'done',
    ])
  })

  test('ends with an error when the key is revoked', async () => {
    const {beating, by, taskId} = await beatingFailure()
    await using stream = await by.streamTask(taskId)
    beating.revokeKey(beating.keys.human)
    await stream.ended()
    expect(stream.frames.at(-1)).toMatchObject({event: 'error', data: {code: 'unauthorized'}})
  })
})

/** A task that has failed, on a platform whose streams have heartbeats. */
const beatingFailure = async () => {
  const beating = await openPlatform({pace: 0.03, heartbeatMs: 300})
  const by = clientOf(beating)
  const threadId = await by.create('tasks that fail')
  await by.run(threadId)
  return {beating, by, taskId: idOf(await tasksOf(threadId, by), '2.2.1')}
}

/** A new thread that stopped when its deepest task began to work. */
const createBusyThread = (on?: Platform, by?: Client) =>
  startedTask('fan out to tasks', '2.2.1', on, by)

const expectWhole = async (threadId: string, from = client): Promise<void> => {
  const tasks = await tasksOf(threadId, from)
  expect(tasks.map(({taskPath, status}) => [taskPath, status])).toEqual(
    PATHS.map((path) => [path, 'done']),
  )
  const undisturbed = await client.create('fan out to tasks', crypto.randomUUID())
  await client.run(undisturbed)
  const expected = await tasksOf(undisturbed)
  for (const path of PATHS) {
    const texts = (await entriesOf(idOf(tasks, path), from)).map(({text}) => text)
    const usual = (await entriesOf(idOf(expected, path))).map(({text}) => text)
    expect(texts).toEqual(usual)
  }
}

describe('tasks that are stopped', () => {
  test('are idle after an interrupt, and the next run resumes them first', async () => {
    const {threadId, taskId, held} = await createBusyThread()
    await using stream = await client.stream(threadId)
    await using ofTask = await client.streamTask(taskId)
    await ofTask.until('run', (frames) => frames.some(({event}) => event === 'run'))
    await client.post(`/threads/${threadId}/interrupt`)
    held[Symbol.dispose]()
    await stream.until('idle', (frames) => frames.at(-1)?.data['status'] === 'idle')
    const stopped = await tasksOf(threadId)
    expect(stopped.filter(({status}) => status === 'idle').length).toBeGreaterThanOrEqual(3)
    expect(stopped.every(({status}) => status === 'idle' || status === 'done')).toBe(true)
    expect(coursesOf(stream.frames, '2.2').at(-1)).toBe('idle')
    await ofTask.until('idle', (frames) => frames.at(-1)?.data['status'] === 'idle')
    expect(outline(ofTask.frames).slice(-3)).toEqual(['turn end aborted', 'run end', 'status idle'])

    await client.post(`/threads/${threadId}/message`, {text: 'quick'})
    await client.run(threadId)
    await ofTask.ended()
    expect(outline(ofTask.frames).at(-1)).toBe('done')
    const after = platform.transcript(threadId).slice(-3)
    expect(after.map(({source}) => source)).toEqual(['user', 'tool', 'assistant'])
    expect(after[1]?.text).toMatch(/^Resumed [345] stopped tasks$/)
    await expectWhole(threadId)
  })

  test('by a message that interrupts go on before it is answered', async () => {
    const {threadId, held} = await createBusyThread()
    await client.post(`/threads/${threadId}/message`, {text: 'quick'})
    held[Symbol.dispose]()
    await client.run(threadId)
    const texts = platform.transcript(threadId).map(({text}) => text)
    expect(texts.at(-2)).toMatch(/^Resumed [345] stopped tasks$/)
    expect(texts.at(-1)).toMatch(/^Done with “quick”/)
    await expectWhole(threadId)
  })

  test('again and again lose nothing', async () => {
    const {threadId, held} = await createBusyThread()
    held[Symbol.dispose]()
    for (let round = 0; round < 3; round++) {
      await client.post(`/threads/${threadId}/interrupt`)
      await client.post(`/threads/${threadId}/message`, {text: 'quick'})
    }
    await client.run(threadId)
    await expectWhole(threadId)
  })

  test('by a restart of the server go on by themselves', async () => {
    const dataFile = join(temporaryFolder(), 'platform.db')
    const first = await startPlatform({dataFile, pace: 0.03})
    const guest = clientOf(first)
    const {threadId} = await createBusyThread(first, guest)
    await first.close()
    await using second = await startPlatform({dataFile, pace: 0.03})
    const again = createClient({baseUrl: second.baseUrl, key: first.keys.human})
    await again.run(threadId)
    await expectWhole(threadId, again)
    expect(second.transcript(threadId).filter(({source}) => source === 'tool')).toHaveLength(1)
  })
})

describe('tasks of a thread that is archived', () => {
  test('are archived with it, and their streams end', async () => {
    const threadId = await client.create('tasks that fail')
    await client.run(threadId)
    const taskId = idOf(await tasksOf(threadId), '2.2.1')
    await using stream = await client.stream(threadId)
    await using ofTask = await client.streamTask(taskId)
    await ofTask.until('tool', (frames) => entryIds(frames).length === 2)
    await stream.until('replies', (frames) => entryIds(frames).length === 4)
    await client.post(`/threads/${threadId}/archive`)
    await stream.ended()
    await ofTask.ended()
    const told = stream.frames.filter(({event}) => event === 'task')
    expect(told.map(({data}) => [data['taskPath'], data['archived']])).toEqual(
      PATHS.map((path) => [path, true]),
    )
    expect(ofTask.frames.slice(-2).map(({event}) => event)).toEqual(['status', 'done'])
    expect(ofTask.frames.at(-2)?.data).toMatchObject({status: 'failed', archived: true})
    expect((await tasksOf(threadId)).every(({archived}) => archived === true)).toBe(true)
    await client.post(`/threads/${threadId}/unarchive`)
    expect((await tasksOf(threadId)).every(({archived}) => archived === false)).toBe(true)
  })
})
