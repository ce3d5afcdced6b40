import {expect, test} from 'vitest'
import type {PlatformClient} from '../../src/platform/client.ts'
import {PlatformUnreachable} from '../../src/platform/errors.ts'
import type {LinkKeeper} from '../../src/relay/link-keeper.ts'
import {createTaskReading} from '../../src/relay/task-reading.ts'
import type {Link, LinkChange} from '../../src/store/tables/work/link.ts'
import {SILENT_LOG} from '../support/silent-log.ts'
import {until} from '../support/until.ts'
import {createManualClock} from './manual-clock.ts'

test('a task that is done while a reading of all of them fails is shown as done', async () => {
  const tasks = [{id: 't1', path: '1', title: 'Look', status: 'working'}]
  let link = {id: 'l1', threadId: 'thread', tasks} as unknown as Link
  const answer = Promise.withResolvers<never>()
  let asked = 0
  const clock = createManualClock()
  const client = {
    listTasks: async function* () {
      asked += 1
      if (asked === 1) await answer.promise
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
  readTasks({type: 'connected'}, 'thread')
  const frame = {type: 'task', taskId: 't1', status: 'done'} as unknown as Parameters<
    typeof readTasks
  >[0]
  readTasks(frame, 'thread')
  expect(link.tasks).toMatchObject([{title: 'Look', status: 'done'}])
  answer.reject(new PlatformUnreachable('it is away', true))
  await until('the reading rests', () => clock.pending() === 1)
  clock.advanceToNext()
  await until('the tasks are read again', () => link.tasks?.[0]?.title === 'Look again')
  expect(link.tasks).toMatchObject([{status: 'done'}])
  expect(asked).toBe(2)
})
