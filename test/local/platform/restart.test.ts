import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {z} from 'zod'
import {writeScript} from '../../../local/platform/agent/agent.ts'
import {startPlatform} from '../../../local/platform/server.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf, createClient, entryIds, itemsOf, type Client} from './client.ts'

const readySchema = z.object({
  ready: z.literal(true),
  baseUrl: z.string(),
  originUrl: z.string(),
  keys: z.object({human: z.string()}),
  projectIds: z.array(z.string()),
  userIds: z.array(z.string()),
})

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const launch = (...args: string[]): ChildProcess => {
  const child = spawn(process.execPath, ['local/platform/main.ts', ...args])
  children.push(child)
  return child
}

const startChild = async (...args: string[]) => {
  const child = launch('--data', join(folder, 'platform.db'), ...args)
  if (child.stdout === null) throw new Error('The child has no stdout.')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ready = readySchema.parse(JSON.parse(line))
  return {child, ready, client: createClient({baseUrl: ready.baseUrl, key: ready.keys.human})}
}

const kill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const transcriptOf = async (client: Client, threadId: string) =>
  itemsOf(await client.get(`/threads/${threadId}/messages`))

describe('a process that is killed', () => {
  test('in the middle of runs goes on: nothing is lost, nothing comes twice', async () => {
    // Slow, so that it is met at work.
    let running = await startChild('--pace', '0.4')
    const key = running.ready.keys.human
    const threadId = await running.client.create('repair the cart')
    await running.client.post(`/threads/${threadId}/message`, {text: 'quick', delivery: 'queue'})
    // Once after the first tool, once in the draft: two different places to go on from.
    for (const [event, pace] of [
      ['tool_call', '0.4'],
      ['assistant', '0.05'],
    ] as const) {
      const stream = await running.client.stream(threadId)
      await stream.until(event, (frames) => frames.some((frame) => frame.event === event))
      const before = await transcriptOf(running.client, threadId)
      await kill(running.child)
      await stream.ended()
      running = await startChild('--pace', pace)
      expect(running.ready.keys.human).toBe(key)
      const after = await transcriptOf(running.client, threadId)
      expect(after.slice(0, before.length)).toEqual(before)
    }
    await using stream = await running.client.stream(threadId)
    await stream.until('both replies', (frames) => {
      return frames.filter(({data}) => data['source'] === 'assistant').length === 2
    })
    const items = await transcriptOf(running.client, threadId)
    expect(entryIds(stream.frames)).toEqual(items.map(({id}) => id))
    expect(items.map(({text}) => text)).toEqual([
      'repair the cart',
      ...committedTexts('repair the cart', 1),
      'quick',
      ...committedTexts('quick', 2),
    ])
  })
})

describe('a process that is killed while tasks work', () => {
  test('goes on with each of them: nothing is lost, nothing comes twice', async () => {
    let running = await startChild('--pace', '0.1')
    const tasksOf = async (threadId: string) =>
      itemsOf(await running.client.get(`/threads/${threadId}/tasks`))
    const textsOf = async (taskId: unknown) =>
      itemsOf(await running.client.get(`/tasks/${String(taskId)}/messages`)).map(({text}) => text)
    const threadId = await running.client.create('fan out to tasks')
    // Each kill comes when another task has begun: deeper and deeper in the tree.
    for (const count of [2, 4, 5]) {
      const stream = await running.client.stream(threadId)
      const known = await tasksOf(threadId)
      await stream.until('tasks', (frames) => {
        const told = frames.flatMap(({event, data}) => (event === 'task' ? [data['taskId']] : []))
        return new Set([...known.map(({id}) => id), ...told]).size >= count
      })
      await kill(running.child)
      await stream.ended()
      running = await startChild('--pace', '0.1')
    }
    await running.client.run(threadId)
    const undisturbed = await running.client.create('fan out to tasks', 'undisturbed')
    await running.client.run(undisturbed)
    const [tasks, expected] = [await tasksOf(threadId), await tasksOf(undisturbed)]
    expect(tasks.map(({taskPath, status}) => [taskPath, status])).toEqual(
      expected.map(({taskPath}) => [taskPath, 'done']),
    )
    for (const [index, {id}] of tasks.entries()) {
      expect(await textsOf(id)).toEqual(await textsOf(expected[index]?.['id']))
    }
    const texts = async (id: string) =>
      (await transcriptOf(running.client, id)).map(({text}) => text)
    expect(await texts(threadId)).toEqual(await texts(undisturbed))
  })
})

const committedTexts = (text: string, ordinal: number): string[] =>
  writeScript(text, {ordinal, openPullRequest: () => '', fixPullRequest: () => undefined})
    .turns.flatMap(({steps}) => steps)
    .flatMap((step) => {
      if (step.kind === 'tool') return [step.text]
      if (step.kind === 'say') return [step.fragments.map((fragment) => fragment.text).join('')]
      return []
    })

describe('a platform that is closed', () => {
  test('goes on at the next start, with the same cursors', async () => {
    const dataFile = join(folder, 'closed.db')
    const first = await startPlatform({dataFile, pace: 0.05})
    const client = clientOf(first)
    const threadId = await client.create('repair the cart')
    const stream = await client.stream(threadId)
    await stream.until('draft', (frames) => frames.some(({event}) => event === 'assistant'))
    await first.close()
    await stream.ended()
    const cursor = stream.frames.findLast(({id}) => id !== undefined)?.id ?? ''
    await using second = await startPlatform({dataFile, pace: 0.05})
    const again = createClient({baseUrl: second.baseUrl, key: first.keys.human})
    await using rest = await again.stream(threadId, '?until=run', {'last-event-id': cursor})
    await rest.ended()
    expect([...entryIds(stream.frames), ...entryIds(rest.frames)]).toEqual(
      second.transcript(threadId).map(({id}) => id),
    )
  })
})

describe('the command line', () => {
  test('prints one ready line and stops cleanly on SIGTERM, with a stream open', async () => {
    const {child, client, ready} = await startChild('--port', '0', '--pace', '0.1')
    expect(ready.projectIds).toHaveLength(2)
    expect(ready.baseUrl).toBe(`${ready.originUrl}/api/v1`)
    await using stream = await client.stream(await client.create('repair the cart'))
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(0)
    await stream.ended()
  })

  test.each([
    [['--port', 'http'], /--port must be a number/],
    [['--pace', '-1'], /--pace|argument/],
    [['--nonsense'], /--nonsense/],
  ])('refuses %j with one line', async (args, message) => {
    const {code, error} = await outcomeOf(launch(...args))
    expect(code).toBe(1)
    expect(error).toMatch(message)
    expect(error.trim().split('\n')).toHaveLength(1)
  })

  test('says that a port is in use', async () => {
    await using platform = await startPlatform()
    const {code, error} = await outcomeOf(launch('--port', new URL(platform.originUrl).port))
    expect(code).toBe(1)
    expect(error).toMatch(/^The port is in use .*another --port\.\n$/)
  })
})

async function outcomeOf(child: ChildProcess): Promise<{code: number | null; error: string}> {
  let error = ''
  child.stderr?.on('data', (chunk: Buffer) => (error += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return {code, error}
}
