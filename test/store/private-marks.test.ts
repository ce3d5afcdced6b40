import {expect, test} from 'vitest'
import {temporaryStore} from './temporary-store.ts'

test('what is marked as private once more is private still', async () => {
  const {origins} = await temporaryStore()
  const mark = async () => (await origins.of(['t'])).get('t')?.mark
  expect(await mark()).toBeUndefined()
  for (const requestId of ['r', 's']) await origins.settle(requestId, 't')
  expect(await mark()).toBe('private')
  expect([await origins.hasBegun('s', 't'), await origins.hasBegun('s', 'u')]).toEqual([
    true,
    false,
  ])
})
