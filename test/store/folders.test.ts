import {expect, test} from 'vitest'
import {MAX_FOLDERS} from '../../src/store/tables/channels/folders.ts'
import {temporaryStore} from './temporary-store.ts'

const shelf = {team: 'T1', connectionId: 'c1'}
const by = {user: 'U1', nowMs: 1}

test('folders are remembered by name, of each workspace and each of its keys by itself', async () => {
  const {folders} = await temporaryStore()
  await folders.add(shelf, {id: 'f1', name: 'Web'}, by)
  await folders.add(shelf, {id: 'f3', name: 'Audits'}, by)
  await folders.add(shelf, {id: 'f2', name: 'Audits'}, by)
  const others = [
    {...shelf, team: 'T2'},
    {...shelf, connectionId: 'c2'},
    {...shelf, connectionId: undefined},
  ]
  for (const other of others) await folders.add(other, {id: 'f1', name: 'Theirs'}, by)
  await folders.add(shelf, {id: 'f1', name: 'Apps'}, by)
  const all = [
    {id: 'f1', name: 'Apps'},
    {id: 'f2', name: 'Audits'},
    {id: 'f3', name: 'Audits'},
  ]
  expect(await folders.of(shelf)).toEqual(all)
  expect([await folders.forget(shelf, 'f1'), await folders.forget(shelf, 'f1')]).toEqual([
    true,
    false,
  ])
  expect(await folders.of(shelf)).toEqual(all.slice(1))
  for (const other of others) expect(await folders.of(other)).toEqual([{id: 'f1', name: 'Theirs'}])
})

test('there is room for a hundred, and those can still be named anew', async () => {
  const {folders} = await temporaryStore()
  const add = (id: string, name = id) => folders.add(shelf, {id, name}, by)
  for (let at = 1; at < MAX_FOLDERS; at += 1) await add(`f${at}`)
  await folders.add({...shelf, team: 'T2'}, {id: 'theirs', name: 'theirs'}, by)
  expect(await add('last')).toBe('kept')
  expect(await add('more')).toBe('full')
  expect(await add('f1', '')).toBe('kept')
  const all = await folders.of(shelf)
  expect([all.length, all[0]]).toEqual([100, {id: 'f1', name: ''}])
})
