import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {temporaryStore} from './temporary-store.ts'

const sealing = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
const install = {installation: '{}', botUserId: 'UBOT', installedBy: 'U1', installedAtMs: 5}
const watch = {channel: 'C1', projectId: 'p', connectionId: undefined, madeBy: 'U1'}

test('an organization that leaves ends what its workspaces have, but for those with an install of their own', async () => {
  const {installs, watches} = await temporaryStore(undefined, [sealing])
  for (const id of ['E1', 'T1']) await installs.keep({id, ...install})
  for (const team of ['T1', 'T2', 'T3']) await watches.add({...watch, team}, 1)
  const over = () => ({teams: ['T1', 'T2'], stays: undefined})
  expect(await installs.end({id: 'E1', installedAtMs: 4}, over)).toBeUndefined()
  expect(await installs.end({id: 'E1', installedAtMs: 5}, over)).toEqual(['T2'])
  expect((await installs.all()).map(({id}) => id)).toEqual(['T1'])
  const left = await watches.channelsOf({projectId: 'p', connectionId: undefined})
  expect(left.map(({team}) => team).toSorted()).toEqual(['T1', 'T3'])
})

test('what nobody has done yet as the app is taken away is not done should it come back, and nothing of it is kept', async () => {
  const {installs, inbox} = await temporaryStore(undefined, [sealing])
  await installs.keep({id: 'E1', ...install})
  const said = (team: string) => ({team, key: team, lane: team, body: '{"text":"hello"}'})
  for (const team of ['E1', 'T1', 'T2']) await inbox.add(said(team), 1)
  await installs.end({id: 'E1', installedAtMs: 5}, () => ({teams: ['T1'], stays: undefined}))
  expect((await inbox.due(2, ['E1', 'T1', 'T2'])).map(({team}) => team)).toEqual(['T2'])
  // Whoever says it again says it anew.
  expect(await inbox.add(said('T1'), 3)).toBe(true)
  await installs.letGo('T2')
  expect((await inbox.due(4, ['E1', 'T1', 'T2'])).map(({team}) => team)).toEqual(['T1'])
})
