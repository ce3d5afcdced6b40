import {expect, test} from 'vitest'
import {temporaryStore} from './temporary-store.ts'

const there = {team: 'T1', channel: 'C1'}
const by = {user: 'U1', nowMs: 5}

test('settings are changed field by field, and taken back', async () => {
  const {bindings} = await temporaryStore()
  expect(await bindings.of('T1', 'C1')).toBeUndefined()
  expect(await bindings.change(there, {projectId: 'p', effort: 'high'}, by)).toEqual({
    projectId: 'p',
    effort: 'high',
  })
  const later = {user: 'U2', nowMs: 6}
  expect(await bindings.change(there, {effort: undefined, modelId: 'm'}, later)).toEqual({
    projectId: 'p',
    modelId: 'm',
  })
  expect(await bindings.read('T1', 'C1')).toEqual({
    ...{settings: {projectId: 'p', modelId: 'm'}, changedBy: 'U2', changedAtMs: 6},
  })
  expect(await bindings.of('T1', 'C2')).toBeUndefined()
  expect(await bindings.of('T2', 'C1')).toBeUndefined()
  expect(await bindings.remove('T2', 'C1')).toBe(false)
  expect(await bindings.remove('T1', 'C1')).toBe(true)
  expect(await bindings.remove('T1', 'C1')).toBe(false)
  expect(await bindings.of('T1', 'C1')).toBeUndefined()
})

test('of two who replace what they see, the second one hears of the first', async () => {
  const {bindings} = await temporaryStore()
  const replace = (projectId: string, user: string, sinceMs: number | undefined) =>
    bindings.replace(there, {projectId}, {user, nowMs: 5, sinceMs})
  expect(await replace('p', 'U1', undefined)).toEqual({outcome: 'done'})
  expect(await replace('p', 'U1', undefined)).toEqual({outcome: 'done'})
  expect(await replace('q', 'U2', undefined)).toEqual({outcome: 'stale', by: 'U1'})
  expect(await replace('q', 'U2', 5)).toEqual({outcome: 'done'})
  expect(await bindings.read('T1', 'C1')).toMatchObject({changedBy: 'U2', changedAtMs: 6})
  expect(await replace('r', 'U1', 5)).toEqual({outcome: 'stale', by: 'U2'})
})

test('the channels that name a key are found, and the workspace', async () => {
  const {bindings} = await temporaryStore()
  await bindings.change(there, {connectionId: 'k'}, by)
  await bindings.change({...there, channel: ''}, {connectionId: 'k'}, by)
  await bindings.change({...there, channel: 'C2'}, {connectionId: 'l'}, by)
  await bindings.change({...there, channel: 'C3'}, {connectionId: null}, by)
  await bindings.change({...there, channel: 'C4'}, {projectId: 'p'}, by)
  await bindings.change({team: 'T2', channel: 'C5'}, {connectionId: 'k'}, by)
  expect((await bindings.withConnection('T1', 'k')).toSorted()).toEqual(['', 'C1'])
  expect(await bindings.withConnection('T1', 'l')).toEqual(['C2'])
  expect(await bindings.withConnection('T1', 'none')).toEqual([])
})
