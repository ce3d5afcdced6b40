import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {temporaryStore} from './temporary-store.ts'

const sealing = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}

test('a key is good until the platform refuses it, and again once it is mended or replaced', async () => {
  const {connections} = await temporaryStore(undefined, [sealing])
  const made = {team: 'T1', label: 'Ours', key: new Secret('key-1234'), madeBy: 'U1'}
  const {id} = await connections.add(made, 1)
  const known = {id, team: 'T1', label: 'Ours', last4: '1234', state: 'good'}
  expect(await connections.byId(id)).toEqual(known)
  expect(await connections.add({...made, label: 'Again'}, 2)).toEqual(known)
  const other = await connections.add({...made, team: 'T2'}, 1)
  expect(other.id).not.toBe(id)
  expect([await connections.refuse(id), await connections.refuse(id)]).toEqual([true, false])
  expect(await connections.byId(id)).toEqual({...known, state: 'refused'})
  await connections.mend(id)
  expect(await connections.byId(id)).toEqual(known)
  await connections.refuse(id)
  await connections.replaceKey(id, new Secret('key-5678'), 'U2')
  expect(await connections.byId(id)).toEqual({...known, last4: '5678'})
  expect(connections.keyOf(id)?.reveal()).toBe('key-5678')
  expect(await connections.ofTeam('T2')).toEqual([other])
  await connections.remove(id)
  expect([await connections.ofTeam('T1'), connections.keyOf(id)]).toEqual([[], undefined])
})

test('a channel hears once that its key is refused, until that is over', async () => {
  const {announcements} = await temporaryStore()
  const channel = {team: 'T1', channel: 'C1'}
  const since = () => announcements.keyRefusedAtMs('k')
  expect(await since()).toBeUndefined()
  expect(await announcements.refuseKey('k', [channel], 3)).toBe(true)
  expect(await announcements.refuseKey('k', [channel], 4)).toBe(false)
  expect(await announcements.refuseKey('other', [channel], 9)).toBe(true)
  expect(await since()).toBe(3)
  expect(await announcements.refuseKey('k', [channel, {...channel, channel: 'C2'}], 5)).toBe(true)
  expect(await since()).toBe(5)
  expect(await announcements.acceptKey('k', 'over')).toBe(true)
  expect([await since(), await announcements.keyRefusedAtMs('other')]).toEqual([undefined, 9])
})
