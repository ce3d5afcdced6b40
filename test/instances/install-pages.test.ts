import {expect, test} from 'vitest'
import {openBeside} from '../support/beside.ts'
import {openPages} from '../support/install-pages.ts'
import {temporaryPostgres} from '../support/postgres.ts'

test('who comes back from Slack to two instances at once installs the app once', async () => {
  const url = await temporaryPostgres()
  const two = await Promise.all([openBeside(url), openBeside(url)])
  const {begin, kept} = await openPages(two.map(({usedStates}) => usedStates))
  const comeBack = await begin()
  expect((await comeBack()).toSorted()).toEqual([200, 400])
  expect([await comeBack(), kept]).toEqual([[400, 400], ['T1']])
})
