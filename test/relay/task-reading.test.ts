import {expect, test} from 'vitest'
import type {PlatformClient} from '../../src/platform/client.ts'
import {
  PlatformForbidden,
  PlatformRateLimited,
  PlatformUnreachable,
} from '../../src/platform/errors.ts'
import type {LinkKeeper} from '../../src/relay/link-keeper.ts'
import {createTaskReading} from '../../src/relay/task-reading.ts'
import type {Link, LinkChange} from '../../src/store/tables/work/link.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {until} from '../support/until.ts'
import {createManualClock} from './manual-clock.ts'

/** The tasks of a link, as its books have them; `list` answers the first reading, and all others are of a task that is done. */
function openTasks(list: Promise<never>) {
  const tasks = [{id: 't1', path: '1', title: 'Look', status: 'working'}]
  let link = {id: 'l1', threadId: 'thread', tasks} as unknown as Link
  let asked = 0
  const clock = createManualClock()
  const client = {
    listTasks: async function* () {
      asked += 1
      if (asked === 1) await list
      yield* [{id: 't1', taskPath: '1', title: 'Look again', status: 'done'}]
    },
  } as unknown as PlatformClient
  const readTasks = createTaskReading({
    keeper: {
      link: () => link,
      note: (values: LinkChange) => void (link = {...link, ...values}),
      keep: () => undefined,
    } as unknown as LinkKeeper,
    clientOf: () => client,
    clock,
    log: SILENT_LOG,
    signal: new AbortController().signal,
  })
  return {readTasks, clock, link: () => link, asked: () => asked}
}

test('a task that is done while a reading of all of them fails is shown as done', async () => {
  const answer = Promise.withResolvers<never>()
  const {readTasks, clock, link, asked} = openTasks(answer.promise)
  readTasks({type: 'connected'}, 'thread')
  readTasks({type: 'task', taskId: 't1', status: 'done'}, 'thread')
  expect(link().tasks).toMatchObject([{title: 'Look', status: 'done'}])
  answer.reject(new PlatformUnreachable('it is away', true))
  await until('the reading rests', () => clock.pending() === 1)
  clock.advanceToNext()
  await until('the tasks are read again', () => link().tasks?.[0]?.title === 'Look again')
  expect(link().tasks).toMatchObject([{status: 'done'}])
  expect(asked()).toBe(2)
})

test.for([new PlatformUnreachable('it is away', true), new PlatformRateLimited('slow', 60_000)])(
  'tasks of which nothing more is heard are read again after “$message”',
  async (trouble) => {
    const {readTasks, clock, link, asked} = openTasks(Promise.reject(trouble))
    const startMs = clock.nowMs()
    readTasks({type: 'connected'}, 'thread')
    await until('the reading rests', () => clock.pending() === 1)
    clock.advanceToNext()
    await until('the tasks are read again', () => link().tasks?.[0]?.status === 'done')
    const leastMs = trouble instanceof PlatformRateLimited ? trouble.retryAfterMs : 0
    expect(clock.nowMs() - startMs).toBeGreaterThanOrEqual(leastMs)
    expect(asked()).toBe(2)
  },
)

test('after frames were dropped the tasks are read again: one of theirs may have been among them', async () => {
  const {readTasks, link, asked} = openTasks(new Promise(() => undefined))
  readTasks({type: 'turn', phase: 'end', outcome: 'completed'}, 'thread')
  expect(asked()).toBe(0)
  readTasks({type: 'turn', phase: 'end', outcome: 'dropped'}, 'thread')
  await until('they are asked for', () => asked() === 1)
  expect(link().tasks).toHaveLength(1)
})

test('what the platform declines to list is not asked for by itself', async () => {
  const {readTasks, clock, asked} = openTasks(Promise.reject(new PlatformForbidden('no')))
  readTasks({type: 'connected'}, 'thread')
  await until('the reading rests', () => clock.pending() === 1)
  clock.advanceToNext()
  await new Promise(setImmediate)
  expect([asked(), clock.pending()]).toEqual([1, 0])
})
