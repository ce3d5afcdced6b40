import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {newLink, temporaryStore} from './temporary-store.ts'

const row = {team: 'T1', body: '{}'}

test('where nothing waits, nothing is old', async () => {
  const {queues} = await temporaryStore()
  expect(await queues.inbox()).toEqual({open: 0, failed: 0, oldestMs: undefined})
  expect(await queues.sends()).toEqual({byState: new Map(), oldestMs: undefined})
  expect(await queues.hooks()).toEqual({open: 0, oldestMs: undefined})
})

test('what people did waits from its delivery until it is done', async () => {
  const {inbox, queues} = await temporaryStore()
  for (const [key, lane, atMs] of [
    ['a', 'one', 10],
    ['b', 'one', 20],
    ['c', 'two', 30],
  ] as const) {
    await inbox.add({...row, key, lane}, atMs)
  }
  const [first] = await inbox.due(40, ['T1'])
  await inbox.postpone(first?.id ?? 0, 1000)
  expect(await queues.inbox()).toEqual({open: 3, failed: 0, oldestMs: 10})
  await inbox.done(first?.id ?? 0)
  const [second] = await inbox.due(40, ['T1'])
  await inbox.fail(second?.id ?? 0)
  expect(await queues.inbox()).toEqual({open: 1, failed: 1, oldestMs: 30})
})

test('of messages those are old that move by themselves, not those that wait for an agent', async () => {
  const {links, sends, queues} = await temporaryStore()
  const {id: linkId} = await links.open(newLink, 0)
  await links.change(linkId, {state: 'open', threadId: 'thread'})
  const send = async (inboxKey: string, atMs: number): Promise<string> => {
    const about = {linkId, inboxKey, messageTs: '1.2', sender: 'U1', cursor: undefined}
    return (await sends.open({...about, toText: (token) => token}, atMs)).send.id
  }
  await sends.admit(await send('a', 10), 'waiting', 'receipt')
  await sends.move(await send('b', 20), ['open'], 'sent')
  await send('c', 30)
  await send('d', 40)
  const {byState, oldestMs} = await queues.sends()
  expect([...byState].toSorted()).toEqual([
    ['open', 2],
    ['waiting', 1],
  ])
  expect(oldestMs).toBe(30)
  await links.change(linkId, {state: 'archived'})
  expect((await queues.sends()).byState.size).toBe(0)
})

test('a delivery to a hook waits until it has an outcome', async () => {
  const key = {id: 'a', key: new Secret(Buffer.alloc(32, 1).toString('base64'))}
  const {deliveries, hooks, queues} = await temporaryStore(undefined, [key])
  const url = new Secret('https://platform.example/webhooks/automations/s')
  const about = {team: 'T1', channel: 'C1', name: 'n', automationId: undefined, madeBy: 'U1'}
  const {id: hookId} = await hooks.add({...about, requestId: 'r', url}, 1)
  await deliveries.add({hookId, team: 'T1', key: 'k', sentKey: 'k', body: 'sealed'}, 10)
  expect(await queues.hooks()).toEqual({open: 1, oldestMs: 10})
  // Whoever has switched it off lets it wait: nothing is stuck.
  await hooks.switch(hookId, 'off')
  expect(await queues.hooks()).toEqual({open: 0, oldestMs: undefined})
  await hooks.switch(hookId, 'on')
  const [added] = await deliveries.log(hookId, {limit: 1, beforeId: undefined})
  await deliveries.settle(added?.id ?? 0, 'accepted', undefined, 20)
  expect(await queues.hooks()).toEqual({open: 0, oldestMs: undefined})
})
