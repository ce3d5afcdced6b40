import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {temporaryStore} from './temporary-store.ts'

const sealing = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
const secret = {team: 'T1', channel: 'C0SECRET'}
const open = {team: 'T1', channel: 'C1'}
const none = {references: []}

const timetable = {
  ...{name: 'Nightly', projectId: 'p', connectionId: undefined, reference: 'slack:00000000'},
  ...{schedules: [{cron: '0 7 * * *', zone: 'UTC'}], momentMs: 5},
}
const hook = {name: 'Deploys', requestId: 'r', madeBy: 'U1', url: new Secret('https://a.example/x')}

test('an automation is from where its schedule or its hook stands, and private where that is', async () => {
  const {origins, timetables, hooks} = await temporaryStore(undefined, [sealing])
  await timetables.add({...timetable, ...open, automationId: 'nightly', isPrivate: false})
  await timetables.add({...timetable, ...secret, automationId: 'hidden', isPrivate: true})
  await hooks.add({...hook, ...open, automationId: 'deploys'}, 1)
  const asked = ['nightly', 'hidden', 'deploys', 'elsewhere'].map((id) => ({id, ...none}))
  const found = await origins.ofAutomations(open, asked)
  expect([...found.keys()].toSorted()).toEqual(['deploys', 'hidden', 'nightly'])
  expect(found.get('nightly')).toMatchObject({channels: [open], mark: undefined, rooms: []})
  expect(found.get('hidden')).toMatchObject({channels: [secret], mark: 'private'})
  expect(found.get('deploys')).toMatchObject({channels: [open], mark: undefined})
})

test('one that was made in a private place is private for good, by each of its names, and known there', async () => {
  const {origins} = await temporaryStore()
  await origins.keepAutomation(secret, 'slack:12345678')
  await origins.keepAutomation(secret, 'known')
  const asked = [
    {id: 'new', references: ['slack:12345678']},
    {id: 'known', ...none},
    {id: 'elsewhere', references: ['slack:87654321']},
  ]
  const there = await origins.ofAutomations(secret, asked)
  expect([...there]).toEqual([
    ['new', {channels: [secret], mark: 'private', rooms: []}],
    ['known', {channels: [secret], mark: 'private', rooms: []}],
  ])
  const here = await origins.ofAutomations(open, asked)
  expect([...here.values()]).toEqual(Array(2).fill({channels: [], mark: 'private', rooms: []}))
})
