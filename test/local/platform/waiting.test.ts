import {join} from 'node:path'
import {beforeEach, expect, test} from 'vitest'
import type {Platform} from '../../../local/platform/server.ts'
import {temporaryFolder} from '../../support/temporary-folder.ts'
import {clientOf, outline, type Client} from './client.ts'
import {createManualClock, type ManualClock} from './manual-clock.ts'
import {openPlatform} from './open-platform.ts'

let dataFile: string
let clock: ManualClock
let platform: Platform
let client: Client

/** The wait ends when the clock is advanced; the agent itself works in real time. */
const start = async (): Promise<void> => {
  platform = await openPlatform({clock, dataFile, pace: 0.01})
  client = clientOf(platform)
}
beforeEach(async () => {
  dataFile = join(temporaryFolder(), 'platform.db')
  clock = createManualClock()
  await start()
})

const statusOf = async (threadId: string): Promise<unknown> =>
  (await client.get(`/threads/${threadId}`)).body['status']

const sourcesOf = (threadId: string): string[] =>
  platform.transcript(threadId).map(({source}) => source)

const createWaiting = async (): Promise<string> => {
  const threadId = await client.create('wait for CI')
  await client.run(threadId)
  return threadId
}

const WAIT_MS = 120

test('a run may end in waiting, after which the agent wakes by itself, without a message', async () => {
  const threadId = await createWaiting()
  expect(await statusOf(threadId)).toBe('waiting')
  await using stream = await client.stream(threadId)
  await stream.until('transcript', (frames) => frames.length === 5)
  clock.advance(WAIT_MS)
  await stream.until('review', (frames) => frames.at(-1)?.data['status'] === 'ready_for_review')
  const course = outline(stream.frames)
  expect(course[0]).toBe('status waiting')
  expect(course.slice(5, 8)).toEqual(['status active', 'run start', 'turn start'])
  expect(course.slice(-2)).toEqual(['run end', 'status ready_for_review'])
  expect(sourcesOf(threadId)).toEqual(['user', 'tool', 'tool', 'assistant', 'tool', 'assistant'])
})

test('until=run is done at once while a thread waits: nothing works, nothing is queued', async () => {
  const threadId = await createWaiting()
  const course = outline(await client.run(threadId))
  expect([course[0], course.at(-1)]).toEqual(['status waiting', 'done'])
  expect(course).not.toContain('run start')
})

test('a wait goes on after a restart, and is over at once when its time came meanwhile', async () => {
  const threadId = await createWaiting()
  await platform.close()
  await start()
  expect(await statusOf(threadId)).toBe('waiting')
  clock.advance(WAIT_MS)
  await client.run(threadId)
  expect(await statusOf(threadId)).toBe('ready_for_review')

  const other = await client.create('wait again for CI', 'other')
  await client.run(other)
  await platform.close()
  clock.advance(WAIT_MS)
  await start()
  clock.advance(0)
  await client.run(other)
  expect(await statusOf(other)).toBe('ready_for_review')
})

test('an interrupt cancels the wait', async () => {
  const threadId = await createWaiting()
  await using stream = await client.stream(threadId)
  await stream.until('transcript', (frames) => frames.length === 5)
  const {body} = await client.post(`/threads/${threadId}/interrupt`)
  expect(body).toEqual({interrupted: true})
  await stream.until('idle', (frames) => frames.at(-1)?.data['status'] === 'idle')
  clock.advance(10 * WAIT_MS)
  expect(await statusOf(threadId)).toBe('idle')
  expect(sourcesOf(threadId)).toHaveLength(4)
})

test.each(['interrupt', 'queue', 'steer'])(
  'a message with delivery %s is delivered at once and cancels the wait',
  async (delivery) => {
    const threadId = await createWaiting()
    using held = platform.control.hold()
    await client.post(`/threads/${threadId}/message`, {text: 'quick', delivery})
    await using stream = await client.stream(threadId, '?until=run')
    held[Symbol.dispose]()
    await stream.ended()
    const course = outline(stream.frames)
    expect(course).toContain('run start')
    expect(sourcesOf(threadId).slice(-2)).toEqual(['user', 'assistant'])
    clock.advance(10 * WAIT_MS)
    expect(await statusOf(threadId)).toBe('idle')
    expect(sourcesOf(threadId)).toHaveLength(6)
  },
)

test('a thread waits on though it is archived', async () => {
  const threadId = await createWaiting()
  await client.post(`/threads/${threadId}/archive`)
  using held = platform.control.hold()
  clock.advance(WAIT_MS)
  const {body} = await client.post(`/threads/${threadId}/unarchive`)
  expect(body['status']).toBe('active')
  held[Symbol.dispose]()
  await client.run(threadId)
  expect(await statusOf(threadId)).toBe('ready_for_review')
})
