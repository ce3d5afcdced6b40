import {expect, test} from 'vitest'
import {temporaryStore} from './temporary-store.ts'

const jane = {team: 'T1', user: 'U0JANE'}

test('who somebody is on the platform is kept for each key, also that it is nobody', async () => {
  const {people, choices} = await temporaryStore()
  expect([await people.matchOf(jane, undefined), await choices.onPlatform(jane)]).toEqual([
    undefined,
    'unknown',
  ])
  await people.keepMatch(jane, undefined, {platformUser: undefined, lookedAtMs: 1})
  expect(await people.matchOf(jane, undefined)).toStrictEqual({
    platformUser: undefined,
    lookedAtMs: 1,
  })
  expect(await choices.onPlatform(jane)).toBe('no')
  await people.keepMatch(jane, 'k', {platformUser: 'u_1', lookedAtMs: 2})
  await people.keepMatch(jane, 'k', {platformUser: 'u_2', lookedAtMs: 3})
  expect(await people.matchOf(jane, 'k')).toEqual({platformUser: 'u_2', lookedAtMs: 3})
  expect(await people.matchOf({...jane, team: 'T2'}, 'k')).toBeUndefined()
  expect(await choices.onPlatform(jane)).toBe('yes')
})
