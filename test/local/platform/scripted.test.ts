import {join} from 'node:path'
import {beforeEach, describe, expect, test} from 'vitest'
import {z} from 'zod'
import {planSchema} from '../../../local/platform/agent/scripted.ts'
import type {Platform} from '../../../local/platform/server.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf, itemsOf, outline, type Client, type Stream} from './client.ts'
import {openPlatform} from './open-platform.ts'

let dataFile: string
let platform: Platform
let client: Client

const start = async (): Promise<void> => {
  platform = await openPlatform({dataFile, pace: 0.1})
  client = clientOf(platform)
}
beforeEach(async () => {
  dataFile = join(temporaryFolder(), 'platform.db')
  await start()
})

type PlanInput = z.input<typeof planSchema>

const plan = (input: PlanInput): void => platform.control.planScript(input)

const say = (...fragments: string[]) => ({kind: 'say', fragments}) as const

/** A reader that comes while the thread rests misses nothing of its next run. */
const listen = async (threadId: string): Promise<Stream> => {
  await client.run(threadId)
  return client.stream(threadId)
}

/** What a reader is sent of the next run, from its message on. */
const nextRun = async (threadId: string): Promise<Stream['frames']> => {
  await using stream = await listen(threadId)
  await client.post(`/threads/${threadId}/message`, {text: 'anything'})
  const frames = await stream.until('rest', (so) => outline(so).at(-2) === 'run end')
  return frames.slice(frames.findLastIndex(({data}) => data['source'] === 'user'))
}

const textsOf = (threadId: string): string[] => platform.transcript(threadId).map(({text}) => text)

describe('a script', () => {
  test('plays instead of the scenario, frame by frame', async () => {
    const threadId = await client.create('quick')
    plan({
      when: {text: 'anything'},
      steps: [
        {
          kind: 'turn',
          steps: [{kind: 'tool', name: 'search', text: 'Searched', delayMs: 1}, say('Hel', 'lo')],
        },
        {kind: 'turn', outcome: 'aborted', steps: [{kind: 'draft', fragments: ['Never']}]},
        {kind: 'turn', outcome: 'dropped', steps: []},
        {kind: 'entry', entry: {source: 'assistant', text: 'Out of nothing', callId: 'c1'}},
        {kind: 'status', state: 'waiting'},
        {kind: 'rest', state: 'pending_user'},
      ],
    })
    const frames = await nextRun(threadId)
    expect(outline(frames)).toEqual([
      'transcript user',
      'status active',
      'run start',
      'turn start',
      'tool_call',
      'transcript tool',
      'assistant',
      'transcript assistant',
      'turn end settled',
      'turn start',
      'assistant',
      'turn end aborted',
      'turn start',
      'turn end dropped',
      'transcript assistant',
      'status waiting',
      'run end',
      'status pending_user',
    ])
    const fragments = frames.filter(({event}) => event === 'assistant')
    expect(fragments.map(({data}) => data['text'])).toEqual(['Hel', 'lo', 'Never'])
    expect(textsOf(threadId).slice(2)).toEqual(['anything', 'Searched', 'Hello', 'Out of nothing'])
  })

  test('without turns is one turn', async () => {
    const threadId = await client.create('quick')
    plan({when: {text: 'anything'}, steps: [say('Hello')]})
    const frames = await nextRun(threadId)
    expect(outline(frames).slice(2, 7)).toEqual([
      'run start',
      'turn start',
      'assistant',
      'transcript assistant',
      'turn end settled',
    ])
  })

  test('writes fragments under a call id of its own', async () => {
    const threadId = await client.create('quick')
    plan({
      when: {text: 'anything'},
      steps: [
        {kind: 'assistant', callId: 'mine', text: 'Hel'},
        {kind: 'assistant', callId: 'mine', text: 'lo', delayMs: 1},
        {kind: 'entry', entry: {source: 'assistant', text: 'Hello', callId: 'mine', id: 'e1'}},
      ],
    })
    const frames = await nextRun(threadId)
    const fragments = frames.filter(({event}) => event === 'assistant')
    expect(fragments.map(({data}) => data)).toEqual([
      {callId: 'mine', text: 'Hel'},
      {callId: 'mine', text: 'lo'},
    ])
    expect(frames.find(({data}) => data['id'] === 'e1')?.data).toMatchObject({callId: 'mine'})
  })

  test('sends frames as they are, broken and huge ones too', async () => {
    const huge = JSON.stringify({x: 'x'.repeat(2_000_000)})
    plan({
      steps: [
        // Where it waits for the reader.
        {kind: 'think', delayMs: 0},
        {kind: 'frame', event: 'novelty', data: '{"a":1}', id: 'cursor'},
        {kind: 'frame', event: 'assistant', data: '{"callId":'},
        {kind: 'frame', event: 'huge', data: huge},
        // Time to take it: what is not taken makes a reader fall behind.
        {kind: 'think', delayMs: 500},
        say('Hello'),
      ],
    })
    using held = platform.control.hold()
    const threadId = await client.create('anything')
    const response = await fetch(`${platform.baseUrl}/threads/${threadId}/stream?until=run`, {
      headers: {authorization: `Bearer ${platform.keys.human}`},
    })
    held[Symbol.dispose]()
    const text = await response.text()
    const frames = [
      'event: novelty\nid: cursor\ndata: {"a":1}\n\n',
      'event: assistant\ndata: {"callId":\n\n',
      `event: huge\ndata: ${huge}\n\n`,
    ]
    expect(text.includes(frames.join(''))).toBe(true)
    expect(text.endsWith('event: done\ndata: {}\n\n')).toBe(true)
  })

  test('ends open streams without a word, or with an error', async () => {
    plan({when: {text: 'close'}, steps: [{kind: 'close'}]})
    plan({
      when: {text: 'break'},
      steps: [{kind: 'error', code: 'stream_unavailable', message: 'Later.'}],
    })
    const threadId = await client.create('quick')
    await using closed = await listen(threadId)
    await client.post(`/threads/${threadId}/message`, {text: 'close it'})
    await closed.ended()
    expect(outline(closed.frames).at(-1)).toBe('turn start')
    await using broken = await listen(threadId)
    await client.post(`/threads/${threadId}/message`, {text: 'break it'})
    await broken.ended()
    expect(broken.frames.at(-1)).toEqual({
      event: 'error',
      id: undefined,
      data: {code: 'stream_unavailable', message: 'Later.'},
    })
  })

  test('fans out to tasks', async () => {
    plan({
      steps: [
        {
          kind: 'tasks',
          text: 'Ran two',
          tasks: [
            {
              title: 'Root',
              prompt: 'Go',
              steps: [
                {kind: 'tasks', tasks: [{title: 'Leaf', steps: [say('Done')], rest: 'failed'}]},
                say('Both'),
              ],
            },
          ],
        },
      ],
    })
    const threadId = await client.create('anything')
    await client.run(threadId)
    expect(textsOf(threadId)).toEqual(['anything', 'Ran two'])
    const tasks = itemsOf(await client.get(`/threads/${threadId}/tasks`))
    expect(tasks.map(({taskPath, title, status}) => [taskPath, title, status])).toEqual([
      ['1', 'Root', 'done'],
      ['1.1', 'Leaf', 'failed'],
    ])
  })
})

