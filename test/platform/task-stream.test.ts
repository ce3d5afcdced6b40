import {describe, expect, test} from 'vitest'
import {PlatformStreamUnavailable, PlatformTaskNotFound} from '../../src/platform/errors.ts'
import {parseFrame} from '../../src/platform/stream/frame.ts'
import {answerJson} from './http-server.ts'
import {cursors, done, entry, outline, row, sse, watch} from './scripted-stream.ts'

const marks = {taskId: 'k/1', taskPath: '1.2', archived: false}

describe('a task is followed like a thread', () => {
  test('over connections, behind its last entry, to its end', async () => {
    const working = sse('status', {...marks, status: 'working'})
    const {frames, requests} = await watch(
      [working + row('a'), row('b') + sse('status', {...marks, status: 'done'}) + done],
      {follows: {taskId: 'k/1'}, until: 'run'},
    )
    const expected = ['connected', 'working', 'a', 'connected', 'b', 'done', 'done']
    expect(outline(frames)).toEqual(expected)
    expect(frames[1]).toEqual({type: 'status', status: 'working', ...marks})
    const paths = requests.map(({url}) => url)
    expect(new Set(paths)).toEqual(new Set(['/api/v1/tasks/k%2F1/stream?until=run']))
    expect(cursors(requests)).toEqual([undefined, 'c-a'])
  })

  test('a frame that is too large is fetched from the task’s transcript', async () => {
    const {frames, requests} = await watch([row('a') + row('b', 'x'.repeat(4000)) + done], {
      follows: {taskId: 'k/1'},
      maxFrameChars: 1000,
      items: () => ({items: [entry('b', 'large')], cursor: null}),
    })
    expect(outline(frames)).toEqual(['connected', 'a', 'b', 'done'])
    expect(requests[1]?.url).toBe('/api/v1/tasks/k%2F1/messages?after=c-a')
  })

  test('a task that is gone cannot be helped', async () => {
    const {error, requests} = await watch(
      [(response) => answerJson(response, 404, {_tag: 'svc/TaskNotFound', taskId: 'k/1'})],
      {follows: {taskId: 'k/1'}},
    )
    expect(error).toBeInstanceOf(PlatformTaskNotFound)
    expect(error).toMatchObject({taskId: 'k/1'})
    expect(requests).toHaveLength(1)
  })

  test.each([400, 404, 409, 500, 503])(
    'a stream that is unavailable, told with %i, is waited for',
    async (status) => {
      const {frames, troubles} = await watch(
        [(response) => answerJson(response, status, {_tag: 'svc/StreamUnavailable'}), row('b')],
        {follows: {taskId: 'k/1'}, after: 'c-a'},
      )
      expect(troubles[0]).toBeInstanceOf(PlatformStreamUnavailable)
      expect(outline(frames)).toEqual(['connected', 'b', 'connected', 'done'])
    },
  )
})

describe('a cursor that no header can hold goes into the query', () => {
  test.each(['日本', 'a b', 'é', ' '])('%s', async (cursor) => {
    const {requests} = await watch([done], {after: cursor})
    expect(cursors(requests)).toEqual([undefined])
    const {searchParams} = new URL(requests[0]?.url ?? '', 'http://localhost')
    expect(searchParams.get('after')).toBe(cursor)
  })
})

describe('what a frame says of a task is kept', () => {
  test.each<[string, object, object | undefined]>([
    ['status', {...marks, status: 'waiting'}, {...marks, status: 'waiting'}],
    ['status', {threadId: 't', status: 'idle'}, {status: 'idle'}],
    ['task', {...marks, status: 'done'}, {...marks, status: 'done'}],
    ['task', {taskId: 'k', taskPath: null, status: 'new', archived: null}, {taskId: 'k'}],
    ['task', {taskId: 'k', status: 'failed', novelty: 1}, {taskId: 'k', status: 'failed'}],
    ['task', {taskPath: '1', status: 'idle'}, undefined],
    [
      'task',
      {taskId: 'k', status: 'idle', archived: 'no', taskPath: 7},
      {taskId: 'k', status: 'idle'},
    ],
    ['status', {taskId: 7, status: 'idle'}, {status: 'idle'}],
    ['status', {...marks, status: 7}, undefined],
  ])('%s %j', (event, data, kept) => {
    const frame = parseFrame({event, data: JSON.stringify(data)})
    if (kept === undefined) expect(frame).toBeUndefined()
    else expect(frame).toMatchObject({type: event, ...kept})
  })
})
