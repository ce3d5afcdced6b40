import {expect, onTestFinished, test} from 'vitest'
import {startWaker} from '../../../src/features/watch/waker.ts'
import {PlatformUnauthorized} from '../../../src/platform/errors.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {until} from '../../support/until.ts'

type Options = Parameters<typeof startWaker>[0]

test('archived work of which there is no key any more rests, and nothing is logged of it', async () => {
  const dropped = {projectId: 'p1', connectionId: 'dropped'}
  const kept = {projectId: 'p2', connectionId: undefined}
  const asked: string[] = []
  const logged: string[] = []
  const client = {
    async *listThreads({projectId}: {projectId: string}) {
      asked.push(projectId)
      yield* []
    },
  } as unknown as ReturnType<Options['clientOf']>
  const waker = startWaker({
    lists: {archives: async () => [dropped, kept], archivedOf: async () => []},
    teams: () => ['T1'],
    links: {byId: async () => undefined, changeIf: async () => undefined},
    clientOf: ({projectId, connectionId}) => {
      if (connectionId === undefined) return client
      asked.push(projectId)
      throw new PlatformUnauthorized('there is no key')
    },
    show: async () => undefined,
    everyMs: 5,
    log: {...SILENT_LOG, error: (_, message) => void logged.push(message)},
  })
  onTestFinished(() => waker[Symbol.asyncDispose]())
  await until('the other project is read again', () => asked.filter((id) => id === 'p2').length > 2)
  expect(logged).toEqual([])
  expect(asked.filter((id) => id === 'p1')).toHaveLength(1)
})
