import {expect, test} from 'vitest'
import {createCatalogue} from '../../src/agents/catalogue.ts'
import type {PlatformClient} from '../../src/platform/client.ts'
import {projectSchema} from '../../src/platform/model.ts'

const {signal} = new AbortController()

test('the projects of a key are read once a minute, or as fresh as they are wanted', async () => {
  let nowMs = 0
  const asked: (string | undefined)[] = []
  const catalogue = createCatalogue({
    clientOf: ({connectionId}) => {
      asked.push(connectionId)
      const project = projectSchema.parse({id: `p${asked.length}`, name: 'web'})
      return {listProjects: async () => [project]} as unknown as PlatformClient
    },
    isVisitor: async () => false,
    nowMs: () => nowMs,
  })
  const read = async (connectionId?: string, freshMs?: number) =>
    (await catalogue.projects({connectionId}, signal, freshMs)).map(({id}) => id)
  expect(await read()).toEqual(['p1'])
  nowMs = 59_999
  expect(await read()).toEqual(['p1'])
  expect(await read('k')).toEqual(['p2'])
  expect(await read(undefined, 60_000)).toEqual(['p1'])
  expect(await read(undefined, 59_999)).toEqual(['p3'])
  nowMs += 60_000
  expect(await read()).toEqual(['p4'])
  expect(asked).toEqual([undefined, 'k', undefined, undefined])
})

test('guests and people of other companies reach the project of their channel alone', async () => {
  const projects = ['p1', 'p2'].map((id) => projectSchema.parse({id, name: id}))
  const catalogue = createCatalogue({
    clientOf: () => ({listProjects: async () => projects}) as unknown as PlatformClient,
    isVisitor: async (user) => user === 'UGUEST',
    nowMs: () => 0,
  })
  const reach = async (user: string, projectId?: string) =>
    (await catalogue.reachable({connectionId: 'k', projectId}, user, signal)).map(({id}) => id)
  expect(await reach('U1', 'p1')).toEqual(['p1', 'p2'])
  expect(await reach('UGUEST', 'p1')).toEqual(['p1'])
  expect(await reach('UGUEST', 'elsewhere')).toEqual([])
  expect(await reach('UGUEST')).toEqual([])
})
