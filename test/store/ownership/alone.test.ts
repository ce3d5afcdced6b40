import {expect, test} from 'vitest'
import {until} from '../../support/until.ts'
import {startOwnership} from './ownerships.ts'

test('who is alone takes all that is offered, and keeps it', async () => {
  const one = await startOwnership('bosun.db', {beginsNow: false})
  const taken: string[] = []
  const left: string[] = []
  await one.ownership.offer(['T1', 'T2'])
  expect(taken).toEqual([])
  one.ownership.begin({
    take: async ({name}) => void taken.push(name),
    leave: async ({name}) => void left.push(name),
  })
  await one.ownership.offer(['T1', 'T3'])
  await until('they are taken', () => taken.length === 3)
  expect(taken).toEqual(['T1', 'T2', 'T3'])
  expect([...one.ownership.claims()]).toMatchObject([
    {name: 'T1', epoch: 0},
    {name: 'T2'},
    {name: 'T3'},
  ])
  expect(one.ownership.instances()).toBe(1)

  const [first] = one.ownership.claims()
  await one.ownership.withdraw('T1')
  expect(left).toEqual(['T1'])
  expect([first?.over.aborted, first?.mayCall()]).toEqual([true, false])
  await one.ownership.withdraw('T1')
  await one.ownership.offer(['T1'])
  await until('it is taken again', () => taken.length === 4)
  await one.end()
  expect(left.sort()).toEqual(['T1', 'T1', 'T2', 'T3'])
  expect([...one.ownership.claims()]).toEqual([])
})

test('what the owner throws is told, and nothing else fails', async () => {
  const one = await startOwnership('bosun.db', {beginsNow: false})
  one.ownership.begin({
    take: () => Promise.reject(new Error('no such install')),
    leave: async () => undefined,
  })
  await one.ownership.offer(['T1'])
  await until('it is told', () => one.told.length > 0)
  expect(one.told[0]).toContain('no such install')
})