describe('the choice of a script', () => {
  test('goes by thread and by a part of the text, oldest first, for so many runs', async () => {
    const other = await client.create('quick')
    await client.run(other)
    plan({when: {threadId: other}, steps: [say('For the other')]})
    plan({when: {text: 'cart'}, times: 2, steps: [say('For carts')]})
    plan({when: {text: 'the cart'}, steps: [say('Too late')]})
    const ask = async (threadId: string, text: string): Promise<string | undefined> => {
      await client.post(`/threads/${threadId}/message`, {text})
      await client.run(threadId)
      return textsOf(threadId).at(-1)
    }
    expect(await ask(other, 'the cart')).toBe('For the other')
    expect(await ask(other, 'the cart')).toBe('For carts')
    expect(await ask(other, 'quick, no match')).toMatch(/^Done with/)
    expect(await ask(other, 'the cart')).toBe('For carts')
    expect(await ask(other, 'the cart')).toBe('Too late')
    expect(await ask(other, 'quick cart')).toMatch(/^Done with/)
  })

  test('survives a restart, before the run and in the middle of it', async () => {
    plan({
      steps: [{kind: 'tool', name: 'a', text: 'First'}, {kind: 'think', delayMs: 600}, say('End')],
    })
    await platform.close()
    await start()
    const threadId = await client.create('anything')
    await using stream = await client.stream(threadId)
    await stream.until('tool', (frames) => frames.some(({data}) => data['source'] === 'tool'))
    await platform.close()
    await start()
    await client.run(threadId)
    expect(textsOf(threadId)).toEqual(['anything', 'First', 'End'])
  })
})

describe('a script that is wrong', () => {
  test.each<[string, unknown, RegExp]>([
    ['no steps', {steps: []}, /steps/],
    ['an unknown kind', {steps: [{kind: 'sing'}]}, /kind/],
    ['an unknown field', {steps: [{kind: 'think', seconds: 1}]}, /seconds/],
    ['a negative delay', {steps: [{kind: 'think', delayMs: -1}]}, /delayMs/],
    ['a rest in between', {steps: [{kind: 'rest', state: 'idle'}, say('x')]}, /last/],
    ['an unknown state', {steps: [{kind: 'rest', state: 'asleep'}]}, /asleep|state/],
    ['a status inside a turn', {steps: [{kind: 'turn', steps: [{kind: 'status'}]}]}, /kind/],
    [
      'a status in a task',
      {steps: [{kind: 'tasks', tasks: [{title: 't', steps: [{kind: 'status'}]}]}]},
      /kind/,
    ],
    ['an unknown condition', {when: {user: 'x'}, steps: [say('x')]}, /user/],
    ['no runs', {times: 0, steps: [say('x')]}, /times/],
  ])('with %s is refused in words', (_name, input, message) => {
    const {error} = planSchema.safeParse(input)
    expect(error).toBeDefined()
    expect(z.prettifyError(error ?? new z.ZodError([]))).toMatch(message)
  })
})
